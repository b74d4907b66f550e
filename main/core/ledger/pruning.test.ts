// Test: events that retention removes or keeps, and repeats of removed ones, without notification.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { event, START, setUpLedger } from '../../../test/harness/ledger-bench.ts';
import { casesOf } from '../../../test/harness/run-length.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { canShrink, pagesOf } from '../files/sqlite-file.ts';
import type { Ledger } from './ledger.ts';
import { type PruningLimits, pruneLedger } from './pruning.ts';
import { KEPT_EVENTS } from './removal.ts';

const bench = setUpLedger();
const { take } = bench;

/** Everything is old. */
const LATER = START + 3_650 * DAY_MS;
const ALL: PruningLimits = { here: LATER, world: LATER, bytes: Infinity, identity: START - 30 * DAY_MS };
const SIZE_ONLY: PruningLimits = { ...ALL, here: -Infinity, world: -Infinity };

function prune(ledger: Ledger, limits: Partial<PruningLimits> = {}): number {
  let removed = 0;
  for (const step of pruneLedger(ledger.db(), { ...ALL, ...limits }, () => 40)) removed += step.removed;
  ledger.removed.reload();
  return removed;
}

/** Marks every event as shown and acknowledged. */
function settle({ db }: Ledger): void {
  db().exec("UPDATE notifications SET outcome = 'shown' WHERE outcome = 'intent'");
  db().exec("INSERT OR IGNORE INTO annotations SELECT ledger_id, 1, '' FROM notifications");
}

const series = (from: number, to: number, more: Parameters<typeof event>[1] = {}): ReceivedEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index, more));
/** Adds so many events that every earlier one may be removed. */
function fill(ledger: Ledger, from: number): void {
  take(series(from, from + KEPT_EVENTS - 1, { symbol: 'FILL', state: 1 }), 'backfill', `e${from - 1}`);
  expect(ledger.count()).toBeGreaterThanOrEqual(KEPT_EVENTS);
}
const has = (ledger: Ledger, id: string): boolean => ledger.entries.findById(id) !== undefined;
const rows = ({ db }: Ledger, table: string): number =>
  db().prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? -1;

describe('by age', () => {
  test('removes an event with its notifications, trace, annotation and further ids', () => {
    const { ledger } = bench;
    take([event(1), event(2), event(3)], 'backfill', null);
    settle(ledger);
    ledger.trace.append(1, 'dispatched', null, 1);
    take([event(1, { eventId: 'again', seq: null, assumptions: ['id'] })], 'poll');
    fill(ledger, 4);
    expect(prune(ledger)).toBe(2);
    expect([has(ledger, 'e1'), has(ledger, 'e2'), has(ledger, 'e3')]).toEqual([false, false, true]);
    expect(ledger.trace.of(1)).toEqual([]);
    expect([rows(ledger, 'notifications'), rows(ledger, 'annotations'), rows(ledger, 'aliases')]).toEqual([1, 1, 0]);
    expect(ledger.size()).toBe(KEPT_EVENTS + 1);
    expect(ledger.count()).toBe(KEPT_EVENTS + 3);
  });

  test('an event is old when both clocks say so', () => {
    const { ledger } = bench;
    take([event(1), event(2), event(3)], 'backfill', null);
    settle(ledger);
    fill(ledger, 4);
    expect(prune(ledger, { here: START })).toBe(0);
    expect(prune(ledger, { world: START })).toBe(0);
    expect(prune(ledger, { world: START + 90_000 })).toBe(1);
    expect(has(ledger, 'e1')).toBe(false);
  });

  test('the newest events stay', () => {
    take(series(1, KEPT_EVENTS, { state: 1 }), 'backfill', null);
    expect(prune(bench.ledger)).toBe(0);
  });
});

