// Test: every import rule is broken once in a copy of the repository, and `npm run check` names it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import configuration from '../../dependency-cruiser.config.ts';
import { copyRepository, type RepositoryCopy } from './repository-copy.ts';

/** Rule -> a file that breaks it. Type-only imports count like any other. */
const PLANTED: Record<string, { path: string; text: string }> = {
  'no-circular': {
    path: 'shared/lib/planted-circle.ts',
    text: `import * as self from './planted-circle.ts';\nexport const round = self;\n`,
  },
  'no-unresolved': { path: 'service/planted-unresolved.ts', text: `import './no-such-file.ts';\n` },
  'electron-stays-in-its-shell': {
    path: 'main/core/planted-electron.ts',
    text: `import type { BrowserWindow } from 'electron';\nexport type W = BrowserWindow;\n`,
  },
  'tests-load-no-electron': {
    path: 'test/harness/planted-electron.ts',
    text: `import { app } from 'electron';\nexport const a = app;\n`,
  },
  'shared-is-pure': {
    path: 'shared/domain/planted-impure.ts',
    text: `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n`,
  },
  'client-is-standalone': {
    path: 'client/planted-node.ts',
    text: `import { createHash } from 'node:crypto';\nexport const hash = createHash;\n`,
  },
  'conformance-is-standalone': {
    path: 'conformance/planted-app.ts',
    text: `import type { Monitor } from '../main/core/monitor.ts';\nexport type C = Monitor;\n`,
  },
  'sdk-is-standalone': {
    path: 'sdk/typescript/planted-service.ts',
    text: `import type { Bar } from '../../service/engine/types.ts';\nexport type B = Bar;\n`,
  },
  'nobody-needs-the-sdk': {
    path: 'main/core/planted-sdk.ts',
    text: `import { connect } from '../../sdk/typescript/index.ts';\nexport const c = connect;\n`,
  },
  'one-entry-to-conformance': {
    path: 'main/core/planted-conformance.ts',
    text: `import type { Check } from '../../conformance/check.ts';\nexport type C = Check;\n`,
  },
  'service-is-standalone': {
    path: 'service/planted-app.ts',
    text: `import type { Monitor } from '../main/core/monitor.ts';\nexport type C = Monitor;\n`,
  },
  'one-entry-to-the-service': {
    path: 'main/node/planted-service.ts',
    text: `import type { Bar } from '../../service/engine/types.ts';\nexport type B = Bar;\n`,
  },
  'core-knows-no-shell': { path: 'main/core/planted-shell.ts', text: `import '../node/planted-service.ts';\n` },
  'host-knows-no-shell': { path: 'main/host/planted-shell.ts', text: `import '../node/planted-service.ts';\n` },
  'diagnostics-knows-no-shell': {
    path: 'main/diagnostics/planted-shell.ts',
    text: `import '../node/planted-service.ts';\n`,
  },
  'shells-do-not-meet': {
    path: 'main/electron/planted-other-shell.ts',
    text: `import '../node/planted-service.ts';\n`,
  },
  'main-does-not-reach-into-the-window': {
    path: 'main/node/planted-window.ts',
    text: `import '../../renderer/planted-node.ts';\n`,
  },
  'preload-is-a-bridge': {
    path: 'preload/planted-domain.ts',
    text: `import { STATES } from '../shared/domain/states.ts';\nexport const s = STATES;\n`,
  },
  'renderer-uses-channels': {
    path: 'renderer/planted-core.ts',
    text: `import type { Monitor } from '../main/core/monitor.ts';\nexport type C = Monitor;\n`,
  },
  'renderer-has-no-node': {
    path: 'renderer/planted-node.ts',
    text: `import { join } from 'node:path';\nexport const j = join;\n`,
  },
  'features-keep-their-insides': {
    path: 'renderer/features/planted-a/inside.ts',
    text: `import '../planted-b/inside.ts';\n`,
  },
  'features-have-one-entry': {
    path: 'renderer/planted-feature.ts',
    text: `import './features/planted-b/inside.ts';\n`,
  },
  'product-does-not-need-its-tests': {
    path: 'service/planted-harness.ts',
    text: `import '../test/architecture/files.ts';\n`,
  },
};

let copy: RepositoryCopy;
let printed: string;

beforeAll(() => {
  copy = copyRepository();
  for (const { path, text } of Object.values(PLANTED)) copy.plant(path, text);
  copy.plant('renderer/features/planted-b/inside.ts', 'export const inside = 1;\n');
  copy.plant('renderer/features/planted-b/index.ts', `export { inside } from './inside.ts';\n`);
  copy.plant('renderer/planted-by-the-index.ts', `import './features/planted-b/index.ts';\n`);
  const after = copy.check('import arrows');
  expect(after.ok).toBe(false);
  printed = after.printed;
});

afterAll(() => copy.remove());

test.each(Object.entries(PLANTED))('%s', (rule, { path }) => {
  expect(printed).toMatch(new RegExp(`error ${rule}: ${path.replaceAll('.', '\\.')} → `));
});

test('another folder may import a feature through its index.ts', () => {
  expect(printed).not.toContain('planted-at-the-entry');
});

test('the table above breaks every rule of the configuration', () => {
  expect(Object.keys(PLANTED).sort()).toEqual(configuration.forbidden.map((rule) => rule.name).sort());
});

test('`npm run check` runs the runner that this test calls', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(manifest.scripts.check).toBe('node test/runner/check.ts');
});

test('a source of more than 450 lines is an error', () => {
  const path = 'shared/lib/planted-long.ts';
  copy.plant(path, '// long\n'.repeat(450));
  expect(copy.check('file length').printed).not.toContain(path);
  copy.plant(path, '// long\n'.repeat(451));
  const long = copy.check('file length');
  expect(long.ok).toBe(false);
  expect(long.printed).toContain(`${path} has 451 lines`);
});

test('a folder beyond its budget of lines is an error', () => {
  copy.plant('preload/planted-lines.ts', '// long\n'.repeat(400));
  const over = copy.check('budget');
  expect(over.ok).toBe(false);
  expect(over.printed).toMatch(/preload has \d+ lines, its budget is \d+/);
});

test('folders that import each other, directly or over a third, are an error', () => {
  const plant = (folder: string, imported: string): void =>
    copy.plant(`main/core/${folder}/inside.ts`, `import '../${imported}/inside.ts';\n`);
  plant('planted-a', 'planted-b');
  plant('planted-b', 'planted-c');
  copy.plant('main/core/planted-c/inside.ts', 'export const inside = 1;\n');
  expect(copy.check('folder cycles').printed).not.toContain('planted-a');
  plant('planted-c', 'planted-a');
  const { ok, printed: found } = copy.check('folder cycles');
  expect(ok).toBe(false);
  expect(found).toContain('main/core/planted-a → main/core/planted-b → main/core/planted-c → main/core/planted-a');
  expect(found).toContain('main/core/planted-c/inside.ts → main/core/planted-a/inside.ts');
});
