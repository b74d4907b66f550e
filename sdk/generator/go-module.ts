// SDK generator: writes the Go module under the path that it is published at.
// `node sdk/generator/go-module.ts --module github.com/you/barograph DIR`: DIR is new or empty.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { module: { type: 'string' } }, allowPositionals: true });
const [folder = ''] = positionals;
const path = values.module ?? '';
if (folder === '' || !/^[\w.~-]+(\/[\w.~-]+)*$/.test(path)) {
  console.error('go-module: name a path and a folder: --module github.com/you/barograph DIR');
  process.exit(2);
}
if (existsSync(folder) && readdirSync(folder).length > 0) {
  console.error(`go-module: ${folder} is not empty`);
  process.exit(2);
}
cpSync(join(import.meta.dirname, '..', 'go'), folder, { recursive: true });
for (const [file, from, to] of [
  ['go.mod', /^module barograph$/m, `module ${path}`],
  ['internal/conformance/main.go', /\t"barograph"$/m, `\tbarograph "${path}"`],
] as const)
  writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replace(from, to));
