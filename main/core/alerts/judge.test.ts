// What is decided of one event, by the facts alone: by which rules, told now, later or not, and why.
import { describe, expect, test } from 'vitest';
import { rule } from '../../../test/harness/alert-calls.ts';
import type { ReceivedEvent } from '../dialect/received-event.ts';
import { FLAP_LIMIT } from './flapping.ts';
import { createJudge, isLate, type JudgeFacts } from './judge.ts';
import type { Mute } from './mutes.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const MINUTE = 60_000;

const event = (more: Partial<ReceivedEvent> = {}, from: 0 | 1 | 2 = 0, to: 0 | 1 | 2 = 2): ReceivedEvent => ({
  eventId: 'e1',
  seq: 1,
  event: 'signal.created',
  occurredAt: NOW,
  symbol: 'SPY',
  transition: {
    event_id: 'e1',
    symbol: 'SPY',
    asset_class: 'etf',
    from_state: from,
    to_state: to,
    state_name: 'high_risk',
    regime: null,
    confidence: null,
    note: '',
    occurred_at: new Date(NOW).toISOString(),
    model_version: '',
  },
  body: '{}',
  marks: [],
  ...more,
});
const snooze = (more: Partial<Mute> = {}): Mute => ({
  id: 7,
  kind: 'snooze',
  symbols: ['SPY'],
  until: 'time',
  from: NOW - MINUTE,
  untilAt: NOW + MINUTE,
  comment: '',
  madeAt: NOW,
  ...more,
});
const judge = (more: Partial<JudgeFacts> = {}) =>
  createJudge({
    environment: 'production',
    book: { rules: () => [rule({})], quiet: () => null },
    mutes: () => [],
    isWatched: () => true,
    listsOf: () => [],
    baseRate: () => 12,
    readingPastBefore: () => null,
    world: { now: () => NOW, face: () => ({ speed: 1 }) },
    pause: () => null,
    changesBefore: () => 0,
    takePlace: () => true,
    ...more,
  });
const both = rule({
  events: ['signal.normal', 'signal.elevated', 'signal.high_risk'],
  min_state: 0,
  hold_up_seconds: 30,
  hold_down_seconds: 90,
});

describe('when it is told', () => {
  test('at once, with the base rate of the state entered', () => {
    const decision = judge({ baseRate: (symbol, state) => (symbol === 'SPY' && state === 2 ? 12 : null) })(
      event(),
      'stream',
    );
    expect(decision).toMatchObject({
      reason: 'matched:high-risk',
      telling: { id: 'barograph:e1', outcome: 'intent', baseRate: 12 },
    });
  });

  test('a rise is held as long as rises are, a fall as long as falls are', () => {
    const book: JudgeFacts['book'] = { rules: () => [both], quiet: () => null };
    expect(judge({ book })(event({}, 0, 2), 'stream').telling).toMatchObject({ outcome: 'held', bin: 'hold:30:e1' });
    expect(judge({ book })(event({}, 2, 1), 'stream').telling).toMatchObject({ outcome: 'held', bin: 'hold:90:e1' });
  });

  test('what is more than a minute old was missed, by the speed of the world, and waits for the others that were', () => {
    const old = event({ occurredAt: NOW - MINUTE - 1 });
    expect(judge()(old, 'backfill').telling).toMatchObject({
      outcome: 'gathered',
      bin: 'away',
      reason: 'came while nothing was seen',
    });
    expect(judge()(old, 'relay').telling).toMatchObject({ bin: 'away', reason: 'came late, by webhook' });
    expect(judge()(event({ occurredAt: NOW - MINUTE }), 'backfill').telling).toMatchObject({ outcome: 'intent' });
    const fast = { now: () => NOW, face: () => ({ speed: 60 }) };
    expect(judge({ world: fast })(old, 'backfill').telling).toMatchObject({ outcome: 'intent' });
    expect([0, 0.5, 1].map((speed) => isLate(MINUTE + 1, { face: () => ({ speed }) }))).toEqual([true, true, true]);
  });

  test('the change that makes it one too many is told with the others of its symbol', () => {
    expect(judge({ changesBefore: () => FLAP_LIMIT - 2 })(event(), 'stream').telling).toMatchObject({
      outcome: 'intent',
    });
    expect(judge({ changesBefore: () => FLAP_LIMIT - 1 })(event(), 'stream').telling).toMatchObject({
      outcome: 'gathered',
      bin: 'flap:SPY',
    });
  });

  test('a place among those that are told alone is taken by nothing that waits or is dropped', () => {
    let taken = 0;
    const takePlace = (): boolean => {
      taken += 1;
      return false;
    };
    judge({ takePlace, mutes: () => [snooze()] })(event(), 'stream');
    judge({ takePlace, pause: () => 'a pause' })(event(), 'stream');
    judge({ takePlace })(event({ occurredAt: NOW - 2 * MINUTE }), 'backfill');
    judge({ takePlace, changesBefore: () => FLAP_LIMIT })(event(), 'stream');
    expect(taken).toBe(0);
    expect(judge({ takePlace })(event(), 'stream').telling).toMatchObject({ outcome: 'gathered', bin: 'burst' });
  });
});

