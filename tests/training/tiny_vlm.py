"""A tiny Qwen3-VL with random weights, and a processor that knows the texts it is given."""

from collections.abc import Iterable

# Before transformers: it lets torchvision be imported.
from tiny_weights import torch  # isort: skip
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    Qwen2TokenizerFast,
    Qwen2VLImageProcessor,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
    Qwen3VLProcessor,
    Qwen3VLVideoProcessor,
)

IMAGE, VIDEO, START, END = ("<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>")
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", START, END, IMAGE, VIDEO]
TEMPLATE = """\
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{% for part in message.content -%}
{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>
{%- else %}{{ part.text }}{% endif %}
{%- endfor %}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif -%}
"""


def tiny_vlm(texts: Iterable[str]) -> tuple[Qwen3VLForConditionalGeneration, Qwen3VLProcessor]:
    """Model and processor; its words are pieces of ``texts``."""
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    words.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=2000, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
        ),
    )
    tokenizer = Qwen2TokenizerFast(
        tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    processor = Qwen3VLProcessor(
        image_processor=Qwen2VLImageProcessor(
            patch_size=16, merge_size=2, min_pixels=32 * 32, max_pixels=64 * 64
        ),
        tokenizer=tokenizer,
        video_processor=Qwen3VLVideoProcessor(),
        chat_template=TEMPLATE,
    )
    ids = {word: tokenizer.convert_tokens_to_ids(word) for word in SPECIAL}
    rope = {"rope_type": "default", "mrope_section": [2, 1, 1], "mrope_interleaved": True}
    config = Qwen3VLConfig(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 8,
            "rope_scaling": rope,
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 4,
            "patch_size": 16,
            "spatial_merge_size": 2,
            "out_hidden_size": 32,
            "deepstack_visual_indexes": [1],
            "num_position_embeddings": 64,
        },
        image_token_id=ids[IMAGE],
        video_token_id=ids[VIDEO],
        vision_start_token_id=ids[START],
        vision_end_token_id=ids[END],
    )
    torch.manual_seed(0)
    model = Qwen3VLForConditionalGeneration(config)
    # As drawn they are so small that no adapter could make one word likelier than another.
    for words in (model.get_input_embeddings(), model.get_output_embeddings()):
        torch.nn.init.normal_(words.weight, std=0.5)
    return model, processor
