// Replays a recording of a proof through the generated TypeScript: every method must give what the oracle gave.
// Usage: replay.mjs PACKAGE_DIR MANIFEST RECORDING ENDPOINT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, manifestPath, recordingPath, endpoint] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const { CreateTableCommand, DeleteItemCommand, DynamoDBClient, PutItemCommand, ScanCommand } =
  require("@aws-sdk/client-dynamodb");
const generated = await import(pathToFileURL(`${folder}/dist/index.js`).href);
const manifest = JSON.parse(readFileSync(manifestPath, "utf8"));
const recording = JSON.parse(readFileSync(recordingPath, "utf8"));

const credentials = { accessKeyId: "replay", secretAccessKey: "replay" };
const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
const suffix = `-ts-${process.pid}`;
const tableNames = Object.fromEntries(recording.tables.map((table) => [table.TableName, table.TableName + suffix]));
for (const table of recording.tables) {
  await client.send(new CreateTableCommand({ ...table, TableName: tableNames[table.TableName] }));
}

const bytes = (value) => (value.B === undefined ? value : { B: Buffer.from(value.B, "base64") });
const wire = (item) => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, bytes(value)]));
let made = {};
const store = new generated.Store(client, generated.SCHEMA, { tableNames, make: ({ name }) => made[name] });

/** A value of DynamoDB as the generated types have it. */
function plain(value, type) {
  if (value === undefined) return undefined;
  if (type === "integer" || type === "number") return Number(value.N);
  if (type === "decimal") return value.N;
  if (type === "boolean") return value.BOOL;
  if (type === "binary") return Uint8Array.from(Buffer.from(value.B, "base64"));
  if (type === "set") return new Set(value.SS ?? value.NS);
  if (type === "list" || type === "map") return document(value);
  return value.S ?? value.N;
}

function document(value) {
  if (value.L !== undefined) return value.L.map(document);
  if (value.M !== undefined) return Object.fromEntries(Object.entries(value.M).map(([name, it]) => [name, document(it)]));
  return value.S ?? (value.N === undefined ? value.BOOL : Number(value.N));
}

function at(item, path) {
  if (item[path] !== undefined) return item[path];
  const dot = path.indexOf(".");
  return dot < 0 ? undefined : at(item[path.slice(0, dot)]?.M ?? {}, path.slice(dot + 1));
}

function expected(method, item) {
  const mixed = method.views.length > 1;
  const view = mixed ? method.views.find((it) => it.item === item[manifest.typeAttribute]?.S) : method.views[0];
  const fields = Object.fromEntries(
    view.fields.map((field) => [field.names.typescript, plain(at(item, field.attribute), field.type)]),
  );
  return mixed ? { type: view.item, item: fields } : fields;
}

const normal = (value) => {
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (value instanceof Set) return { set: [...value].sort() };
  if (Array.isArray(value)) return value.map(normal);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined).map(([name, it]) => [name, normal(it)]));
  }
  return value;
};

