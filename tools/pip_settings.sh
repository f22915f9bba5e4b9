# uv does not read pip's configuration or environment: hands it over. To be sourced, from the root
# of the repository, where .cache/uv is.
pip=".cache/uv/bin/python -m pip --disable-pip-version-check"
index=$($pip config get global.index-url 2>/dev/null || true)
extra=$($pip config get global.extra-index-url 2>/dev/null || true)
links=$($pip config get global.find-links 2>/dev/null || true)
certificate=$($pip config get global.cert 2>/dev/null || true)
index=${PIP_INDEX_URL:-$index}
extra=${PIP_EXTRA_INDEX_URL:-$extra}
links=${PIP_FIND_LINKS:-$links}
certificate=${PIP_CERT:-$certificate}
if [ -z "${UV_DEFAULT_INDEX:-}${UV_INDEX_URL:-}" ] && [ -n "$index" ]; then
    export UV_DEFAULT_INDEX=$index
fi
if [ -z "${UV_INDEX:-}${UV_EXTRA_INDEX_URL:-}" ] && [ -n "$extra" ]; then
    export UV_INDEX=$extra
fi
if [ -n "$links" ]; then # comma-separated, where pip has spaces
    export UV_FIND_LINKS=${UV_FIND_LINKS:-$(echo $links | tr -s ' ' ',')}
fi
if [ -n "${UV_INDEX:-}${UV_EXTRA_INDEX_URL:-}" ] && [ -z "${UV_INDEX_STRATEGY:-}" ]; then
    # A partial mirror must not hide versions that only another index has.
    export UV_INDEX_STRATEGY=unsafe-best-match
    echo "several package indexes are configured: like pip, uv takes a version from any of" \
        "them, so all must be trusted (UV_INDEX_STRATEGY=first-index turns this off)" >&2
fi
if [ -z "${SSL_CERT_FILE:-}" ] && [ -n "$certificate" ]; then
    export SSL_CERT_FILE=$certificate
elif [ -e /etc/ssl/certs/ca-certificates.crt ]; then
    export UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-true}
fi
