"""Exported rows in TRL's own hands: all are read, what is trained on is the reply, losses fall."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from known_things import write_inspected
from tiny_vlm import IMAGE, tiny_vlm, torch  # before TRL

from pactwin.tasks import export_training

RECIPE = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "train_lora.py"))

SMALL = {
    "use_cpu": True,
    "bf16": False,
    "gradient_checkpointing": False,
    "gradient_accumulation_steps": 1,
    "per_device_train_batch_size": 2,
    "lr_scheduler_type": "constant",
    "warmup_ratio": 0.0,
    "max_steps": 12,
    "logging_steps": 1,
    "save_strategy": "no",
    "disable_tqdm": True,
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    folder = tmp_path_factory.mktemp("training")
    suite = write_inspected(folder / "suite")
    return folder / "rows", export_training(suite, None, folder / "rows", 0)


@pytest.mark.parametrize(("kind", "rate"), [("sft", 0.05), ("dpo", 0.02)])
def test_all_rows_are_read_and_the_loss_falls(
    kind: str, rate: float, exported: tuple[Path, dict[str, int]], tmp_path: Path
) -> None:
    folder, counts = exported
    rows = RECIPE["load_rows"](folder, kind)
    assert len(rows) == counts[f"{kind}.trl"]
    model, processor = tiny_vlm([str(row) for row in rows.remove_columns("images")])
    frozen = {name: p.detach().clone() for name, p in model.named_parameters()}
    trainer = RECIPE["make_trainer"](
        kind, rows, model, processor, tmp_path, **SMALL, learning_rate=rate
    )
    picture = processor.tokenizer.convert_tokens_to_ids(IMAGE)
    for row in rows:
        batch = trainer.data_collator([dict(row)])
        assert trained_on(batch, processor) == replies(row, kind)
        each = 1 if kind == "sft" else 2  # the prompt stands before both replies
        assert len(batch["image_grid_thw"]) == each * len(row["images"])
        tokens = int(batch["image_grid_thw"].prod(dim=1).sum()) // 4
        assert int((batch["input_ids"] == picture).sum()) == tokens
    trainer.train_dataset = rows.select(range(6))  # a few, seen often
    trainer.train()
    losses = [line["loss"] for line in trainer.state.log_history if "loss" in line]
    assert len(losses) == SMALL["max_steps"]
    assert sum(losses[-3:]) < 0.9 * sum(losses[:3]), losses
    adapter = {name for name, p in trainer.model.named_parameters() if p.requires_grad}
    assert adapter and all("lora" in name and "visual" not in name for name in adapter)
    for name, p in trainer.model.get_base_model().named_parameters():
        if "lora" not in name:
            assert torch.equal(p, frozen[name.replace(".base_layer", "")]), name


def trained_on(batch: Any, processor: Any) -> list[str]:
    """What the loss is of, a text for each sequence."""
    if "labels" in batch:
        kept = batch["labels"] != -100
    else:
        kept = (batch["completion_mask"] * batch["attention_mask"]).bool()
    return [
        processor.tokenizer.decode(ids[mask])
        for ids, mask in zip(batch["input_ids"], kept, strict=True)
    ]


def replies(row: dict[str, Any], kind: str) -> list[str]:
    keys = ("completion",) if kind == "sft" else ("chosen", "rejected")
    return [f"{row[key][0]['content'][0]['text']}<|im_end|>\n" for key in keys]
