"""Trees kept between runs, by what was read: a tree is found again wherever its text is."""

import hashlib
import json

from reviser.latex.orders import gives_orders
from reviser.latex.quoting import quoted_in
from reviser.literature.attribute_templates import KINDS
from reviser.literature.attributes import LONGEST_NOTE, Leaf, Reading, Tree
from reviser.ports import Cache
from reviser.text.visible import visible

FORM = "tree/1"
_MOST = 200


def keep(cache: Cache, reading: Reading, tree: Tree) -> None:
    """Keep the tree of what was read."""
    data = {
        "kind": tree.kind,
        "template": tree.template,
        "leaves": [[list(leaf.path), leaf.text, leaf.quote] for leaf in tree.leaves],
        "dropped": list(tree.dropped),
        "unread": list(tree.unread),
    }
    cache.put(_key(reading), json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


def kept(cache: Cache, reading: Reading) -> Tree | None:
    """The tree that was kept for this text, None where there is none or it does not hold. Of what
    was kept only those leaves are believed whose words stand in the text."""
    content = cache.get(_key(reading))
    if content is None:
        return None
    try:
        data = json.loads(content)
        leaves = tuple(Leaf(tuple(map(str, p)), str(t), str(q)) for p, t, q in data["leaves"])
        kind, template = str(data["kind"]), str(data["template"])
        dropped, unread = tuple(map(str, data["dropped"])), tuple(map(str, data["unread"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if kind not in KINDS:
        return None
    sound = tuple(leaf for leaf in leaves[:_MOST] if _holds(leaf, reading.text))
    title = visible(reading.title)
    title = "" if gives_orders(title) else title
    tree = Tree(reading.work, kind, sound, title, reading.where, template, dropped, unread)
    return tree if sound else None


def _holds(leaf: Leaf, text: str) -> bool:
    if not leaf.path or not leaf.text or len(leaf.text) > LONGEST_NOTE:
        return False
    return quoted_in(text, leaf.quote) is not None and not gives_orders(leaf.text)


def _key(reading: Reading) -> bytes:
    parts = f"{FORM}\0{reading.title}\0{reading.text}"
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).digest()
