# Parley as a server in a container, see docs/guides/containers.md:
#   docker build -t parley .
ARG BASE=python:3.13-slim-bookworm

# ── the packages, locked with hashes, and a wheel with the page ──────────────────────────────────
FROM ${BASE} AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
RUN python3 -m venv /opt/parley
COPY requirements-server.lock .
RUN /opt/parley/bin/pip install --require-hashes -r requirements-server.lock
COPY . .
RUN /opt/parley/bin/pip wheel --no-deps --wheel-dir /wheels . \
    && /opt/parley/bin/pip install --no-deps --no-index /wheels/*.whl \
    && /opt/parley/bin/python -m compileall -q /opt/parley

# ── what runs: no compiler, no npm, not root ─────────────────────────────────────────────────────
FROM ${BASE}
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin parley \
    && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=build /opt/parley /opt/parley
ENV PATH=/opt/parley/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PARLEY_DATA_DIR=/data \
    PARLEY_MODE=shared \
    PARLEY_HOST=0.0.0.0 \
    PARLEY_PUBLIC_URL=http://localhost:8400 \
    PARLEY_OPEN_BROWSER=false
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8400
# The server answers this without a sign-in; it needs no curl in the image.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD \
    ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8400/healthz', timeout=2)"]
# Stopping interrupts running turns; the next start goes on with them.
STOPSIGNAL SIGTERM
ENTRYPOINT ["parley"]
CMD ["serve"]
