// TypeScript SDK: builds the package: one module without dependencies, declarations, licences.
// `node sdk/typescript/build.ts [DIR]` writes into DIR, else into dist beside this file.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';
import { declarations } from './declarations.ts';

const TOP = join(import.meta.dirname, '..', '..');
const target = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));

/** What this program writes: a folder that has anything else is somebody's. */
const OWN = ['index.js', 'types', 'LICENSES.md', 'LICENSE', 'NOTICE'];
const foreign = existsSync(target) ? readdirSync(target).filter((name) => !OWN.includes(name)) : [];
if (foreign.length > 0) {
  console.error(
    `${target} is not emptied: it has ${foreign.slice(0, 3).join(', ')}. Name a new folder, or an empty one.`,
  );
  process.exit(2);
}
rmSync(target, { recursive: true, force: true });
await build({
  configFile: false,
  root: TOP,
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: target,
    emptyOutDir: true,
    lib: { entry: join(import.meta.dirname, 'index.ts'), formats: ['es'], fileName: () => 'index.js' },
    // The oldest that have AbortSignal.any and URL.canParse, which the client needs.
    target: ['node20', 'chrome120', 'firefox124', 'safari17.4'],
    minify: false,
    license: { fileName: 'LICENSES.md' },
  },
});
for (const [path, text] of declarations(join(import.meta.dirname, 'index.ts'), TOP)) {
  const file = join(target, 'types', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
cpSync(join(TOP, 'LICENSE'), join(target, 'LICENSE'));
cpSync(join(TOP, 'NOTICE'), join(target, 'NOTICE'));
