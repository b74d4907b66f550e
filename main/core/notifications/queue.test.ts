// Test: the queue alone: due notifications, their channels, those that share one, and dropped ones.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { calendarsOf } from '../../../shared/domain/sessions.ts';
import type { State } from '../../../shared/domain/states.ts';
import { stateName } from '../../../shared/domain/states.ts';
import { DEFAULT_GROUPING, type QuietHours, type Rule } from '../../../shared/settings/alert-rules.ts';
import { type Message, message, optionalText, textOf } from '../../../shared/text/message.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import { rule } from '../../../test/harness/alert-calls.ts';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import { readEvent } from '../compat/read-event.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { notificationId } from '../ledger/notification-ids.ts';
import type { NewNotification } from '../ledger/notifications.ts';
import { createDispatchPolicy } from './policy.ts';
import { createNotificationQueue, type NotificationQueue } from './queue.ts';

const SECOND = 1_000;

let clock: ManualClock;
let ledger: Ledger;
let queue: NotificationQueue;
let rules: Rule[];
let quiet: QuietHours | null;
let pause: Message | null;
let speed: number;
let made = 0;

beforeEach(() => {
  clock = createManualClock();
  ledger = openLedger(':memory:', 'now');
  rules = [rule({ id: 'plain' }), rule({ id: 'also', channels: ['desk'] })];
  [quiet, pause, speed, made] = [null, null, 1, 0];
  queue = createNotificationQueue({
    ledger,
    policy: {
      ...createDispatchPolicy({
        environment: 'production',
        calendarOf: calendarsOf('production', () => null),
        ledger,
        ruleStore: {
          get: (id) => rules.find((one) => one.id === id) ?? null,
          quiet: () => quiet,
          hasProduction: () => true,
          grouping: () => DEFAULT_GROUPING,
        },
        clock,
        world: { now: () => clock.now() },
        lists: () => [],
        rows: () => [],
        watch: { isWatched: () => true, listsOf: () => [], sectionsOf: () => [] },
      }),
      pause: () => pause,
    },
    dispatcher: { wake: () => undefined },
    events: { emit: () => undefined, signal: () => undefined },
    clock,
    world: { now: () => clock.now(), view: () => ({ speed }) },
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  queue.start();
});
afterEach(() => {
  queue.stop();
  ledger.close();
});

interface Given extends Partial<Pick<NewNotification, 'outcome' | 'batch' | 'rules' | 'reason'>> {
  readonly from?: State;
  readonly confidence?: number;
  /** Delay after now, ms of the world. */
  readonly later?: number;
  /** Its date was impossible: it has the time of its arrival. */
  readonly isDateAssumed?: true;
}
/** Writes a change of state; without `batch` it is not notified. @returns the id of its notification */
function changes(
  symbol: string,
  to: State,
  { from = 0, confidence = 36, later = 0, isDateAssumed, ...notification }: Given = {},
): string {
  made += 1;
  const at = new Date(clock.now() + later).toISOString();
  const id = `e${made}`;
  const data = {
    event_id: id,
    symbol,
    asset_class: 'etf',
    from_state: from,
    to_state: to,
    state_name: stateName(to),
    regime: null,
    confidence,
    note: '',
    occurred_at: at,
    model_version: 'm',
  };
  const event = readEvent(
    { event_id: id, seq: made, event: signalEvent(to), timestamp: at, data },
    { receivedAt: clock.now() },
  );
  if (!event.ok) throw new Error(event.error);
  const waits: NewNotification = {
    id: notificationId(id),
    kind: 'alert',
    rules: ['plain'],
    baseRate: null,
    outcome: 'batched',
    reason: message('queued.burst'),
    batch: null,
    ...notification,
  };
  ledger.ingest({
    source: 'stream',
    events: [isDateAssumed ? { ...event.value, assumptions: ['date'] } : event.value],
    receivedAt: clock.now(),
    evaluate: () => ({
      reason: 'r',
      why: null,
      notification: waits.batch === null ? null : waits,
      ends: [],
    }),
  });
  if (waits.batch !== null) queue.arrived();
  return waits.id;
}
const unsent = (): string[] => ledger.notifications.pending(50).map(({ id, channel }) => `${channel} ${id}`);
const outcomeOf = (id: string): string | undefined => ledger.notifications.find(id)?.outcome;
const reasonOf = (id: string): string =>
  optionalText(ledger.notifications.of(ledger.notifications.eventsOf(id)[0] ?? 0)[0]?.reason ?? null);

describe('when due', () => {
  test('a single one goes to the desktop and to the channels of its rules', async () => {
    const id = changes('SPY', 2, { batch: 'group:10:', rules: ['plain', 'also'] });
    expect(unsent()).toEqual([]);
    await clock.advance(10 * SECOND);
    expect(unsent().sort()).toEqual([`desk ${id}@desk`, `desktop ${id}`]);
  });

  test('several become one, on the desktop and on every channel of their rules', async () => {
    const ids = ['A', 'B', 'C'].map((symbol, index) =>
      changes(symbol, 2, { batch: 'group:10:', rules: index === 1 ? ['also'] : ['plain'] }),
    );
    await clock.advance(10 * SECOND);
    const [first = ''] = ids;
    expect(unsent().sort()).toEqual([`desk ${first}@desk`, `desktop ${first}`]);
    expect(ledger.notifications.membersOf(first).map(({ id }) => id)).toEqual(ids);
  });

  test('each of a thousand in one notification has its own step and reason; an acknowledged one is not named', async () => {
    const reasons = [message('queued.burst'), message('queued.flapping')];
    const ids = Array.from({ length: 1_000 }, (_, index) =>
      changes('SPY', 2, { batch: 'group:10:', reason: reasons[index % 2] ?? null, later: index * SECOND }),
    );
    const acknowledged = 500;
    ledger.annotations.acknowledge(acknowledged, clock.now());
    ledger.annotations.write(501, 'seen by nobody');
    await clock.advance(10 * SECOND);
    const others = ids.filter((_, index) => index + 1 !== acknowledged);
    expect(ledger.notifications.membersOf(ids[0] ?? '').map(({ id }) => id)).toEqual(others);
    for (const [index, id] of ids.entries()) {
      const isOut = index + 1 === acknowledged;
      const step = isOut ? 'dropped' : 'digest';
      const detail = isOut
        ? message('dropped.acknowledged')
        : message('trace.digest', { others: 998, reason: reasons[index % 2] ?? '' });
      expect(ledger.trace.of(index + 1)).toEqual([{ at: clock.now(), step, detail }]);
      expect(outcomeOf(id)).toBe(index === 0 ? 'intent' : step);
    }
  });

  test('a pause that began meanwhile drops it, with its reason', async () => {
    const id = changes('SPY', 2, { batch: 'group:10:' });
    pause = message('paused.sandbox');
    await clock.advance(10 * SECOND);
    expect([outcomeOf(id), reasonOf(id), unsent()]).toEqual(['dropped', textOf(pause), []]);
  });

  test('a mute that began meanwhile delays it; it is notified at the end of the mute if still active', async () => {
    const [active, over] = [changes('SPY', 2, { batch: 'group:10:' }), changes('QQQ', 2, { batch: 'group:10:' })];
    const untilAt = clock.now() + 60 * SECOND;
    const from = clock.now();
    ledger.mutes.add(
      { kind: 'silence', matchers: symbolMatchers(null), until: 'time', from, untilAt, comment: 'lunch' },
      from,
    );
    await clock.advance(10 * SECOND);
    expect([outcomeOf(active), outcomeOf(over), unsent()]).toEqual(['muted', 'muted', []]);
    expect(queue.heldBack().map(({ symbol }) => symbol)).toEqual(['SPY', 'QQQ']);
    changes('QQQ', 0, { from: 2 });
    await clock.advance(60 * SECOND);
    expect(unsent()).toEqual([`desktop ${active}`]);
    expect(reasonOf(over)).toBe('silenced: lunch, and over before that ended');
    expect(queue.heldBack()).toEqual([]);
  });
});

describe('a hold time', () => {
  const pending = (to: State, more: Given = {}): string =>
    changes('SPY', to, { outcome: 'pending', batch: `hold:30:e${made + 1}`, ...more });

  test('drops a rise that fell back, and sends a rise that rose further', async () => {
    const fell = pending(2);
    changes('SPY', 1, { from: 2, later: 10 * SECOND });
    await clock.advance(30 * SECOND);
    expect([outcomeOf(fell), reasonOf(fell)]).toEqual(['dropped', 'it did not hold']);
    const rose = pending(1);
    changes('SPY', 2, { from: 1, later: 10 * SECOND });
    await clock.advance(30 * SECOND);
    expect(unsent()).toEqual([`desktop ${rose}`]);
  });

  test('drops a fall that rose again, and sends a fall that fell further', async () => {
    const rose = pending(1, { from: 2 });
    changes('SPY', 2, { from: 1, later: 10 * SECOND });
    await clock.advance(30 * SECOND);
    expect([outcomeOf(rose), reasonOf(rose)]).toEqual(['dropped', 'it did not hold']);
    const fell = pending(1, { from: 2 });
    changes('SPY', 0, { from: 1, later: 10 * SECOND });
    await clock.advance(30 * SECOND);
    expect(unsent()).toEqual([`desktop ${fell}`]);
  });

  test('without its true date no change counts as brief: nobody knows how long it lasted', async () => {
    const rose = pending(2, { isDateAssumed: true });
    changes('SPY', 0, { from: 2, isDateAssumed: true });
    await clock.advance(30 * SECOND);
    expect(unsent()).toEqual([`desktop ${rose}`]);
  });

  test('counts in world time: at sixty times the speed, it is sixty times as short', async () => {
    speed = 60;
    const brief = pending(2);
    changes('SPY', 0, { from: 2, later: 29 * 60 * SECOND });
    await clock.advance(30 * SECOND);
    expect(outcomeOf(brief)).toBe('dropped');
    const long = pending(2, { later: 3_600 * SECOND });
    changes('SPY', 0, { from: 2, later: 3_600 * SECOND + 30 * 60 * SECOND });
    await clock.advance(30 * SECOND);
    expect(unsent()).toEqual([`desktop ${long}`]);
  });
});
