"""Real model classes, made tiny: random weights and vocabularies of a dozen words, on the spot.

Imported first, so that torchvision can be: its builds for CUDA bring no operators to a torch
without it, and then do not even import. Declaring two of them, without any code behind, mends that;
no detector here calls them.
"""

import json
from pathlib import Path

import numpy as np
import torch

try:
    import torchvision  # noqa: F401
except RuntimeError:
    _OPERATORS = torch.library.Library("torchvision", "DEF")
    for _name in ("nms", "qnms"):
        _OPERATORS.define(f"{_name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

from transformers import (
    BertConfig,
    BertModel,
    BertTokenizerFast,
    CLIPTokenizerFast,
    GroundingDinoConfig,
    GroundingDinoForObjectDetection,
    GroundingDinoImageProcessor,
    GroundingDinoProcessor,
    MMGroundingDinoConfig,
    MMGroundingDinoForObjectDetection,
    Owlv2Config,
    Owlv2ForObjectDetection,
    Owlv2ImageProcessor,
    Owlv2Processor,
    SwinConfig,
)

torch.set_num_threads(1)  # for so little, threads would only wait for each other
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "?", "red", "blue", "block", "cup",
         "green"]  # fmt: skip
QUERIES = ["red block", "blue cup"]
TINY_BERT = BertConfig(
    vocab_size=len(WORDS), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
    intermediate_size=32,
)  # fmt: skip
_SIZES = dict(
    num_queries=20, encoder_layers=1, decoder_layers=1, encoder_ffn_dim=32, decoder_ffn_dim=32,
    d_model=32, encoder_attention_heads=2, decoder_attention_heads=2, max_text_len=8,
)  # fmt: skip


def picture(seed: int, height: int = 60, width: int = 80) -> np.ndarray:
    """A picture (height, width, 3) uint8 RGB whose channels, rows and columns all differ."""
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), np.uint8)
    fine = np.kron(coarse, np.ones((height // 6 + 1, width // 8 + 1, 1), np.uint8))
    return np.ascontiguousarray(fine[:height, :width])


def tokenizer(folder: Path) -> BertTokenizerFast:
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    return BertTokenizerFast(str(folder / "vocab.txt"))


def grounding_dino(folder: Path, *, mm: bool) -> Path:
    """Grounding DINO, or MM-Grounding-DINO, with its processor."""
    torch.manual_seed(0)
    swin = SwinConfig(
        image_size=64, patch_size=4, embed_dim=16, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2],
        window_size=4, out_features=["stage2", "stage3", "stage4"],
    )  # fmt: skip
    make, model = (
        (MMGroundingDinoConfig, MMGroundingDinoForObjectDetection)
        if mm
        else (GroundingDinoConfig, GroundingDinoForObjectDetection)
    )
    config = make(backbone_config=swin, text_config=TINY_BERT.to_dict(), **_SIZES)
    made = model(config)
    _stirred(made)
    made.save_pretrained(folder, safe_serialization=True)
    images = GroundingDinoImageProcessor(size={"shortest_edge": 64, "longest_edge": 128})
    GroundingDinoProcessor(images, tokenizer(folder)).save_pretrained(folder)
    return folder


def owl(folder: Path) -> Path:
    """OWLv2 with its processor; its vocabulary is letters and two merges."""
    torch.manual_seed(0)
    letters = "abcdefghijklmnopqrstuvwxyz"
    tokens = [*letters, *(f"{c}</w>" for c in letters), "re", "bl", "<|startoftext|>",
              "<|endoftext|>"]  # fmt: skip
    (folder / "vocab.json").write_text(json.dumps({token: k for k, token in enumerate(tokens)}))
    (folder / "merges.txt").write_text("#version: 0.2\nr e\nb l\n")
    text = {"vocab_size": len(tokens), "hidden_size": 32, "intermediate_size": 32,
            "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 40,
            "bos_token_id": len(tokens) - 2, "eos_token_id": len(tokens) - 1,
            "pad_token_id": 0}  # fmt: skip
    vision = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1,
              "num_attention_heads": 2, "image_size": 64, "patch_size": 16}  # fmt: skip
    config = Owlv2Config(text_config=text, vision_config=vision, projection_dim=32)
    made = Owlv2ForObjectDetection(config)
    _stirred(made)
    made.save_pretrained(folder, safe_serialization=True)
    words = CLIPTokenizerFast(
        str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=40
    )
    images = Owlv2ImageProcessor(size={"height": 64, "width": 64})
    Owlv2Processor(images, words).save_pretrained(folder)
    return folder


def _stirred(model: torch.nn.Module) -> None:
    """Weights that begin as zeros, by which all boxes are alike, made random, too."""
    for parameter in model.parameters():
        if parameter.ndim > 1 and not parameter.detach().any():
            torch.nn.init.normal_(parameter, std=0.3)


def bert(folder: Path) -> Path:
    """The original model's text encoder with its tokenizer, as in a folder of its weights."""
    torch.manual_seed(0)
    folder.mkdir()
    tokenizer(folder).save_pretrained(folder)
    BertModel(TINY_BERT).save_pretrained(folder)
    return folder
