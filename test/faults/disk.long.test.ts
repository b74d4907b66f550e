// Faults: the disk of the data folder is full or read-only, or a program has locked the ledger.
// The processes are real, and each form runs where this machine allows it.
// A locked ledger and a limit of file sizes need no rights.
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { barograph, type RunningApp, startApp } from '../harness/app.ts';
import { eventually } from '../harness/eventually.ts';
import { type FakeBus, type FakeDesktop, startBus, startDesktop } from '../harness/fake-desktop.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun, whyNoProgram, whyNotLinux, whyNotRoot } from '../harness/not-run.ts';
import { CALM_START, type RunningService, startService, TEST_KEY } from '../harness/service.ts';

let folder: ReturnType<typeof temporaryFolder>;
let data: string;
let service: RunningService;
let bus: FakeBus;
let desktop: FakeDesktop;
let app: RunningApp | null = null;
let undo: (() => void)[] = [];

const ledgerPath = (): string => join(data, 'profiles', 'remote', 'ledger.sqlite');

/** A form of the fault. `pid`: the running app; null: before its start. */
interface Form {
  /** Why it cannot be tried here; null: it can. */
  readonly why: string | null;
  /** Before the data folder is used. */
  prepare?(): void;
  begin(pid: number | null): void;
  end(pid: number | null): void;
  /** Runs the app from its start under the fault. */
  readonly under?: readonly string[];
}