describe('stays, whatever its age', () => {
  const kept = (change: (ledger: Ledger) => void): boolean => {
    const { ledger } = bench;
    take([event(1), event(2), event(3)], 'backfill', null);
    settle(ledger);
    change(ledger);
    fill(ledger, 4);
    prune(ledger);
    return has(ledger, 'e1');
  };

  test('but not an acknowledged event that was shown', () => {
    expect(kept(() => undefined)).toBe(false);
  });
  test.each(['intent', 'failed', 'muted'])('an event whose notification is %s', (outcome) => {
    expect(kept(({ db }) => void db().prepare('UPDATE notifications SET outcome = ?').run(outcome))).toBe(true);
  });
  test('an unacknowledged event', () => {
    expect(kept(({ db }) => void db().exec('DELETE FROM annotations'))).toBe(true);
  });
  test('an event with a note', () => {
    expect(kept(({ annotations }) => annotations.write(1, 'mine'))).toBe(true);
  });
  test('the event from which back-fill begins', () => {
    expect(kept(({ metadata }) => metadata.set('proven_event', 'e1'))).toBe(true);
  });
  test('an event in a pending digest', () => {
    expect(
      kept(({ db }) => {
        db().exec("UPDATE notifications SET outcome = 'digest', digest_id = 'd' WHERE ledger_id < 3");
        db().exec(
          `INSERT INTO notifications (id, ledger_id, channel, kind, rules, intent_ms, outcome, reason, detail, attempts)
           VALUES ('d', 2, 'desktop', 'digest', '', 1, 'intent', '', '', 0)`,
        );
      }),
    ).toBe(true);
  });
  test('a digest, while one of its events stays', () => {
    const { ledger } = bench;
    take([event(1), event(2), event(3)], 'backfill', null);
    settle(ledger);
    ledger.db().exec(
      `UPDATE notifications SET outcome = 'digest', digest_id = 'd';
       INSERT INTO notifications (id, ledger_id, channel, kind, rules, intent_ms, outcome, reason, detail, attempts)
         VALUES ('d', 1, 'desktop', 'digest', '', 1, 'shown', '', '', 0), ('d@desk', 1, 'desk', 'digest', '', 1, 'sent', '', '', 0)`,
    );
    fill(ledger, 4);
    prune(ledger);
    expect([has(ledger, 'e1'), ledger.notifications.eventsOf('d')]).toEqual([false, [3]]);
    take([event(KEPT_EVENTS + 4, { state: 0 })], 'backfill', `e${KEPT_EVENTS + 3}`);
    fill(ledger, KEPT_EVENTS + 5);
    prune(ledger);
    expect([has(ledger, 'e3'), ledger.notifications.find('d'), ledger.notifications.find('d@desk')]).toEqual([
      false,
      null,
      null,
    ]);
  });
  test('a notification that grew, while a joined event stays', () => {
    const { ledger } = bench;
    const { notifications } = ledger;
    take([event(1), event(2), event(3)], 'backfill', null);
    notifications.grow('n:e1', ['n:e3'], START);
    notifications.record('n:e1', 'shown', START, null);
    settle(ledger);
    ledger.db().exec("UPDATE notifications SET outcome = 'digest' WHERE id = 'n:e3'");
    fill(ledger, 4);
    prune(ledger);
    expect([has(ledger, 'e1'), notifications.dispatchOf(3)?.outcome]).toEqual([false, 'shown']);
    take([event(KEPT_EVENTS + 4, { state: 0 })], 'backfill', `e${KEPT_EVENTS + 3}`);
    fill(ledger, KEPT_EVENTS + 5);
    prune(ledger);
    expect([has(ledger, 'e3'), notifications.find('n:e1')]).toEqual([false, null]);
  });
});

describe('by size', () => {
  test('the oldest go until there is room, and the file shrinks', () => {
    const { ledger, folder } = bench;
    const body = 'x'.repeat(4_000);
    for (let from = 1; from <= 4_000; from += 500)
      take(series(from, from + 499, { state: 1, body }), 'backfill', from === 1 ? null : `e${from - 1}`);
    ledger.db().pragma('wal_checkpoint(TRUNCATE)');
    const before = statSync(join(folder, 'ledger.sqlite')).size;
    expect(canShrink(ledger.db())).toBe(true);
    const bytes = 10 * 1024 * 1024;
    expect(prune(ledger, { ...SIZE_ONLY, bytes })).toBeGreaterThan(1_000);
    ledger.db().pragma('wal_checkpoint(TRUNCATE)');
    expect(statSync(join(folder, 'ledger.sqlite')).size).toBeLessThan(Math.min(bytes, before));
    expect(pagesOf(ledger.db()).free).toBe(0);
    expect([has(ledger, 'e1'), has(ledger, 'e4000')]).toEqual([false, true]);
    expect(prune(ledger, { ...SIZE_ONLY, bytes })).toBe(0);
  });
});

