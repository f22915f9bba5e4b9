# `make demo` and `make test` bring a bare Debian or Ubuntu machine with Python 3.11 to a result.
BIN := .venv/bin
UV := .cache/uv/bin/uv
# Existing pins stay as they are; `make pins UPGRADE=--upgrade` moves them all.
UPGRADE :=
AREA := pactwin.compare
NTH := 3
EXAMPLES := 5000
PAIRS := 20
SEED := $(shell date +%Y%m%d)
PINS := $(UV) pip compile pyproject.toml --quiet --python-version 3.11 --python-platform x86_64-manylinux_2_35 \
	--no-annotate --no-header --no-emit-index-url $(UPGRADE)

WITH_TORCH := .venv-perception/bin/python -m pytest -q -c /dev/null --rootdir . --noconftest \
	-p no:cacheprovider -p no:dash -W ignore

.DEFAULT_GOAL := help
.PHONY: help env demo rehearsal docs pictures test quick nightly test-models test-training check mutants bench fuzz audit pins clean

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

env: .venv/.made ## .venv with the command pactwin in it

.venv/.made: pyproject.toml requirements/dev.txt requirements/uv.txt tools/bootstrap.sh tools/apt.sh
	tools/bootstrap.sh dev
	touch $@

.venv/.tested: .venv/.made requirements/test.txt requirements/robosuite.txt
	tools/bootstrap.sh test
	touch $@

demo: env ## a small suite, six baselines, a report with pictures
	tools/demo.sh

rehearsal: env .venv/.tested ## from sim to real without hardware: PAIRS pairs, baselines and models with planted gaps
	$(BIN)/python tools/rehearsal.py demo/rehearsal $(PAIRS)

docs: env ## the site, with the command and Python references, into site/; links are checked
	tools/docs.sh

pictures: env .venv/.tested ## the pictures of docs/images and docs/gallery.md anew: minutes
	$(BIN)/python tools/diagrams.py
	$(BIN)/python tools/docs_images.py
	$(BIN)/python tools/uses_images.py
	$(BIN)/pactwin make constraints --out demo/rig --seed 4 --pairs 2 --domains closure,opening
	$(BIN)/python tools/rig_images.py demo/rig

test: env .venv/.tested ## all checks and tests
	@tools/apt.sh chromium libusb-1.0-0 cyclonedds-dev cyclonedds-tools gcc libc6-dev || echo "going on; tests of the report in a browser, or of the robot's DDS version, may be skipped" >&2
	@$(MAKE) --no-print-directory --jobs --output-sync check tests docs models wheel newest

quick: env .venv/.tested ## all tests but the slow ones: minutes
	$(BIN)/pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not nightly"

nightly: env .venv/.tested ## every family that make can draw, with a seed of the day or SEED, and training: hours
	SEED=$(SEED) $(BIN)/pytest -q -n 2 -m nightly
	$(BIN)/pytest -q -n 2 --hypothesis-profile=nightly -m hypothesis
	$(MAKE) test-training

# Side by side, since much of the last two is waiting for the network. What they say comes when
# they end; "+" shows how far the tests are as they go.
.PHONY: tests models wheel newest
tests:
	+$(BIN)/pytest -q -n 2 --dist loadfile --no-loadscope-reorder

models:
	@if $(MAKE) .venv-perception/.made; then $(MAKE) test-models; \
	else echo "skipped: make test-models, since no torch that runs here can be had" >&2; fi

wheel:
	tools/wheel.sh

newest:
	tools/newest_mujoco.sh

check: env ## style, types and the floors between packages
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

test-models: .venv-perception/.made ## detectors with tiny random weights, with a torch of their own
	PYTHONPATH=.:stand_ins $(WITH_TORCH) $(wildcard tests/perception/models/*_models.py)

test-training: .venv-perception/.made ## exported rows in TRL's hands: a tiny VLM trained with LoRA
	PYTHONPATH=.:tests:tests/perception/models:stand_ins $(WITH_TORCH) tests/training/lora_training.py

.venv-perception/.made: .venv/.tested requirements/models.txt requirements/training.txt tools/models.sh
	tools/models.sh
	touch $@

mutants: env .venv/.tested ## do tests notice changed code? a tenth of AREA's changes, those whose number ends in NTH
	$(UV) pip install --quiet --python $(BIN)/python -r requirements/mutants.txt
	$(BIN)/mutmut run '$(AREA).*__mutmut_*$(NTH)'

bench: env .venv/.tested ## time and memory of generation, rendering and asking: over an hour
	$(UV) pip install --quiet --python $(BIN)/python -r requirements/bench.txt
	$(BIN)/pytest benchmarks/bench_*.py --timeout 0
	$(BIN)/python -m benchmarks

fuzz: env ## damage files for every reader of foreign ones, EXAMPLES times each: hours
	$(BIN)/python tests/fuzz/fuzz.py all $(EXAMPLES) $$(date +%s)

audit: env ## known vulnerabilities among the pins, where the network allows to ask
	tools/audit.sh

pins: env ## make requirements/*.txt anew from pyproject.toml
	$(PINS) -o requirements/base.txt
	$(PINS) --constraint requirements/base.txt --extra dev -o requirements/dev.txt
	$(PINS) --constraint requirements/dev.txt --extra dev --extra test --extra export \
		--extra geometry --extra rig --extra scale -o requirements/test.txt
	printf 'mkdocs-material\nmkdocstrings[python]\n' | $(subst pyproject.toml,-,$(PINS)) \
		--constraint requirements/dev.txt -o requirements/docs.txt
	printf 'pytest-benchmark\n' | $(subst pyproject.toml,-,$(PINS)) --constraint requirements/test.txt -o requirements/bench.txt
	printf 'mutmut\n' | $(subst pyproject.toml,-,$(PINS)) --constraint requirements/test.txt -o requirements/mutants.txt
	$(PINS) --constraint requirements/base.txt --extra embeddings -o requirements/embeddings.txt
	$(PINS) --constraint requirements/base.txt --extra export -o requirements/export.txt
	$(PINS) --constraint requirements/base.txt --extra geometry -o requirements/geometry.txt
	$(PINS) --constraint requirements/base.txt --extra perception -o requirements/perception.txt
	$(PINS) --constraint requirements/base.txt --extra rig -o requirements/rig.txt
	$(PINS) --constraint requirements/base.txt --extra robots -o requirements/robots.txt
	$(PINS) --constraint requirements/base.txt --extra scale -o requirements/scale.txt
	$(PINS) --constraint requirements/base.txt --extra view -o requirements/view.txt

clean: ## remove the environment, caches and the demo
	rm -rf site .venv .venv-docs .venv-perception .venv-newest .cache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis demo