const isRoot = process.getuid?.() === 0;
const whyNoMount = ((): string | null => {
  if (whyNotRoot !== null) return whyNotRoot;
  const at = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', at.path], { stdio: 'ignore' });
    execFileSync('umount', [at.path]);
    return null;
  } catch {
    return 'no file system can be mounted here';
  } finally {
    at.remove();
  }
})();
const mountData = (): void => {
  mkdirSync(data, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m,mode=700', 'tmpfs', data]);
  undo.push(() => execFileSync('umount', ['-l', data]));
};
const setMode = (isWritable: boolean, at = data): void => {
  for (const name of readdirSync(at)) {
    const path = join(at, name);
    if (statSync(path).isDirectory()) setMode(isWritable, path);
    else chmodSync(path, isWritable ? 0o600 : 0o400);
  }
  chmodSync(at, isWritable ? 0o700 : 0o500);
};

let other: Database.Database | null = null;
const locked: Form = {
  why: null,
  begin(pid) {
    other = new Database(ledgerPath(), { timeout: 20_000 });
    // Before a start nobody can even read it.
    if (pid === null) other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    other.exec('CREATE TABLE IF NOT EXISTS foreign_table (x)');
    undo.push(() => other?.close());
  },
  end() {
    other?.exec('ROLLBACK');
    other?.close();
    other = null;
  },
};
const limit = (pid: number | null, bytes: string): void => {
  if (pid !== null) execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
};
const noLargerFiles: Form = {
  why: whyNotLinux ?? whyNoProgram('prlimit'),
  begin: (pid) => limit(pid, '16'),
  end: (pid) => limit(pid, 'unlimited'),
  under: ['prlimit', '--fsize=16:unlimited'],
};
const full: Form = {
  why: whyNoMount,
  prepare: mountData,
  begin() {
    const file = openSync(join(data, 'filler'), 'w');
    for (const size of [65_536, 4_096, 1])
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch {
        // No room for this much.
      }
    closeSync(file);
  },
  end: () => rmSync(join(data, 'filler')),
};
const noRoom: readonly [string, Form] =
  full.why === null ? ['on a full disk', full] : ['at the limit of file sizes', noLargerFiles];
const readOnly: Form = isRoot
  ? {
      why: whyNoMount,
      prepare: mountData,
      begin: () => void execFileSync('mount', ['-o', 'remount,ro', data]),
      end: () => void execFileSync('mount', ['-o', 'remount,rw', data]),
    }
  : { why: null, begin: () => setMode(false), end: () => setMode(true) };

const openApp = async (under: readonly string[] = []): Promise<void> => {
  app = await startApp({ dataDir: data, profile: 'remote', key: TEST_KEY, bus: bus.address, under });
};
const trigger = async (symbol: string): Promise<string> =>
  (await service.trigger('signal.high_risk', symbol)).at(-1) ?? '';
/** Symbols that a notification which grew counts and does not name: they have one of their own. */
const aloneIn = (body: string): readonly string[] =>
  /([A-Z, ]+) ha(?:s a notification|ve notifications) of (?:its|their) own\./.exec(body)?.[1]?.trim().split(', ') ?? [];
/** The numbers of the notifications that name a symbol; one that grew is one. */
const shown = (symbol: string): number[] => {
  const named = desktop.shown.filter(
    ({ title, body }) =>
      title.includes('High Risk') &&
      new RegExp(`\\b${symbol}\\b`).test(`${title} ${body}`) &&
      !aloneIn(body).includes(symbol),
  );
  return [...new Set(named.map(({ number }) => number))];
};
const alarms = (): string[] =>
  desktop.shown.map(({ title }) => title).filter((title) => title.includes('written down'));
/** What the ledger's file says about this event: how often it is there, and what became of its notifications. */
function recorded(id: string): { readonly events: number; readonly outcomes: readonly string[] } {
  const db = new Database(ledgerPath(), { readonly: true });
  try {
    return {
      events: Number(db.prepare('SELECT count(*) FROM events WHERE event_id = ?').pluck().get(id)),
      outcomes: db
        .prepare<[string], string>(
          // What joined another notification was shown with it.
          `SELECT coalesce(host.outcome, own.outcome) FROM notifications AS own
             LEFT JOIN notifications AS host ON own.outcome = 'digest' AND host.id = own.digest_id WHERE own.id = ?`,
        )
        .pluck()
        .all(`barograph:${id}`),
    };
  } finally {
    db.close();
  }
}
const isShown = (symbol: string) => eventually(() => expect(shown(symbol)).toHaveLength(1));
/** The file is tried once a minute at least. */
const isRecorded = (id: string) =>
  vi.waitFor(() => expect(recorded(id)).toEqual({ events: 1, outcomes: ['shown'] }), {
    timeout: 120_000,
    interval: 100,
  });

beforeEach(async () => {
  folder = temporaryFolder();
  data = join(folder.path, 'data');
  undo = [];
  bus = await startBus(join(folder.path, 'bus'));
  desktop = await startDesktop(bus.address);
  service = await startService({
    environment: 'sandbox',
    clock: CALM_START,
    key: TEST_KEY,
    symbols: 5,
    db: join(folder.path, 'service.sqlite'),
  });
}, 120_000);
afterEach(async () => {
  await app?.process.kill();
  app = null;
  await service.process.kill();
  await desktop.close();
  await bus.close();
  for (const back of undo.reverse())
    try {
      back();
    } catch {
      // It is over already.
    }
  if (!isRoot) setMode(true, folder.path);
  folder.remove();
}, 60_000);

/** A data folder whose ledger has read the log, and has one alert. */
const begin = async (form: Form): Promise<void> => {
  form.prepare?.();
  await barograph('profiles', 'add', 'remote', '--env', 'sandbox', '--url', service.url, '--data-dir', data);
  await barograph('profiles', 'remove', 'sandbox', '--data-dir', data);
  await openApp();
  await trigger('SPX');
  await isShown('SPX');
};

describe.each<readonly [string, Form]>([['locked by another program', locked], noRoom])('a ledger %s', (_, form) => {
  test.skipIf(form.why)(
    `while the app runs: notified at once, said, and recorded once after it${notRun(form.why)}`,
    { timeout: 300_000 },
    async () => {
      await begin(form);
      const { pid } = app?.process ?? { pid: 0 };
      form.begin(pid);
      const ids = [await trigger('SPY'), await trigger('QQQ')];
      await isShown('SPY');
      await isShown('QQQ');
      await eventually(() => expect(alarms()).toEqual([expect.stringMatching(/not written down$/)]));
      form.end(pid);
      for (const id of ids) await isRecorded(id);
      await eventually(() => expect(alarms()).toHaveLength(2));
      await app?.process.stop();
      await openApp();
      ids.push(await trigger('IWM'));
      await isShown('IWM');
      for (const symbol of ['SPX', 'SPY', 'QQQ']) expect(shown(symbol)).toHaveLength(1);
      for (const id of ids) await isRecorded(id);
    },
  );
});

describe.each<readonly [string, Form]>([
  ['locked by another program', locked],
  ['on a read-only disk', readOnly],
])('a ledger %s at the start', (_, form) => {
  test.skipIf(form.why)(
    `it watches, notifies, says so, and records later what it was${notRun(form.why)}`,
    { timeout: 300_000 },
    async () => {
      await begin(form);
      await app?.process.stop();
      const missed = await trigger('DIA');
      form.begin(null);
      await openApp(form.under);
      await eventually(() => expect(alarms()).toEqual([expect.stringMatching(/not written down$/)]));
      const id = await trigger('SPY');
      await isShown('SPY');
      await isShown('DIA');
      form.end(app?.process.pid ?? 0);
      await isRecorded(id);
      await eventually(() => expect(recorded(missed).events).toBe(1));
      expect([shown('SPX'), shown('SPY'), shown('DIA')].map(({ length }) => length)).toEqual([1, 1, 1]);
    },
  );
});

test.skipIf(noRoom[1].why)(
  `a start on a full disk, killed meanwhile: nothing is missed${notRun(noRoom[1].why)}`,
  { timeout: 300_000 },
  async () => {
    const [, form] = noRoom;
    await begin(form);
    await app?.process.stop();
    form.begin(null);
    await openApp(form.under);
    const id = await trigger('SPY');
    await isShown('SPY');
    await app?.process.kill();
    form.end(null);
    await openApp();
    const next = await trigger('QQQ');
    await isShown('QQQ');
    await isRecorded(next);
    await eventually(() => expect(recorded(id).events).toBe(1));
  },
);
