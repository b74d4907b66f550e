// Test: a ledger that is missing, empty or without tables is restored, and later alerts notified.

import { copyFileSync, existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { namedIds, notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig, RigOptions } from '../../../test/harness/core-rig.ts';
import { saying } from '../../../test/harness/saying.ts';
import { backUp } from '../files/backup.ts';
import type { NotificationHistory } from '../ports.ts';
import { openDatabase } from './database.ts';
import { openLedger } from './ledger.ts';

const bench = setUpCoreBench();
const path = (): string => join(bench.folder, 'ledger.sqlite');
const isNotice = (id: string): boolean => id.startsWith('barograph:ledger:');
const alertIds = (rig: CoreRig): string[] => namedIds(rig).filter((id) => !isNotice(id));
const notices = (rig: CoreRig) => rig.shown.filter(({ id }) => isNotice(id));
const remove = (): void => {
  for (const ending of ['', '-wal', '-shm']) rmSync(path() + ending, { force: true });
};
const replaceByEmpty = (): void => {
  remove();
  new Database(path()).close();
};
const replaceByOther = (): void => {
  rmSync(path());
  writeFileSync(path(), 'another file');
};
const sql = (statement: string): void => {
  const db = new Database(path());
  db.exec(statement);
  db.close();
};

const ATTACKS: readonly [string, RegExp, () => void][] = [
  ['removed', /was missing\./, remove],
  ['truncated to nothing', /was empty/, () => truncateSync(path(), 0)],
  ['replaced by an empty database', /was empty/, replaceByEmpty],
  ['without its rows', /was empty/, () => sql('DELETE FROM events')],
  ['without a table', /was damaged/, () => sql('DROP TABLE gaps')],
  ['without a column', /was damaged/, () => sql('ALTER TABLE notifications DROP COLUMN rules')],
  ['with another version', /was damaged/, () => sql('PRAGMA user_version = 2')],
];

/**
 * Runs the core with a record of notifications outside the ledger, as in the program.
 * @param hangs the desktop never answers the first run
 */
function run({ hangs = false } = {}) {
  const since = bench.clock.now();
  let isFirst = true;
  const taken = new Set<string>();
  let newest: number | null = null;
  const history = (): NotificationHistory => ({ shown: taken, open: new Set(), newest });
  const options = (): Partial<RigOptions> => {
    const profile = isFirst ? {} : { watchedSince: timestamp(since) };
    const isHanging = hangs && isFirst;
    isFirst = false;
    return {
      profile,
      history,
      show: async (request) => {
        if (isHanging) return new Promise(() => undefined);
        for (const name of request.names ?? [request.id]) taken.add(name);
        if (!isNotice(request.id)) newest = bench.clock.now();
        return { tier: 'system', detail: null };
      },
    };
  };
  /** A program that ends as soon as it has opened the ledger. */
  const openOnly = (): void => openLedger(bench.folder, timestamp(bench.clock.now()), { since, history }).close();
  return { up: () => bench.up(options()), rig: () => bench.rig(options()), openOnly };
}

describe.each(ATTACKS)('a ledger that is %s', (name, said, attack) => {
  const options = name === 'removed' || name === 'without a table' ? {} : { tags: ['long'] };
  const title = 'is restored, and what came since is notified; with a backup: %s';
  test.each([true, false])(title, options, async (hasBackup) => {
    const past = bench.service.emit('IWM', 2);
    await bench.clock.advance(1_000);
    const { up } = run();
    const first = await up();
    const before = bench.service.emit('SPY', 2);
    await bench.clock.advance(60_000);
    if (hasBackup) backUp(bench.folder, { names: ['ledger.sqlite'], day: '2026-03-01' });
    const seen = bench.service.emit('QQQ', 2);
    await bench.clock.advance(60_000);
    expect(alertIds(first)).toEqual(notificationIds(past, before, seen));
    await bench.down(first);
    attack();

    const missed = bench.service.emit('XLK', 2);
    await bench.clock.advance(90_000);
    const second = await up();
    await bench.clock.advance(20_000);
    expect(alertIds(second)).toEqual(notificationIds(missed));
    expect(notices(second)).toMatchObject([{ urgency: expect.any(String), body: expect.stringMatching(said) }]);
    expect(second.snapshot().ledger.events).toBe(bench.service.log.length);
    expect(second.snapshot().gaps).toContainEqual(expect.objectContaining({ closed: true, cause: saying(said) }));

    // The loss is over: the next start reports nothing.
    await bench.down(second);
    const third = await up();
    await bench.clock.advance(20_000);
    expect(third.shown).toEqual([]);
  });
});

test('emptied again before the list was read once: detected, and a notification keeps its names', async () => {
  const { up, rig } = run();
  await bench.down(await up());
  remove();
  bench.service.fault = ({ path }) => (path === '/events' ? 'unreachable' : null);
  const second = rig();
  await second.core.start();
  await bench.clock.advance(10_000);
  const high = [bench.service.emit('SPY', 2), bench.service.emit('QQQ', 2), bench.service.emit('IWM', 2)];
  await bench.clock.advance(1_000);
  expect(second.shown.at(-1)?.names).toEqual(notificationIds(...high));
  await bench.down(second);
  sql('DELETE FROM events');
  bench.service.fault = null;
  const third = await up();
  const next = bench.service.emit('XLK', 2);
  await bench.clock.advance(30_000);
  expect(notices(third)).toMatchObject([{ body: expect.stringMatching(/was empty/) }]);
  expect(alertIds(third)).toEqual(notificationIds(next));
});

describe.each([true, false])('a program that ends early after a ledger was removed; with a backup: %s', (hasBackup) => {
  /** Removes a ledger soon after a High Risk was shown. */
  const lose = async () => {
    const started = run();
    const first = await started.up();
    bench.service.emit('SPY', 2);
    await bench.clock.advance(60_000);
    if (hasBackup) backUp(bench.folder, { names: ['ledger.sqlite'], day: '2026-03-01' });
    bench.service.emit('QQQ', 2);
    await bench.clock.advance(1_000);
    await bench.down(first);
    expect(alertIds(first)).toHaveLength(2);
    remove();
    return started;
  };

  test('right after the replacement: the next start reports the loss, and shows nothing twice', async () => {
    const { up, openOnly } = await lose();
    openOnly();
    const second = await up();
    await bench.clock.advance(20_000);
    expect(alertIds(second)).toEqual([]);
    expect(notices(second)).toMatchObject([{ body: expect.stringMatching(/was missing\./) }]);
    expect(second.snapshot().ledger.events).toBe(2);
    await bench.down(second);
    const third = await up();
    await bench.clock.advance(20_000);
    expect(third.shown).toEqual([]);
  });

  test('before the service answered: reported once, and nothing is shown twice', async () => {
    const { up, rig } = await lose();
    bench.service.fault = () => 'unreachable';
    const second = rig();
    await second.core.start();
    await bench.clock.advance(5_000);
    await bench.down(second);
    bench.service.fault = null;
    const third = await up();
    await bench.clock.advance(20_000);
    expect([second, third].map((one) => [notices(one).length, alertIds(one)])).toEqual([
      [1, []],
      [0, []],
    ]);
    expect(third.snapshot().ledger.events).toBe(2);
  });
});

test('a start counts as the first until one reached the service', async () => {
  const { rig, up } = run();
  bench.service.fault = () => 'unreachable';
  const first = rig();
  await first.core.start();
  await bench.clock.advance(5_000);
  await bench.down(first);
  expect(first.shown).toEqual([]);
  bench.service.fault = null;
  const second = await up();
  expect(notices(second)).toEqual([]);
});

test('a backup without events is skipped for an older one', async () => {
  const { up } = run();
  const first = await up();
  bench.service.emit('SPY', 2);
  await bench.clock.advance(10_000);
  backUp(bench.folder, { names: ['ledger.sqlite'], day: '2026-03-01' });
  await bench.down(first);
  copyFileSync(path(), join(bench.folder, 'backups', 'ledger-2026-03-02.sqlite'));
  const emptied = new Database(join(bench.folder, 'backups', 'ledger-2026-03-02.sqlite'));
  emptied.exec('DELETE FROM events');
  emptied.close();
  remove();
  const second = await up();
  expect(notices(second)).toMatchObject([{ body: expect.stringContaining('ledger-2026-03-01.sqlite') }]);
});

test('a notification queued in the backup and shown since is not shown again', async () => {
  const { up } = run();
  const first = await up();
  const shown = bench.service.emit('SPY', 2);
  await bench.clock.advance(10_000);
  backUp(bench.folder, { names: ['ledger.sqlite'], day: '2026-03-01' });
  await bench.down(first);
  const copy = new Database(join(bench.folder, 'backups', 'ledger-2026-03-01.sqlite'));
  copy.exec("UPDATE notifications SET outcome = 'intent'");
  copy.close();
  remove();
  const second = await up();
  await bench.clock.advance(60_000);
  expect(alertIds(second)).toEqual([]);
  expect(second.snapshot().alerts).toMatchObject([
    { transition: { event_id: shown.event_id }, dispatch: { outcome: 'shown' } },
  ]);
});

describe('a ledger whose file, while it is open, is', () => {
  test.each([
    ['removed', remove],
    ['replaced', replaceByOther],
    ['emptied', () => truncateSync(path(), 0)],
  ])('%s: it is written back complete, and said', async (_, attack) => {
    const { up } = run();
    const rig = await up();
    const before = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    attack();
    const meanwhile = bench.service.emit('QQQ', 2);
    await bench.clock.until(() => existsSync(path()) && notices(rig).length > 0);
    await bench.clock.advance(20_000);
    expect(alertIds(rig)).toEqual(notificationIds(before, meanwhile));
    expect(rig.snapshot().gaps).toContainEqual(expect.objectContaining({ cause: saying(/wrote it back complete/) }));
    const after = bench.service.emit('XLK', 2);
    await bench.clock.advance(1_000);
    expect(alertIds(rig)).toEqual(notificationIds(before, meanwhile, after));
    await bench.down(rig);
    expect(readdirSync(bench.folder).filter((name) => name.endsWith('.next'))).toEqual([]);
    const db = new Database(path());
    expect(db.prepare('SELECT event_id FROM events').pluck().all()).toEqual(
      bench.service.log.map((one) => one.event_id),
    );
    db.close();
  });

  test('robbed of its rows by another program: restored from the backup', async () => {
    const { up } = run();
    const rig = await up();
    const before = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    backUp(bench.folder, { names: ['ledger.sqlite'], day: '2026-03-01' });
    sql('DELETE FROM events');
    const after = bench.service.emit('QQQ', 2);
    await bench.clock.until(() => notices(rig).length > 0);
    await bench.clock.advance(20_000);
    expect(new Set(alertIds(rig))).toEqual(new Set(notificationIds(before, after)));
    expect(rig.snapshot().ledger.events).toBe(2);
  });

  test('removed just before the end: it is back when the program has ended', async () => {
    const { up } = run();
    const rig = await up();
    bench.service.emit('SPY', 2);
    await bench.clock.advance(500);
    remove();
    await bench.down(rig);
    const db = new Database(path(), { fileMustExist: true });
    expect(db.prepare('SELECT count(*) FROM events').pluck().get()).toBe(1);
    db.close();
  });
});

test('queued notifications of a lost ledger are shown, those already shown are not', { tags: ['long'] }, async () => {
  const { up } = run();
  const first = await up();
  const shown = bench.service.emit('SPY', 2);
  await bench.clock.advance(10_000);
  const queued = Array.from({ length: 14 }, (_, index) => bench.service.emit('QQQ', index % 2 === 0 ? 2 : 1));
  await bench.clock.advance(3_000);
  const named = namedIds(first);
  const waiting = notificationIds(...queued.filter(({ event }) => event === 'signal.high_risk')).filter(
    (id) => !named.includes(id),
  );
  expect(waiting.length).toBeGreaterThan(0);
  // The list proves that all was received.
  bench.service.cut();
  await bench.clock.advance(5_000);
  expect(namedIds(first)).toEqual(named);
  await bench.down(first);
  sql('DELETE FROM events');
  const second = await up();
  await bench.clock.advance(30 * 60_000);
  const later = alertIds(second);
  expect(later.toSorted()).toEqual(expect.arrayContaining(waiting.toSorted()));
  expect(later.filter((id) => [...named, ...notificationIds(shown)].includes(id))).toEqual([]);
});

test('notifications for a desktop that never accepted any are shown after a loss', async () => {
  const { up } = run({ hangs: true });
  const first = await up();
  const waiting = bench.service.emit('SPY', 2);
  await bench.clock.advance(10_000);
  // The list proves that it was received.
  bench.service.cut();
  await bench.clock.advance(5_000);
  await bench.down(first);
  sql('DELETE FROM events');
  const second = await up();
  await bench.clock.advance(60_000);
  expect(alertIds(second)).toEqual(notificationIds(waiting));
});

test('damage found by a read at the start: the next start quarantines the file and continues', async () => {
  const { up, rig } = run();
  const first = await up();
  await bench.down(first);
  const torn = bench.rig({
    ledger: {
      open(...given) {
        const opened = openDatabase(...given);
        const prepare = opened.db.prepare.bind(opened.db);
        opened.db.prepare = (sql: string) => {
          if (!/^SELECT[^?]* to_state IS NOT NULL ORDER BY occurred_s DESC/.test(sql)) return prepare(sql) as never;
          throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
        };
        return opened;
      },
    },
  });
  await expect(torn.core.start()).rejects.toThrow('malformed');
  await bench.down(torn);
  const missed = bench.service.emit('QQQ', 2);
  await bench.clock.advance(60_000);
  const next = rig();
  await next.core.start();
  await bench.clock.advance(20_000);
  expect(notices(next)).toMatchObject([{ body: expect.stringMatching(/was damaged/) }]);
  expect(alertIds(next)).toEqual(notificationIds(missed));
});
