# pactwin without a display or a GPU: pictures are drawn by Mesa, on the processor.
#   docker build -t pactwin .
#   docker run --rm -v "$PWD:/data" pactwin make constraints --out suite --seed 1 --pairs 40
FROM python:3.11-slim-bookworm

RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libgl1-mesa-dri libopengl0 \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /usr/src/pactwin
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --no-deps -r requirements/base.txt
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY pactwin pactwin
RUN pip install --no-cache-dir --no-deps .

RUN useradd --create-home pactwin
USER pactwin
WORKDIR /data
ENTRYPOINT ["pactwin"]
