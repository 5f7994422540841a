"""Links that lead out of the documentation: files come along as downloads, folders stay text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform


class FoldersAsText(SphinxPostTransform):
    """Leave only the text of a link to a folder of the project, which no page can show."""

    default_priority = 5  # before MyST looks for a page of that name

    def run(self, **_: Any) -> None:
        for link in list(self.document.findall(pending_xref)):
            page = Path(self.env.doc2path(link.get("refdoc", self.env.docname)))
            if link.get("reftype") == "myst" and (page.parent / link["reftarget"]).is_dir():
                link.replace_self(link.children)


def setup(app: Any) -> dict[str, bool]:
    app.add_post_transform(FoldersAsText)
    return {"parallel_read_safe": True}
