// Test: retention of the ledger in a core: when it runs, what the window may ask and change.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { channels } from '../../../shared/channels/channels.ts';
import { DEFAULT_LEDGER_RETENTION, LedgerDetailsSchema } from '../../../shared/channels/ledger.ts';
import { MAX_GAPS } from '../../../shared/channels/state.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { namedIds, notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { DEFAULT_SETTINGS, readSettings } from '../profiles/settings.ts';
import { openLedger } from './ledger.ts';

const bench = setUpCoreBench();

const OLD_EVENTS = 1_500;
/** A ledger with events of 500 days ago. */
function oldLedger(): void {
  const ledger = openLedger(bench.folder, 'then');
  const at = bench.clock.now() - 500 * DAY_MS;
  const put = ledger.db().prepare(
    `INSERT INTO events (event_id, seq, log, event, symbol, to_state, occurred_s, received_ms, sources, body, duplicate_index)
     VALUES (?, NULL, 1, 'signal.elevated', 'OLD', 1, ?, ?, 'stream', '{}', ?)`,
  );
  ledger.db().transaction(() => {
    for (let index = 1; index <= OLD_EVENTS; index += 1) put.run(`old${index}`, Math.floor(at / 1000), at, index);
  })();
  ledger.close();
}
const details = (rig: CoreRig) => LedgerDetailsSchema.parse(rig.core.handlers['ledger.read']({}));
const up = (): Promise<CoreRig> => bench.up();

describe('by age', () => {
  test('old events are removed after the start, in quiet moments, and windows see it', async () => {
    oldLedger();
    const rig = await up();
    const before = details(rig);
    expect(before).toMatchObject({ removed: 0, retention: DEFAULT_LEDGER_RETENTION });
    expect(before.events).toBeGreaterThanOrEqual(OLD_EVENTS);
    await bench.clock.advance(4 * 60_000);
    const after = details(rig);
    expect(after.removed).toBeGreaterThan(400);
    expect(after.events).toBe(rig.snapshot().ledger.events);
    expect(after.events).toBeLessThan(before.events);
  });

  test('nothing is removed where the user keeps all', async () => {
    oldLedger();
    const rig = await up();
    rig.settings = { ...rig.settings, ledger: { retention: { days: null, megabytes: 1024 } } };
    await bench.clock.advance(5 * 60_000);
    expect(details(rig).removed).toBe(0);
  });
});

test('a changed policy is written to the settings and applied at once', async () => {
  oldLedger();
  const rig = await up();
  rig.settings = { ...rig.settings, ledger: { retention: { days: null, megabytes: 1024 } } };
  const { input } = channels['ledger.retention'];
  rig.core.handlers['ledger.retention'](input.parse({ retention: { days: 30, megabytes: 50 } }));
  expect(rig.settings.ledger).toEqual({ retention: { days: 30, megabytes: 50 } });
  await bench.clock.advance(30_000);
  expect(details(rig)).toMatchObject({ retention: { days: 30, megabytes: 50 } });
  expect(details(rig).removed).toBeGreaterThan(400);
});

test('a forgotten identity counts as removed at once, without a restart: a log that is read again notifies nothing', async () => {
  const old = bench.service.emit('SPY', 2, { at: timestamp(bench.clock.now() - 400 * DAY_MS) });
  bench.service.emit('SPY', 0);
  await bench.clock.advance(1_000);
  await bench.down(await up());
  const ledger = openLedger(bench.folder, 'then');
  const oldSecond = Math.floor(Date.parse(old.timestamp) / 1000);
  const identity = (event_id: string, occurred_s: number) => ({
    ...{ ledger_id: 0, event_id, occurred_s, log: 1, seq: null, sources: 'backfill', assumptions: null },
    ...{ event: 'signal.high_risk', symbol: 'SPY', to_state: 2 as const },
  });
  const others = Array.from({ length: 9 }, (_, index) => identity(`removed ${index}`, oldSecond + (index + 1) * 3_600));
  ledger.removed.keep([identity(old.event_id, oldSecond), ...others], []);
  ledger.db().prepare('DELETE FROM events WHERE event_id = ?').run(old.event_id);
  ledger.metadata.set('removed_events', '1');
  // More than a file of the largest size has room for.
  ledger.metadata.set('removed_hashes', '10000000');
  ledger.close();

  const rig = await up();
  await bench.clock.advance(4 * 60_000);
  const db = new Database(join(bench.folder, 'ledger.sqlite'), { readonly: true });
  expect(db.prepare('SELECT count(*) FROM removed_events WHERE occurred_s <= ?').pluck().get(oldSecond)).toBe(0);
  db.close();
  // A hole that no reading closes: the whole log is read again.
  const readings = (): number =>
    bench.service.requests.filter(({ path, url }) => path === '/events' && !url.searchParams.has('after')).length;
  const before = readings();
  bench.service.deaf = true;
  bench.service.emit('QQQ', 1);
  bench.service.deaf = false;
  bench.service.emit('QQQ', 0);
  bench.service.log.splice(-2);
  await bench.clock.until(() => readings() > before);
  await bench.clock.advance(10_000);
  expect(namedIds(rig)).not.toContain(notificationIds(old)[0]);
  expect(rig.snapshot().alerts.map(({ transition }) => transition.event_id)).not.toContain(old.event_id);
});

test('older gaps are read page by page; a snapshot holds the newest', async () => {
  const ledger = openLedger(bench.folder, 'then');
  for (let index = 1; index <= 250; index += 1)
    ledger.openGap('lost', '2026-01-01T00:00:00.000Z', null, message('gap.lost', { from: index, to: index }));
  ledger.close();
  const rig = await up();
  const { gaps } = rig.snapshot();
  expect(gaps).toHaveLength(MAX_GAPS);
  const seen: number[] = gaps.map(({ id }) => id);
  for (let before: number | null = seen.at(-1) ?? null; before !== null; ) {
    const page = channels['gaps.list'].output.parse(rig.core.handlers['gaps.list']({ before }));
    seen.push(...page.gaps.map(({ id }) => id));
    before = page.next;
  }
  expect(seen.slice(-250)).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
});

test('a snapshot holds an open gap, however many came later', async () => {
  const ledger = openLedger(bench.folder, 'then');
  ledger.openGap('lost', '2026-01-01T00:00:00.000Z', null, message('gap.lost', { from: 1, to: 1 }));
  for (let count = 1; count <= MAX_GAPS; count += 1) {
    ledger.openGap('downtime', '2026-01-02T00:00:00.000Z', null, message('connection.not_running'));
    ledger.caughtUp({ world: Date.parse('2026-01-03T00:00:00Z'), here: 0 }, 0);
  }
  ledger.close();
  const { gaps } = (await up()).snapshot();
  expect([gaps.length, gaps.filter(({ closed }) => !closed).map(({ id }) => id)]).toEqual([MAX_GAPS, [1]]);
});

test.each([
  [undefined, undefined],
  [{ retention: { days: 90, megabytes: 200 } }, { retention: { days: 90, megabytes: 200 } }],
  [{ retention: { days: 90, megabytes: 200, later: 1 } }, { retention: { days: 90, megabytes: 200 } }],
  [{ retention: { days: 1, megabytes: 1 } }, { retention: DEFAULT_LEDGER_RETENTION }],
  ['text', { retention: DEFAULT_LEDGER_RETENTION }],
])('settings with the policy %j', (given, expected) => {
  const read = readSettings(JSON.stringify({ ...DEFAULT_SETTINGS, ledger: given }));
  expect(read).toMatchObject({ status: 'valid' });
  expect(read.status === 'valid' && read.settings.ledger).toEqual(expected);
});
