"""Pages as a browser would act on them."""

import html.parser
import shutil

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
EVIL = (
    "{{ 7 * 7 }}<script>document.title='owned'</script>\">"
    "<img src=x onerror=\"document.title='owned'\">"
    "'><svg onload=document.title='owned'></svg></style></title></textarea>"
    "<!--<style>body{display:none}</style>javascript:document.title='owned'"
)


class Page(html.parser.HTMLParser):
    """What a browser would act on: tags, attributes, text."""

    VOID = frozenset({"meta", "img", "input", "br", "wbr"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == [], "tags left open"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def assert_inert(page: Page) -> None:
    """Nothing on the page runs or loads anything."""
    for tag, attributes in page.tags:
        assert tag not in ("script", "iframe", "object", "embed", "link", "base", "form", "use")
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            assert name != "style", (tag, value)
            if name in ("src", "href", "srcset", "xlink:href"):
                assert value is not None
                assert value.startswith(("data:image/webp;base64,", "#"))
    (policy,) = (a["content"] for t, a in page.tags if "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "script-src" not in policy
