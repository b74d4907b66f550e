// Test: the files of a data folder: the folder itself, writes, lock, run.json, settings.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import Conf from 'conf';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceFile } from '../core/files/private-file.ts';
import { DEFAULT_SETTINGS } from '../core/profiles/settings.ts';
import { UsageError } from './command-line.ts';
import { openDataFolder, profileFolder } from './data-folder.ts';
import { lockProfile } from './profile-lock.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { createSettingsStore, settingsProblem } from './settings-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-host-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('data folder', () => {
  test('is created private, and made private where it was open', () => {
    expect(modeOf(openDataFolder(join(folder, 'a/b')))).toBe('700');
    mkdirSync(join(folder, 'open'), { mode: 0o755 });
    expect(modeOf(openDataFolder(join(folder, 'open')))).toBe('700');
    expect(modeOf(profileFolder(join(folder, 'open'), 'sandbox'))).toBe('700');
  });

  test('is never the home folder or the root, which would be closed to every other user', () => {
    expect(() => openDataFolder(homedir())).toThrow(UsageError);
    expect(() => openDataFolder('/')).toThrow(UsageError);
  });

  test('a file with the name of the folder is an error', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => openDataFolder(join(folder, 'file'))).toThrow(/--data-dir .*file: the folder cannot be used/);
  });

  test('a file is replaced atomically, for its owner only, and leaves no temporary file', () => {
    const path = join(folder, 'x.json');
    replaceFile(path, 'old');
    replaceFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(modeOf(path)).toBe('600');
    expect(readdirSync(folder)).toEqual(['x.json']);
  });
});

describe('profile lock', () => {
  test('one holder at a time, whose name the next one learns', () => {
    const first = lockProfile(folder, 'the app');
    const second = lockProfile(folder, 'listen');
    expect(first.held).toBe(true);
    expect(second).toEqual({ held: false, holder: { pid: process.pid, program: 'the app' } });
    if (first.held) first.release();
    const third = lockProfile(folder, 'listen');
    expect(third.held).toBe(true);
    if (third.held) third.release();
  });

  test('ends with its process, however the process ends', () => {
    const script = `import { lockProfile } from ${JSON.stringify(join(import.meta.dirname, 'profile-lock.ts'))};
      if (!lockProfile(${JSON.stringify(folder)}, 'the app').held) process.exit(3);
      process.kill(process.pid, 'SIGKILL');`;
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' })).toThrow(
      /Command failed/,
    );
    expect(JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8')).program).toBe('the app');
    const next = lockProfile(folder, 'listen');
    expect(next.held).toBe(true);
    if (next.held) next.release();
  });
});

describe('run.json', () => {
  const run = { pid: process.pid, address: 'http://127.0.0.1:4780', control: 'c', sandbox: null, profile: 'sandbox' };

  test('is written for its owner only, read back, and removed', () => {
    writeRunFile(folder, run);
    expect(modeOf(join(folder, 'run.json'))).toBe('600');
    expect(readRunFile(folder)).toEqual(run);
    removeRunFile(folder);
    expect(existsSync(join(folder, 'run.json'))).toBe(false);
  });

  test('of a process that has ended counts as none', () => {
    const gone = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
    writeRunFile(folder, { ...run, pid: gone });
    expect(readRunFile(folder)).toBeNull();
  });

  test('of another process is not removed', () => {
    writeRunFile(folder, { ...run, pid: process.ppid });
    removeRunFile(folder);
    expect(readRunFile(folder)?.pid).toBe(process.ppid);
  });

  test('that is not readable counts as none', () => {
    writeFileSync(join(folder, 'run.json'), '{"pid":');
    expect(readRunFile(folder)).toBeNull();
  });
});

describe('settings', () => {
  let said: string[];
  const open = () => {
    const path = join(folder, 'settings.json');
    said = [];
    return createSettingsStore(
      path,
      () => new Conf({ cwd: folder, configName: 'settings', configFileMode: 0o600 }),
      (line) => said.push(line),
    );
  };

  test('begin with the defaults, written to disk for their owner only', () => {
    expect(open().read()).toEqual(DEFAULT_SETTINGS);
    expect(modeOf(join(folder, 'settings.json'))).toBe('600');
    expect(said).toEqual([]);
  });

  test('of version 1 are read under their present names, and saved so by the next change', () => {
    const file = join(folder, 'settings.json');
    const outage = { market_minutes: 3, other_minutes: 45 };
    const old = { ...DEFAULT_SETTINGS, version: 1, alerting: { rules: [], quiet: null, blind: outage } };
    writeFileSync(file, JSON.stringify(old));
    expect(settingsProblem(file)).toBeNull();
    const present = { ...DEFAULT_SETTINGS, alerting: { rules: [], quiet: null, outage } };
    expect(open().read()).toEqual(present);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(old);
    open().write({ ...open().read(), selected: 'QQQ' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...present, selected: 'QQQ' });
    expect(said).toEqual([]);
    writeFileSync(file, JSON.stringify({ ...old, profiles: [] }));
    expect(settingsProblem(file)).toMatch(/profiles/);
  });

  test('come back as they were written, also in another process', () => {
    const changed = { ...DEFAULT_SETTINGS, selected: 'QQQ' };
    open().write(changed);
    expect(open().read()).toEqual(changed);
  });

  test.each([
    ['text that is no JSON', '{"version": 1,'],
    ['a value of the wrong kind', JSON.stringify({ ...DEFAULT_SETTINGS, profiles: [] })],
    ['an unknown version', JSON.stringify({ ...DEFAULT_SETTINGS, version: 3 })],
    ['nothing', ''],
  ])('%s is quarantined, reported and never lost', (_what, text) => {
    writeFileSync(join(folder, 'settings.json'), text);
    expect(open().read()).toEqual(DEFAULT_SETTINGS);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /^settings\.json cannot be used \(.+\)\. It is kept as settings\.bad-1\.json; the default settings are used\.$/,
    );
    expect(readFileSync(join(folder, 'settings.bad-1.json'), 'utf8')).toBe(text);
    writeFileSync(join(folder, 'settings.json'), 'again');
    open().read();
    expect(readFileSync(join(folder, 'settings.bad-2.json'), 'utf8')).toBe('again');
  });

  test('that cannot be read at all stay in place, and the error names them', () => {
    mkdirSync(join(folder, 'settings.json'));
    expect(() => open().read()).toThrow(`${join(folder, 'settings.json')} cannot be read (EISDIR`);
    expect(existsSync(join(folder, 'settings.json'))).toBe(true);
  });

  test('that do not fit the schema are not written', () => {
    const store = open();
    store.read();
    expect(() => store.write({ ...DEFAULT_SETTINGS, profiles: [] })).toThrow();
    expect(store.read()).toEqual(DEFAULT_SETTINGS);
  });
});
