// Test: finding and running Electron, with small programs instead of it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findElectron, runElectron } from './electron-binary.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'barograph-electron-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

describe('the binary is found', () => {
  const folder = (): string => join(root, 'node_modules/electron');

  test('where the installer of the package left it, and not before it is done', () => {
    expect(findElectron(root)).toBeNull();
    mkdirSync(join(folder(), 'dist'), { recursive: true });
    writeFileSync(join(folder(), 'dist/electron'), '');
    expect(findElectron(root)).toBeNull();
    writeFileSync(join(folder(), 'path.txt'), 'electron\n');
    expect(findElectron(root)).toBe(join(folder(), 'dist/electron'));
    rmSync(join(folder(), 'dist/electron'));
    expect(findElectron(root)).toBeNull();
  });

  test('in the folder that ELECTRON_OVERRIDE_DIST_PATH names', () => {
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', root);
    expect(findElectron(root)).toBeNull();
    writeFileSync(join(root, 'electron'), '');
    expect(findElectron(root)).toBe(join(root, 'electron'));
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

  test('Electron passes its exit code on', async () => {
    expect(await run(program('exit 0'))).toBe(0);
    expect(await run(program('exit 2'))).toBe(2);
  });

  test('a value is one word with its flag', async () => {
    const words = '[ "$*" = "app --hidden --feed-host=rest=http://a --profile=b" ] || exit 2';
    expect(await run(program(words))).toBe(0);
  });

  test('Electron is an app also where the environment asks for a plain Node', async () => {
    const variables = { ELECTRON_RUN_AS_NODE: '1', OTHER: 'a' };
    const script = '! env | grep -q ELECTRON_RUN_AS_NODE && [ "$OTHER" = a ] || exit 2';
    expect(await run(program(script), undefined, variables)).toBe(0);
  });

  test('a binary that fails before the app runs cannot run here', async () => {
    expect(await run(program('exit 127'))).toBeNull();
    expect(await run(program('kill -TRAP $$'))).toBeNull();
    expect(await run(join(root, 'nothing'))).toBeNull();
  });

  test('an app that a file emptied under it has ended is started again', async () => {
    const mark = join(root, 'started');
    let isKilled = false;
    const isRunning = (pid: number): boolean => {
      if (!isKilled) process.kill(pid, 'SIGBUS');
      isKilled = true;
      return true;
    };
    expect(await run(program(`[ -e ${mark} ] && exit 0; touch ${mark}; exec sleep 60`), isRunning)).toBe(0);
    expect(isKilled).toBe(true);
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