describe('a repeat of a removed event', () => {
  const removeFirst = (): Ledger => {
    const { ledger } = bench;
    take([event(1), event(2), event(3)], 'backfill', null);
    settle(ledger);
    fill(ledger, 4);
    expect(prune(ledger)).toBe(2);
    return ledger;
  };
  const isNotified = (events: ReceivedEvent[], ...more: [('stream' | 'backfill' | 'relay')?, (string | null)?]) =>
    take(events, ...more).waits;

  test('is known by its id, from any source', () => {
    removeFirst();
    expect(isNotified([event(1)], 'stream')).toBe(false);
    expect(isNotified([event(1)], 'relay')).toBe(false);
    expect(isNotified([event(1), event(2)], 'backfill', null)).toBe(false);
    bench.reopen();
    expect(isNotified([event(1)], 'relay')).toBe(false);
  });

  test('is known by symbol, state and second in another log with other ids', () => {
    removeFirst();
    const copied = series(1, 3).map((one) => ({ ...one, eventId: `x${one.eventId}`, transition: one.transition }));
    expect(take(copied, 'backfill', null)).toMatchObject({ waits: false, replaced: true });
  });

  test('a new event of the same symbol, state and second, which the log numbers as new, is notified', () => {
    const ledger = removeFirst();
    const seq = KEPT_EVENTS + 4;
    expect(isNotified([event(seq, { occurredAt: START + 60_000 })])).toBe(true);
    expect(has(ledger, `e${seq}`)).toBe(true);
  });

  test('a known id with other content is another event', () => {
    removeFirst();
    const other = event(1, { symbol: 'QQQ' });
    expect(isNotified([other], 'relay')).toBe(true);
    expect(isNotified([other], 'relay')).toBe(false);
  });

  test('identities are forgotten from the oldest on, never of the last thirty days', () => {
    const ledger = removeFirst();
    ledger.metadata.set('removed_hashes', '1000000');
    prune(ledger, { bytes: 1e9, identity: START - 30 * DAY_MS });
    expect(ledger.removed.has('e1')).toBe(true);
    ledger.metadata.set('removed_hashes', '100000000');
    prune(ledger, { bytes: 1e9, identity: START + 90_000 });
    expect([ledger.removed.has('e1'), ledger.removed.has('e2')]).toEqual([false, true]);
    // A listed old event counts as removed; a pushed one is new.
    expect(isNotified([event(1)], 'backfill', null)).toBe(false);
    // Also without any stored identity.
    ledger.db().exec('DELETE FROM removed_events');
    ledger.removed.reload();
    expect(isNotified([event(1)], 'backfill', null)).toBe(false);
  });
});

const SYMBOLS = ['SPY', 'QQQ', 'IWM'];
const commands = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('new' as const),
        symbol: fc.constantFrom(...SYMBOLS),
        state: fc.constantFrom(0, 1, 2),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('repeat' as const),
        at: fc.nat(),
        by: fc.constantFrom('stream', 'relay', 'backfill'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('list' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('prune' as const) }) },
  ),
  { minLength: 5, maxLength: 40 },
);

test('after any arrivals and runs: no event is notified twice, and the newest state of every symbol stays', () => {
  fc.assert(
    fc.property(commands, (sequence) => {
      bench.restart();
      const { ledger } = bench;
      const log: ReceivedEvent[] = [];
      const notified = new Map<string, number>();
      const receive = (...given: Parameters<typeof take>) => {
        const { added } = take(...given);
        for (const { event: one } of added)
          if (one.transition?.to_state === 2) notified.set(one.eventId, (notified.get(one.eventId) ?? 0) + 1);
      };
      for (const command of sequence) {
        if (command.kind === 'new') {
          const one = event(log.length + 1, { symbol: command.symbol, state: command.state as 0 | 1 | 2 });
          receive([one], 'backfill', log.at(-1)?.eventId ?? null);
          log.push(one);
        } else if (command.kind === 'repeat') {
          const one = log[command.at % Math.max(1, log.length)];
          if (one !== undefined) receive([one], command.by as 'stream');
        } else if (command.kind === 'list') receive(log, 'backfill', null);
        else {
          settle(ledger);
          for (const step of pruneLedger(ledger.db(), ALL, () => 3, 2)) expect(step.removed).toBeLessThanOrEqual(3);
          ledger.removed.reload();
        }
        for (const symbol of SYMBOLS) {
          const last = log.findLast((one) => one.symbol === symbol);
          const known = ledger.entries.signalsOf(symbol, 0, 100).at(-1);
          expect(known?.event_id).toBe(last?.eventId);
        }
      }
      expect([...notified.values()].filter((times) => times > 1)).toEqual([]);
      expect(notified.size).toBe(log.filter((one) => one.transition?.to_state === 2).length);
      expect(ledger.cursor().eventId).toBe(log.at(-1)?.eventId ?? null);
    }),
    { numRuns: casesOf(60, 10) },
  );
});
