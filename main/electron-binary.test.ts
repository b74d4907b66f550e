// Test: finding, fetching and running Electron, with small programs instead of Electron.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findElectron, runElectron } from './electron-binary.ts';

let root: string;
let said: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'barograph-electron-'));
  said = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => join(root, 'node_modules/electron');
/** An electron package whose installer runs `installer`. It counts its runs in `runs`. */
function packageWith(installer: string, version = '45.0.0'): void {
  mkdirSync(join(folder(), 'dist'), { recursive: true });
  writeFileSync(join(folder(), 'package.json'), JSON.stringify({ version }));
  writeFileSync(
    join(folder(), 'install.js'),
    `require('node:fs').appendFileSync(${JSON.stringify(join(root, 'runs'))}, 'x');\n${installer}`,
  );
}
const GOOD = `require('node:fs').writeFileSync(__dirname + '/dist/electron', ''); require('node:fs').writeFileSync(__dirname + '/path.txt', 'electron');`;
const find = (again = false, limit = 5_000) => findElectron(root, { again, say: (line) => said.push(line), limit });

describe('finding', () => {
  test('an existing binary is used without a download', async () => {
    packageWith('process.exit(1)');
    writeFileSync(join(folder(), 'path.txt'), 'electron\n');
    writeFileSync(join(folder(), 'dist/electron'), '');
    expect(await find()).toBe(join(folder(), 'dist/electron'));
    expect(existsSync(join(root, 'runs'))).toBe(false);
  });

  test('a missing one is downloaded', async () => {
    packageWith(GOOD);
    expect(await find()).toBe(join(folder(), 'dist/electron'));
    expect(said).toEqual([]);
  });

  test('a failure is one line, and is remembered until a retry is requested or the version changes', async () => {
    packageWith(`console.error('RequestError: getaddrinfo ENOTFOUND\\n  at x'); process.exit(1)`);
    expect(await find()).toBeNull();
    expect(said).toEqual([
      'Electron could not be fetched (getaddrinfo ENOTFOUND); a browser shows the window. --shell electron tries again.',
    ]);
    packageWith(GOOD);
    expect(await find()).toBeNull();
    expect(said).toHaveLength(1);
    expect(await find(true)).not.toBeNull();
    rmSync(join(folder(), 'path.txt'));
    packageWith(GOOD, '46.0.0');
    expect(await find()).not.toBeNull();
  });

  test('an installer that hangs is ended, with its children', async () => {
    packageWith(`require('node:child_process').spawnSync('sleep', ['60'])`);
    expect(await find(false, 300)).toBeNull();
    expect(said).toEqual([expect.stringContaining('it took longer than 0.3 seconds')]);
  });

  test('an installer that succeeds without a binary is a failure', async () => {
    packageWith('');
    expect(await find()).toBeNull();
    expect(said).toEqual([expect.stringContaining('its installer left no binary')]);
  });

  test('without the package there is no binary', async () => {
    expect(await find()).toBeNull();
  });
});

describe('running', () => {
  const program = (script: string): string => {
    const path = join(root, 'electron');
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const run = (binary: string, isRunning = (_pid: number): boolean => false, variables: NodeJS.ProcessEnv = {}) =>
    runElectron(binary, ['app', '--hidden', '--feed-host', 'rest=http://a', '--profile=b'], {
      isRunning,
      environment: { PATH: process.env.PATH, ...variables },
    });

  test('its exit code is passed on', async () => {
    expect(await run(program('exit 0'))).toBe(0);
    expect(await run(program('exit 2'))).toBe(2);
  });

  test('a value is one word with its flag', async () => {
    const words = '[ "$*" = "app --hidden --feed-host=rest=http://a --profile=b" ] || exit 2';
    expect(await run(program(words))).toBe(0);
  });

  test('it is an app also where the environment asks for a plain Node', async () => {
    const variables = { ELECTRON_RUN_AS_NODE: '1', OTHER: 'a' };
    const script = '! env | grep -q ELECTRON_RUN_AS_NODE && [ "$OTHER" = a ] || exit 2';
    expect(await run(program(script), undefined, variables)).toBe(0);
  });

  test('a binary that fails before the app runs cannot run here', async () => {
    expect(await run(program('exit 127'))).toBeNull();
    expect(await run(program('kill -TRAP $$'))).toBeNull();
    expect(await run(join(root, 'nothing'))).toBeNull();
  });

  test('a binary that fails after the app ran has failed', async () => {
    let calls = 0;
    const isRunning = (pid: number): boolean => {
      calls += 1;
      // Ends the process once the test has seen it.
      process.kill(pid, 'SIGKILL');
      return true;
    };
    expect(await run(program('exec sleep 60'), isRunning)).toBe(1);
    expect(calls).toBe(1);
  });
});
