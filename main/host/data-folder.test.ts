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
import { type AddressInfo, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { message } from '../../shared/text/message.ts';
import { replaceFile } from '../core/files/private-file.ts';
import { DEFAULT_SETTINGS } from '../core/profiles/settings.ts';
import { SETTINGS_VERSION } from '../core/profiles/settings-migration.ts';
import { UsageError } from './command-line.ts';
import { openDataFolder, profileFolder } from './data-folder.ts';
import { lockFolder } from './folder-lock.ts';
import { processStart, readRunFile, removeRunFile, sandboxOf, writeRunFile } from './run-file.ts';
import { createSettingsStore } from './settings-store.ts';

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

  test('is never the home folder or the root, which would become private', () => {
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
  test('a data folder has one holder at a time, whose name the next program gets', () => {
    const first = lockFolder(folder, 'the app');
    const second = lockFolder(folder, 'listen');
    expect(first.held).toBe(true);
    expect(second).toEqual({ held: false, holder: { pid: process.pid, program: 'the app' } });
    if (first.held) first.release();
    const third = lockFolder(folder, 'listen');
    expect(third.held).toBe(true);
    if (third.held) third.release();
  });

  test('ends with its process, however the process ends', () => {
    const script = `import { lockFolder } from ${JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'))};
      if (!lockFolder(${JSON.stringify(folder)}, 'the app').held) process.exit(3);
      process.kill(process.pid, 'SIGKILL');`;
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' })).toThrow(
      /Command failed/,
    );
    expect(JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8')).program).toBe('the app');
    const next = lockFolder(folder, 'listen');
    expect(next.held).toBe(true);
    if (next.held) next.release();
  });
});

describe('run.json', () => {
  const run = {
    pid: process.pid,
    started: processStart(process.pid),
    address: 'http://127.0.0.1:4780',
    socket: null,
    sandbox: null,
    profile: 'sandbox',
  };

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

  test('of a process whose number another one has now counts as none', () => {
    writeRunFile(folder, { ...run, started: processStart(process.ppid) });
    expect(processStart(process.ppid)).not.toBe(processStart(process.pid));
    expect(readRunFile(folder)).toBeNull();
    writeRunFile(folder, { ...run, started: null });
    expect(readRunFile(folder)?.pid).toBe(process.pid);
  });

  test.each([
    'http://attacker.example:4780',
    'http://127.0.0.1:4780/elsewhere',
    'https://127.0.0.1:4780',
    'http://127.0.0.1:4780@attacker.example',
  ])('with the address %s counts as none', (address) => {
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...run, address }));
    expect(readRunFile(folder)).toBeNull();
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...run, sandbox: { url: address, key: 'k' } }));
    expect(readRunFile(folder)).toBeNull();
  });

  test('names no service at a port that another process has', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    );
    const sandbox = { url: `http://127.0.0.1:${port}`, key: 'k' };
    expect(sandboxOf({ ...run, sandbox })).toEqual(sandbox);
    expect(sandboxOf({ ...run, pid: process.ppid, sandbox })).toBeNull();
    await new Promise((resolve) => server.close(resolve));
    expect(sandboxOf({ ...run, sandbox })).toBeNull();
  });

  test('of another process is not removed', () => {
    writeRunFile(folder, { ...run, pid: process.ppid, started: processStart(process.ppid) });
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
  beforeEach(() => {
    said = [];
  });
  const open = () => createSettingsStore(folder, (line) => said.push(line));
  const file = (): string => join(folder, 'settings.json');
  const MINE = { ...DEFAULT_SETTINGS, selected: 'QQQ' };

  test('begin with the defaults, written to disk for their owner only', () => {
    expect(open().read()).toEqual(DEFAULT_SETTINGS);
    expect(modeOf(file())).toBe('600');
    open().read();
    expect(modeOf(join(folder, 'settings.last-good.json'))).toBe('600');
    expect(said).toEqual([]);
  });

  test('of version 1 are read under their present names, and saved under these by the next change', () => {
    const outage = { market_minutes: 3, other_minutes: 45 };
    const old = { ...DEFAULT_SETTINGS, version: 1, alerting: { rules: [], quiet: null, blind: outage } };
    writeFileSync(file(), JSON.stringify(old));
    const present = { ...DEFAULT_SETTINGS, alerting: { rules: [], quiet: null, outage } };
    expect(open().read()).toEqual(present);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(old);
    open().change((now) => ({ ...now, selected: 'QQQ' }));
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ ...present, selected: 'QQQ' });
    expect(said).toEqual([]);
  });

  test.each([
    ['text that is no JSON', '{"version": 1,'],
    ['a value of the wrong kind', JSON.stringify({ ...DEFAULT_SETTINGS, profiles: [] })],
    ['nothing', ''],
  ])('%s changes no setting, running or at a start; the next change sets it aside', (_what, text) => {
    const running = open();
    running.change(() => MINE);
    writeFileSync(file(), text);
    for (const store of [running, open()]) {
      expect(store.read()).toEqual(MINE);
      expect(store.problem()).toMatchObject({ code: 'settings.damaged' });
    }
    expect(said).toHaveLength(2);
    expect(readFileSync(file(), 'utf8')).toBe(text);
    running.change((now) => ({ ...now, selected: 'IWM' }));
    expect(readFileSync(join(folder, 'settings.bad-1.json'), 'utf8')).toBe(text);
    expect(open().read().selected).toBe('IWM');
    expect(running.problem()).toEqual(message('settings.set_aside', { name: 'settings.bad-1.json' }));
    running.change((now) => ({ ...now, selected: 'QQQ' }));
    expect(running.problem()).toBeNull();
  });

  test('that are damaged and have no copy are not replaced', () => {
    writeFileSync(file(), '{');
    expect(() => open().read()).toThrow(/settings\.json cannot be used \(not JSON.*no copy/);
    expect(readFileSync(file(), 'utf8')).toBe('{');
  });

  test('of a newer version are not overwritten; without a copy, the values that this version knows are used', () => {
    const newer = JSON.stringify({ ...MINE, version: SETTINGS_VERSION + 1, later: true });
    writeFileSync(file(), newer);
    const store = open();
    expect(store.read()).toEqual(MINE);
    expect(() => store.change((now) => ({ ...now, selected: 'IWM' }))).toThrow(/newer Barograph/);
    expect(readFileSync(file(), 'utf8')).toBe(newer);
  });

  test('settings that an older Barograph replaced: the last good ones are used, and its file is set aside', () => {
    open().change(() => MINE);
    // It sets aside what it cannot read, and begins with its defaults.
    const older = JSON.stringify({ ...DEFAULT_SETTINGS, version: 1 });
    writeFileSync(file(), older);
    const store = open();
    expect(store.read()).toEqual(MINE);
    expect(store.problem()).toEqual(message('settings.older', { version: 1 }));
    store.change((now) => ({ ...now, selected: 'IWM' }));
    expect(readFileSync(join(folder, 'settings.bad-1.json'), 'utf8')).toBe(older);
    expect(open().read()).toEqual({ ...MINE, selected: 'IWM' });
  });

  test('settings of version 1 that only this Barograph has read stay in use, whatever copies it made of them', () => {
    const old = { ...DEFAULT_SETTINGS, version: 1, selected: 'IWM' };
    writeFileSync(file(), JSON.stringify(old));
    for (const store of [open(), open()]) expect([store.read().selected, store.problem()]).toEqual(['IWM', null]);
    writeFileSync(file(), JSON.stringify({ ...old, selected: 'QQQ' }));
    expect(open().read().selected).toBe('QQQ');
  });

  test('settings of a newer version keep their copies beside settings of this one', () => {
    open().change(() => MINE);
    const copy = join(folder, 'settings.last-good.json');
    const newer = JSON.stringify({ ...MINE, version: SETTINGS_VERSION + 1 });
    writeFileSync(copy, newer);
    open().change((now) => ({ ...now, selected: 'IWM' }));
    expect(readFileSync(copy, 'utf8')).toBe(newer);
  });

  test('keep unknown keys of every level through changes', () => {
    const [profile] = DEFAULT_SETTINGS.profiles;
    const extended = {
      ...MINE,
      later: { a: 1 },
      profiles: [{ ...profile, color: 'red' }],
      alerting: {
        rules: [{ id: 'odd', extra: 1 }],
        quiet: null,
        outage: { market_minutes: 3, other_minutes: 4, b: 1 },
      },
    };
    writeFileSync(file(), JSON.stringify(extended));
    const store = open();
    expect(store.read()).toMatchObject({ selected: 'QQQ', alerting: { outage: { market_minutes: 3 } } });
    store.change((now) => ({ ...now, selected: 'IWM' }));
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ ...extended, selected: 'IWM' });
    expect([store.problem(), said]).toEqual([null, []]);
  });

  test('with a wrong symbol lose that symbol only', () => {
    const list = (symbols: unknown[]) => [{ id: 'a', name: 'A', sections: [{ name: 'S', symbols }] }];
    writeFileSync(file(), JSON.stringify({ ...MINE, watchlists: list(['SPY', 'no symbol', 7, 'QQQ']) }));
    const store = open();
    expect(store.read().watchlists).toEqual(list(['SPY', 'QQQ']));
    expect(said).toEqual([expect.stringContaining('no symbol, 7')]);
  });

  test('that were removed are restored from memory, the copy, or the copy in the folder of a profile', () => {
    profileFolder(folder, 'sandbox');
    const running = open();
    running.change(() => MINE);
    const remove = (...names: string[]): void => {
      for (const name of names) rmSync(join(folder, name));
    };
    remove('settings.json', 'settings.last-good.json');
    expect(running.read()).toEqual(MINE);
    expect(running.problem()).toMatchObject({ code: 'settings.restored' });
    running.read();
    remove('settings.json');
    expect(open().read()).toEqual(MINE);
    remove('settings.json', 'settings.last-good.json');
    expect(open().read()).toEqual(MINE);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(MINE);
  });

  test('that were removed without a copy become the defaults, and the profiles with data are named', () => {
    profileFolder(folder, 'desk');
    const store = open();
    expect(store.read()).toEqual(DEFAULT_SETTINGS);
    expect(store.problem()).toMatchObject({ code: 'settings.lost', values: { profiles: 'desk' } });
  });

  test('that cannot be read at all stay in place, and the error names them', () => {
    mkdirSync(file());
    expect(() => open().read()).toThrow(`${file()} cannot be read (${file()} is a folder, not a regular file`);
    expect(existsSync(file())).toBe(true);
  });

  test('that do not fit the schema are not written', () => {
    const store = open();
    store.read();
    expect(() => store.change(() => ({ ...DEFAULT_SETTINGS, profiles: [] }))).toThrow();
    expect(store.read()).toEqual(DEFAULT_SETTINGS);
  });
});
