"""Holds the generated Python's keys to the shared vectors. Usage: vectors.py PACKAGE_DIR VECTORS_DIR"""

import importlib
import json
import pathlib
import sys

folder, vectors = sys.argv[1:]
sys.path.insert(0, folder)
package = next(path.parent.name for path in pathlib.Path(folder).glob("*/py.typed"))
key = importlib.import_module(f"{package}.runtime.key")


def load(name):
    return json.loads(pathlib.Path(vectors, f"{name}.json").read_text())


count = 0
for vector in load("keys"):
    assert key.build_key(vector["template"], vector["values"].get) == vector["key"], vector
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
print(f"python: {count} key vectors")