async function call(event) {
  const method = manifest.methods.find((it) => it.pattern === event.pattern);
  const repository = new generated[method.repository](store);
  const input = {};
  for (const parameter of method.parameters) {
    const value = event.inputs[parameter.input];
    if (value === undefined) continue;
    const name = parameter.names.typescript;
    input[name] = parameter.list ? value.map((it) => plain(it, parameter.type)) : plain(value, parameter.type);
  }
  made = event.generated ?? {};
  const run = (more = {}) => repository[method.names.typescript]({ ...input, ...more });
  const { answer } = event;
  if (answer.refused !== undefined || answer.nothingThere) {
    await assert.rejects(run(), (error) => {
      if (answer.nothingThere) return error instanceof generated.ItemNotFoundError;
      assert.ok(error instanceof generated.ConditionFailedError, String(error));
      assert.deepEqual(error.conditions, answer.refused);
      return true;
    });
    return;
  }
  if (answer.written) {
    const result = await run();
    for (const field of method.made) {
      const value = event.generated?.[field.attribute];
      if (value !== undefined) assert.equal(result[field.names.typescript], plain(value, field.type));
    }
    return;
  }
  if (answer.number !== undefined) {
    assert.equal(await run(), answer.number);
    return;
  }
  let items;
  let first;
  const limit = event.limit === undefined ? {} : { limit: event.limit };
  if (method.answer === "page") {
    items = [];
    let cursor;
    do {
      const page = await run({ ...limit, ...(cursor ? { cursor } : {}) });
      items.push(...page.items);
      cursor = page.nextCursor;
      first ??= cursor;
    } while (cursor !== undefined);
  } else {
    const result = await run();
    items = Array.isArray(result) ? result : result === undefined ? [] : [result];
  }
  const wanted = normal(answer.items.map((item) => expected(method, item)));
  assert.deepEqual(normal(items), wanted);
  if (first !== undefined) await mislead(method, event, first, wanted, (cursor) => run({ ...limit, cursor }));
}

const cursors = new Map();
const tried = new Map();
let refused = 0;

/**
 * A cursor never leads out of the partition that a call reads: one of another pattern or partition is refused, and one
 * with another character gives nothing but items of the call's own answer.
 */
async function mislead(method, event, cursor, wanted, run) {
  const times = (tried.get(event.pattern) ?? 0) + 1;
  tried.set(event.pattern, times);
  if (times > 3) return;
  for (const [from, { foreign, inputs }] of cursors) {
    const elsewhere = method.partition.some((it) => JSON.stringify(inputs[it]) !== JSON.stringify(event.inputs[it]));
    if (from === event.pattern && !elsewhere) continue;
    await assert.rejects(run(foreign), generated.CursorError, `a cursor of ${from}`);
    refused += 1;
  }
  const own = new Set(wanted.map((item) => JSON.stringify(item)));
  for (let at = 0; at < cursor.length; at += Math.max(1, Math.floor(cursor.length / 24))) {
    const forged = `${cursor.slice(0, at)}${cursor[at] === "1" ? "2" : "1"}${cursor.slice(at + 1)}`;
    let page;
    try {
      page = await run(forged);
    } catch (error) {
      // DynamoDB itself refuses a key that its condition does not reach.
      if (!(error instanceof generated.CursorError) && !["ValidationException", "SerializationException"].includes(error.name)) throw error;
      refused += 1;
      continue;
    }
    for (const item of normal(page.items)) assert.ok(own.has(JSON.stringify(item)), `changed at ${at}: ${forged}`);
  }
  if (!cursors.has(event.pattern)) cursors.set(event.pattern, { foreign: cursor, inputs: event.inputs });
}

let calls = 0;
for (const [at, event] of recording.events.entries()) {
  try {
    if (event.event === "place") {
      const TableName = tableNames[event.table];
      if (event.item === null) await client.send(new DeleteItemCommand({ TableName, Key: wire(event.key) }));
      else await client.send(new PutItemCommand({ TableName, Item: wire(event.item) }));
    } else if (event.event === "call") {
      await call(event);
      calls += 1;
    } else {
      const items = [];
      let ExclusiveStartKey;
      do {
        const page = await client.send(new ScanCommand({ TableName: tableNames[event.table], ExclusiveStartKey }));
        items.push(...page.Items);
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
      const sorted = (list) => list.map((item) => JSON.stringify(normal(wire(item)), Object.keys(item).sort())).sort();
      assert.deepEqual(sorted(items), sorted(event.items));
    }
  } catch (error) {
    console.error(`event ${at}: ${JSON.stringify(event).slice(0, 600)}`);
    throw error;
  }
}
const patterns = new Set(recording.events.filter((it) => it.event === "call").map((it) => it.pattern));
console.log(`typescript: ${calls} calls of ${patterns.size} of ${manifest.methods.length} patterns as the oracle has them, ${refused} cursors refused`);
