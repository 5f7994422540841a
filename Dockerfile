# The command line in a container:
#
#     docker build --build-arg PIP_EXTRA_INDEX_URL=... -t spco .
#     docker run --rm -v "$PWD:/data" spco embed --edges edges.csv --out embeddings.npy
#
# Without the build argument pip installs torch with CUDA. Give it pytorch.org's index of CPU wheels for a small image.
FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
ARG PIP_EXTRA_INDEX_URL=""
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*
RUN --mount=from=build,source=/wheels,target=/wheels --mount=from=build,source=/source/constraints.txt,target=/constraints.txt \
    PIP_EXTRA_INDEX_URL="$PIP_EXTRA_INDEX_URL" \
    python -m pip install --no-cache-dir -c /constraints.txt "$(echo /wheels/spco-*.whl)[report]"
RUN useradd --create-home spco
USER spco
ENV NUMBA_CACHE_DIR=/tmp/numba MPLCONFIGDIR=/tmp/matplotlib
WORKDIR /data
ENTRYPOINT ["spco"]
CMD ["--help"]
