// SDK generator: writes models and calls of every SDK from an OpenAPI document.
// `node sdk/generator/generate.ts DOCUMENT [--check]`: DOCUMENT is a file or an address. With --check
// it writes nothing; exit code 1 names the files that differ from what the document gives today.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { goCalls, goModels } from './go.ts';
import { operationsOf } from './operations.ts';
import { pythonCalls, pythonModels } from './python.ts';
import { modelOf } from './records.ts';
import { rustCalls, rustModels } from './rust.ts';
import { isSchema, type Schema } from './schemas.ts';

const SDK = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const [source] = positionals;
if (source === undefined) {
  console.error('generate: name the document: node sdk/generator/generate.ts http://127.0.0.1:8787/openapi.json');
  process.exit(2);
}
const text = /^https?:/.test(source) ? await (await fetch(source)).text() : readFileSync(source, 'utf8');
const document: unknown = JSON.parse(text);
const named = isSchema(document) && isSchema(document.components) ? document.components.schemas : null;
if (!isSchema(document) || !isSchema(named)) throw new Error(`${source} is no OpenAPI document with schemas`);

const { operations, records } = operationsOf(document);
// Every SDK has errors of its own.
const { Error: _, ...own } = named;
const model = modelOf({ ...own, ...records } as Record<string, Schema>);
const files: Readonly<Record<string, string>> = {
  'python/barograph_client/models.py': pythonModels(model),
  'python/barograph_client/calls.py': pythonCalls(operations),
  'python/barograph_client/async_calls.py': pythonCalls(operations, true),
  'go/models.go': goModels(model),
  'go/calls.go': goCalls(operations),
  'rust/src/models.rs': rustModels(model),
  'rust/src/calls.rs': rustCalls(operations),
};
const differ = Object.entries(files).filter(
  ([path, wanted]) => !existsSync(join(SDK, path)) || readFileSync(join(SDK, path), 'utf8') !== wanted,
);
for (const [path, wanted] of differ) {
  if (values.check) console.error(`sdk/${path} is not what the generator makes: run node sdk/generator/generate.ts`);
  else writeFileSync(join(SDK, path), wanted);
}
process.exitCode = values.check && differ.length > 0 ? 1 : 0;
