// Test of the SDKs: the TypeScript package installs, compiles, and runs in Node and a browser.
// It is packed, and installed into an empty folder without a network; Node is 20 or later.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { TOP } from '../architecture/files.ts';
import { findBrowser } from '../harness/browser.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun } from '../harness/not-run.ts';
import { start } from '../harness/processes.ts';
import { EXPECTED, expectResumption } from './expected.ts';
import { startRig } from './rig.ts';

const NAME = 'barograph-client';
const SOURCE = join(TOP, 'sdk', 'typescript');
const RUN_MS = 120_000;

/** The Node of this machine, not the one of this repository; null: there is none, or it is older than 20. */
const foreignNode = ((): string | null => {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  for (const path of [...folders, '/usr/bin'].map((folder) => join(folder, 'node'))) {
    if (!existsSync(path)) continue;
    const major = Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1]);
    if (major >= 20) return path;
  }
  return null;
})();

const folder = temporaryFolder();
const packed = temporaryFolder();
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** As a project of its own would, without any package of this repository. @returns what the compiler says; nothing where all is well */
function compile(file: string): string {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.asynciterable'],
    types: [],
  };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = spawnSync(process.execPath, [join(TOP, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  return stdout;
}

let compiled = '';
beforeAll(() => {
  // Built beside the sources' copy: another test may pack at the same time.
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md']) cpSync(join(SOURCE, name), join(packed.path, name));
  execFileSync(process.execPath, [join(SOURCE, 'build.ts'), join(packed.path, 'dist')], { cwd: TOP, stdio: 'pipe' });
  const [{ filename }] = JSON.parse(npm(packed.path, 'pack', '--json', '--ignore-scripts'));
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }));
  npm(folder.path, 'install', '--offline', '--no-audit', '--no-fund', join(packed.path, filename));
  const program = readFileSync(join(SOURCE, 'conformance.ts'), 'utf8').replace("'./index.ts'", `'${NAME}'`);
  writeFileSync(join(folder.path, 'conformance.ts'), program);
  compiled = compile('conformance.ts');
}, RUN_MS);
afterAll(() => {
  folder.remove();
  packed.remove();
});

test('the package installs alone: one module, its types, its licences, no dependency', () => {
  expect(readdirSync(join(folder.path, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([NAME]);
  const installed = join(folder.path, 'node_modules', NAME);
  expect(readdirSync(installed).sort()).toEqual(['CHANGELOG.md', 'README.md', 'dist', 'package.json']);
  expect(readdirSync(join(installed, 'dist')).sort()).toEqual([
    'LICENSE',
    'LICENSES.md',
    'NOTICE',
    'index.js',
    'types',
  ]);
  expect(readFileSync(join(installed, 'dist', 'index.js'), 'utf8')).not.toMatch(/^import\b|\bimport\(|\brequire\(/m);
  expect(readFileSync(join(installed, 'dist', 'LICENSES.md'), 'utf8')).toMatch(/eventsource-parser[\s\S]*zod/);
  const version = (path: string): string => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version;
  expect(version(installed)).toBe(version(TOP));
});

test('a program compiles against its types, and one that misuses them does not', () => {
  expect(compiled).toBe('');
  expect(existsSync(join(folder.path, 'conformance.js'))).toBe(true);
  const call = "connect({ baseUrl: '' }).signal({ symbl: 'SPY' })";
  writeFileSync(join(folder.path, 'wrong.ts'), `import { connect } from '${NAME}';\nvoid ${call};\n`);
  expect(compile('wrong.ts')).toContain("'symbl' does not exist");
});

const why = foreignNode === null ? 'this machine has no other Node' : null;
test.skipIf(why)(`conforms under the Node of this machine${notRun(why)}`, { timeout: RUN_MS }, async () => {
  const rig = await startRig();
  onTestFinished(rig.stop);
  const main =
    "import { run } from './conformance.js'; console.log(JSON.stringify(await run(JSON.parse(process.env.CONDITIONS)))); process.exit();";
  writeFileSync(join(folder.path, 'main.js'), main);
  const program = start(foreignNode ?? '', [join(folder.path, 'main.js')], {
    CONDITIONS: JSON.stringify(rig.conditions),
  });
  expect((await program.exit).code, program.printed()).toBe(0);
  expect(JSON.parse(program.printed())).toEqual(EXPECTED);
  expectResumption(rig);
});

test('the TypeScript SDK conforms in a browser', { timeout: RUN_MS }, async () => {
  const rig = await startRig(folder.path);
  onTestFinished(rig.stop);
  const { faults } = rig.conditions;
  const map = { imports: { [NAME]: `/pages/node_modules/${NAME}/dist/index.js` } };
  writeFileSync(
    join(folder.path, 'page.html'),
    `<!doctype html><script type="importmap">${JSON.stringify(map)}</script>`,
  );
  const { launchOptions } = await findBrowser();
  const browser = await chromium.launch({ ...launchOptions, args: [...launchOptions.args, '--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${faults}/pages/page.html`);
  // A page calls its own origin: the service answers no other one.
  const program = `import('/pages/conformance.js').then(({ run }) => run(${JSON.stringify({ ...rig.conditions, url: faults })}))`;
  expect(await page.evaluate(program)).toEqual(EXPECTED);
  expectResumption(rig);
});
