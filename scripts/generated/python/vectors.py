"""Holds the generated Python's keys to the shared vectors. Usage: vectors.py PACKAGE_DIR VECTORS_DIR"""

import importlib
import json
import pathlib
import re
import sys

folder, vectors = sys.argv[1:]
sys.path.insert(0, folder)
package = next(path.parent.name for path in pathlib.Path(folder).glob("*/py.typed"))
key = importlib.import_module(f"{package}.runtime.key")
wait = importlib.import_module(f"{package}.runtime.wait")
parse_key = importlib.import_module(f"{package}.runtime.parse").parse_key
# What a shard was hashed from can't be told, nor what of a text's other spellings somebody wrote.
LOSSY = re.compile(r"<[^>]*:(shard|y|ym|ymd|ymdh)[0-9]*>")
SPELLED = re.compile(r"<[^>]*:(dec|float|iso|epoch|pad|desc|int)[^>]*>")


def load(name):
    return json.loads(pathlib.Path(vectors, f"{name}.json").read_text())


count = 0
for vector in load("keys"):
    assert key.build_key(vector["template"], vector["values"].get) == vector["key"], vector
    parsed = parse_key(vector["template"], vector["key"])
    assert parsed is not None, vector
    if not LOSSY.search(vector["template"]):
        assert key.build_key(vector["template"], parsed.get) == vector["key"], (vector, parsed)
        assert SPELLED.search(vector["template"]) or parsed == vector["values"], (vector, parsed)
    # Neither more nor less is a key of the template.
    assert vector["template"].endswith(">") or parse_key(vector["template"], vector["key"] + "#") is None, vector
    assert parse_key(vector["template"] + "#MORE", vector["key"]) is None, vector
    count += 1
for vector in load("refused"):
    try:
        built = key.build_key(vector["template"], vector["values"].get)
    except key.InvalidKeyError:
        built = None
    assert built is None, vector
    count += 1
for vector in load("shards"):
    assert key.shard_of(vector["text"], vector["count"]) == vector["shard"], vector
    count += 1
# Attempts wait a random part of a time that doubles, and never long.
assert [wait.longest_pause(attempt) for attempt in (1, 2, 3, 6, 7, 40)] == [0.05, 0.1, 0.2, 1.6, 2.0, 2.0]
print(f"python: {count} key vectors")