describe('the past', () => {
  const readingPastBefore = (): number => NOW + MINUTE;
  test('that the log brings is written down and told nobody', () => {
    expect(judge({ readingPastBefore })(event(), 'backfill')).toMatchObject({
      reason: 'before_first_sight:high-risk',
      telling: null,
    });
    expect(judge({ readingPastBefore: () => NOW })(event(), 'backfill').telling).not.toBeNull();
  });
  test('is nothing that the stream brings: it was written after we began to listen', () => {
    expect(judge({ readingPastBefore })(event(), 'stream').telling).toMatchObject({ outcome: 'intent' });
  });
  test('ends a mute all the same', () => {
    const decision = judge({ readingPastBefore, mutes: () => [snooze({ until: 'change' })] })(event(), 'backfill');
    expect(decision.ends).toEqual([{ id: 7, why: 'SPY changed' }]);
  });
});

describe('mutes', () => {
  test('come before a pause: what is kept back may still be told, what is dropped never is', () => {
    expect(judge({ mutes: () => [snooze()], pause: () => 'a pause' })(event(), 'stream').telling).toMatchObject({
      outcome: 'muted',
      reason: 'snoozed',
    });
    expect(judge({ pause: () => 'a pause' })(event(), 'stream').telling).toMatchObject({
      outcome: 'dropped',
      reason: 'a pause',
    });
  });
  test('that the event itself ends do not keep it back; the others do', () => {
    const ending = snooze({ until: 'change' });
    expect(judge({ mutes: () => [ending] })(event(), 'stream')).toMatchObject({
      ends: [{ id: 7 }],
      telling: { outcome: 'intent' },
    });
    const decision = judge({ mutes: () => [ending, snooze({ id: 8 })] })(event(), 'stream');
    expect(decision).toMatchObject({ ends: [{ id: 7 }], telling: { outcome: 'muted' } });
  });
});

test('every rule that fits is named, and every one with an outlet tells there, not the first alone', () => {
  const outlet = { kind: 'ntfy', url: 'https://ntfy.example/desk' } as const;
  const rules = [
    rule({ id: 'a', name: 'A' }),
    rule({ id: 'b', name: 'B', outlet }),
    rule({ id: 'c', enabled: false, outlet }),
  ];
  const decision = judge({ book: { rules: () => rules, quiet: () => null } })(event(), 'stream');
  expect(decision).toMatchObject({ reason: 'matched:a', outlets: ['b'], telling: { rules: ['a', 'b'] } });
  expect(decision.why).toBe('It fits "A", "B". Told at once.');
});

test('what no rule asks for: which came nearest, the first of equals, or that there is none', () => {
  const book = (...rules: ReturnType<typeof rule>[]): JudgeFacts['book'] => ({ rules: () => rules, quiet: () => null });
  const [a, b] = [rule({ id: 'a', min_confidence: 50 }), rule({ id: 'b', min_confidence: 60 })];
  expect(judge({ book: book(a, b) })(event(), 'stream')).toMatchObject({ reason: 'below_confidence:a', telling: null });
  expect(judge({ book: book() })(event(), 'stream').reason).toBe('no_rule');
  expect(judge()(event({ event: 'news.item', transition: null }), 'stream').reason).toBeNull();
});
