"""Train a vision-language model on exported rows with LoRA, by MM-CreativityBench's recipe.

python tools/train_lora.py ROWS sft --model Qwen/Qwen3-VL-4B-Instruct --out sft
python tools/train_lora.py ROWS dpo --model Qwen/Qwen3-VL-4B-Instruct --adapter sft --out dpo

ROWS is what `pactwin export training` wrote. docs/training.md says what to install.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from datasets import Dataset, Image, List
from peft import LoraConfig, PeftModel
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

LORA = LoraConfig(
    r=4,
    target_modules="all-linear",
    exclude_modules=r".*\.?visual\..*",  # the vision tower stays as it is
    task_type="CAUSAL_LM",
)
RECIPE: dict[str, Any] = {
    "num_train_epochs": 3,
    "lr_scheduler_type": "cosine",
    "warmup_ratio": 0.1,
    "per_device_train_batch_size": 1,
    "gradient_checkpointing": True,
    "bf16": True,
    "max_length": None,  # the default cuts off what stands for pictures
    "report_to": [],
}
"""What both kinds of training share; batches are those of four devices."""
KINDS: dict[str, tuple[type, type, dict[str, Any]]] = {
    "sft": (SFTTrainer, SFTConfig, {"learning_rate": 5e-4, "gradient_accumulation_steps": 32}),
    "dpo": (
        DPOTrainer,
        DPOConfig,
        {"learning_rate": 5e-6, "gradient_accumulation_steps": 16, "beta": 0.1},
    ),
}


def load_rows(folder: Path, kind: str) -> Dataset:
    """The rows of a kind, in order, with their pictures."""
    lines = (folder / f"{kind}.trl.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        row["images"] = [str(folder / path) for path in row["images"]]
    return Dataset.from_list(rows).cast_column("images", List(Image()))


def make_trainer(
    kind: str, rows: Dataset, model: Any, processor: Any, out: Path, **settings: Any
) -> Any:
    """TRL's trainer of a new adapter; ``settings`` go before the recipe's."""
    trainer, config, own = KINDS[kind]
    arguments = config(output_dir=str(out), **RECIPE | own | settings)
    return trainer(
        model=model,
        args=arguments,
        train_dataset=rows,
        processing_class=processor,
        peft_config=LORA,
    )


def main() -> None:
    """Train as the command line says, and keep the adapter."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rows", type=Path, help="folder that `pactwin export training` wrote")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--model", required=True, help="name or folder of the model to start from")
    parser.add_argument("--adapter", help="adapter that SFT made, merged into it first")
    parser.add_argument("--out", type=Path, required=True, help="folder of the new adapter")
    given = parser.parse_args()

    from transformers import AutoModelForImageTextToText, AutoProcessor

    processor = AutoProcessor.from_pretrained(given.model, max_pixels=65_536)
    model = AutoModelForImageTextToText.from_pretrained(given.model, dtype="bfloat16")
    if given.adapter:
        model = PeftModel.from_pretrained(model, given.adapter).merge_and_unload()
    trainer = make_trainer(
        given.kind, load_rows(given.rows, given.kind), model, processor, given.out
    )
    trainer.train()
    trainer.save_model()


if __name__ == "__main__":
    main()
