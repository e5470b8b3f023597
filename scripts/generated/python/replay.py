"""Replays a recording of a proof through the generated Python: every method must give what the oracle gave.

Usage: replay.py PACKAGE_DIR MANIFEST RECORDING ENDPOINT
"""

import base64
import importlib
import json
import os
import pathlib
import sys
from decimal import Decimal

import boto3

folder, manifest_path, recording_path, endpoint = sys.argv[1:]
sys.path.insert(0, folder)
package_name = next(path.parent.name for path in pathlib.Path(folder).glob("*/py.typed"))
package = importlib.import_module(package_name)
manifest = json.loads(pathlib.Path(manifest_path).read_text())
recording = json.loads(pathlib.Path(recording_path).read_text())
methods = {method["pattern"]: method for method in manifest["methods"]}

client = boto3.client(
    "dynamodb", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="replay", aws_secret_access_key="replay"
)
names = {table["TableName"]: f"{table['TableName']}-py-{os.getpid()}" for table in recording["tables"]}
for table in recording["tables"]:
    client.create_table(**{**table, "TableName": names[table["TableName"]]})


def wire(value):
    """A value of the recording as boto3 has it: bytes are bytes."""
    if "B" in value:
        return {"B": base64.b64decode(value["B"])}
    return value


def wire_item(item):
    return {name: wire(value) for name, value in item.items()}


made = {}
store = package.Store(client, package.SCHEMA, table_names=names, make=lambda wanted: wire(made[wanted.name]))


def document(value):
    ((kind, it),) = value.items()
    if kind == "L":
        return [document(one) for one in it]
    if kind == "M":
        return {name: document(one) for name, one in it.items()}
    return Decimal(it) if kind == "N" else it


def plain(value, kind):
    """A value of DynamoDB as the generated types have it."""
    if value is None:
        return None
    if kind == "integer":
        return int(value["N"])
    if kind in ("number", "decimal"):
        return Decimal(value["N"])
    if kind == "boolean":
        return value["BOOL"]
    if kind == "binary":
        return base64.b64decode(value["B"])
    if kind == "set":
        return set(value.get("SS") or value.get("NS"))
    if kind in ("list", "map"):
        return document(value)
    return value["S"] if "S" in value else value["N"]


def at(item, path):
    if path in item:
        return item[path]
    first, dot, rest = path.partition(".")
    return at(item.get(first, {}).get("M", {}), rest) if dot else None


def expected(method, item):
    views = method["views"]
    view = views[0]
    if len(views) > 1:
        view = next(it for it in views if it["item"] == item[manifest["typeAttribute"]]["S"])
    fields = {field["names"]["python"]: plain(at(item, field["attribute"]), field["type"]) for field in view["fields"]}
    return view["types"]["python"], fields


def call(event):
    global made
    method = methods[event["pattern"]]
    repository = getattr(package.repositories, method["repository"])(store)
    given = {}
    for parameter in method["parameters"]:
        value = event["inputs"].get(parameter["input"])
        if value is None:
            continue
        kind = parameter["type"]
        given[parameter["names"]["python"]] = [plain(one, kind) for one in value] if parameter["list"] else plain(value, kind)
    made = event.get("generated", {})
    run = getattr(repository, method["names"]["python"])
    answer = event["answer"]
    if "refused" in answer or "nothingThere" in answer:
        try:
            run(**given)
        except package.ItemNotFoundError:
            assert "nothingThere" in answer
        except package.ConditionFailedError as error:
            assert error.conditions == answer["refused"], error.conditions
        else:
            raise AssertionError("it took place")
    elif "written" in answer:
        result = run(**given)
        for field in method["made"]:
            value = event.get("generated", {}).get(field["attribute"])
            if value is not None:
                assert getattr(result, field["names"]["python"]) == plain(value, field["type"])
    elif "number" in answer:
        assert run(**given) == answer["number"]
    else:
        first = None
        if method["answer"] == "page":
            items, cursor = [], None
            while True:
                page = run(**given, limit=event.get("limit"), cursor=cursor)
                items.extend(page.items)
                cursor = page.next_cursor
                first = first or cursor
                if cursor is None:
                    break
        else:
            result = run(**given)
            items = result if isinstance(result, list) else [] if result is None else [result]
        wanted = [expected(method, item) for item in answer["items"]]
        assert rows(items) == wanted, f"\ncame   {rows(items)}\nwanted {wanted}"
        if first is not None:
            mislead(method, event, first, wanted, lambda cursor: run(**given, limit=event.get("limit"), cursor=cursor))


def rows(items):
    return [(type(item).__name__, vars(item)) for item in items]


cursors, tried, refused = {}, {}, 0


def mislead(method, event, cursor, wanted, run):
    """A cursor never leads out of the partition that a call reads: one of another pattern or partition is refused, and one
    with another character gives nothing but items of the call's own answer."""
    global refused
    pattern = event["pattern"]
    tried[pattern] = tried.get(pattern, 0) + 1
    if tried[pattern] > 3:
        return
    for origin, (foreign, inputs) in cursors.items():
        elsewhere = any(inputs.get(name) != event["inputs"].get(name) for name in method["partition"])
        if origin == pattern and not elsewhere:
            continue
        try:
            run(foreign)
        except package.CursorError:
            refused += 1
        else:
            raise AssertionError(f"a cursor of {origin} was taken")
    for at in range(0, len(cursor), max(1, len(cursor) // 24)):
        forged = cursor[:at] + ("2" if cursor[at] == "1" else "1") + cursor[at + 1 :]
        try:
            page = run(forged)
        except package.CursorError:
            refused += 1
        except client.exceptions.ClientError as error:
            # DynamoDB itself refuses a key that its condition does not reach.
            assert error.response["Error"]["Code"] in ("ValidationException", "SerializationException"), error
            refused += 1
        else:
            assert all(row in wanted for row in rows(page.items)), f"changed at {at}: {forged}"
    cursors.setdefault(pattern, (cursor, event["inputs"]))


def canonical(items):
    return sorted(json.dumps(wire_item(item), sort_keys=True, default=lambda it: sorted(it) if isinstance(it, set) else it.hex()) for item in items)


calls = 0
for number, event in enumerate(recording["events"]):
    try:
        if event["event"] == "place":
            name = names[event["table"]]
            if event["item"] is None:
                client.delete_item(TableName=name, Key=wire_item(event["key"]))
            else:
                client.put_item(TableName=name, Item=wire_item(event["item"]))
        elif event["event"] == "call":
            call(event)
            calls += 1
        else:
            items = []
            for page in client.get_paginator("scan").paginate(TableName=names[event["table"]]):
                items.extend(page["Items"])
            come = sorted(json.dumps(item, sort_keys=True, default=lambda it: it.hex()) for item in items)
            assert come == canonical(event["items"]), "the table holds other items"
    except Exception:
        print(f"event {number}: {json.dumps(event)[:600]}", file=sys.stderr)
        raise
patterns = {event["pattern"] for event in recording["events"] if event["event"] == "call"}
print(f"python: {calls} calls of {len(patterns)} of {len(methods)} patterns as the oracle has them, {refused} cursors refused")
