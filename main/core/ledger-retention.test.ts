// Test: retention of the ledger in a core: when it runs, what the window may ask and change.
import { describe, expect, test } from 'vitest';
import { channels } from '../../shared/channels/channels.ts';
import { DEFAULT_LEDGER_RETENTION, LedgerDetailsSchema } from '../../shared/channels/ledger.ts';
import { MAX_GAPS } from '../../shared/channels/state.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { message } from '../../shared/text/message.ts';
import { setUpCoreBench } from '../../test/harness/core-bench.ts';
import type { CoreRig } from '../../test/harness/core-rig.ts';
import { openLedger } from './ledger/ledger.ts';
import { DEFAULT_SETTINGS, readSettings } from './profiles/settings.ts';

const bench = setUpCoreBench();

const OLD_EVENTS = 1_500;
/** A ledger with events of 500 days ago. */
function oldLedger(): void {
  const ledger = openLedger(bench.folder, 'then');
  const at = bench.clock.now() - 500 * DAY_MS;
  const put = ledger.db.prepare(
    `INSERT INTO events (event_id, seq, log, event, symbol, to_state, occurred_s, received_ms, sources, body, duplicate_index)
     VALUES (?, NULL, 1, 'signal.elevated', 'OLD', 1, ?, ?, 'stream', '{}', ?)`,
  );
  ledger.db.transaction(() => {
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
