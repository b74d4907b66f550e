// Test: the decision about one event, by its context alone: rules, timing, reasons.

import { describe, expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { calendarsOf } from '../../../shared/domain/sessions.ts';
import { DEFAULT_GROUPING } from '../../../shared/settings/alert-rules.ts';
import { message, optionalText } from '../../../shared/text/message.ts';
import { rule } from '../../../test/harness/alert-calls.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Mute } from '../ledger/mutes.ts';
import { createEvaluator, type EvaluatorDeps, type EventHistory } from './evaluator.ts';
import { isLate } from './first-outcome.ts';
import { FLAP_LIMIT } from './flapping.ts';
import type { DispatchPolicy } from './policy.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const MINUTE = 60_000;
const PAUSE = message('paused.sandbox');

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
  attributes: null,
  body: '{}',
  assumptions: [],
  ...more,
});
const snooze = (more: Partial<Mute> = {}): Mute => ({
  id: 7,
  kind: 'snooze',
  matchers: symbolMatchers(['SPY']),
  until: 'time',
  from: NOW - MINUTE,
  untilAt: NOW + MINUTE,
  comment: '',
  madeAt: NOW,
  ...more,
});
type Given = Partial<EvaluatorDeps & EventHistory & DispatchPolicy>;
const evaluate = ({ mutes, baselineAt, recorded, changesBefore, pause, ...more }: Given = {}) =>
  createEvaluator({
    profile: 'desk',
    calendarOf: calendarsOf('production', () => null),
    ruleStore: { rules: () => [rule({})], quiet: () => null, grouping: () => DEFAULT_GROUPING },
    watch: { isWatched: () => true, listsOf: () => [], sectionsOf: () => [] },
    baseRate: () => 12,
    scheduled: { due: () => ({ events: [], isWhole: false }) },
    history: {
      mutes: mutes ?? (() => []),
      baselineAt: baselineAt ?? (() => null),
      recorded: recorded ?? (() => null),
      changesBefore: changesBefore ?? (() => 0),
    },
    world: { now: () => NOW, view: () => ({ speed: 1 }) },
    policy: { pause: pause ?? (() => null), inhibitor: () => null, unknownShare: () => null },
    ...more,
  });
const both = rule({
  events: ['signal.normal', 'signal.elevated', 'signal.high_risk'],
  min_state: 0,
  hold_up_seconds: 30,
  hold_down_seconds: 90,
});

describe('when it is notified', () => {
  test('an alert is notified at once, with the base rate of its symbol', () => {
    const decision = evaluate({ baseRate: (symbol) => (symbol === 'SPY' ? 12 : null) })(event(), 'stream');
    expect(decision).toMatchObject({
      reason: 'matched:high-risk',
      notification: { id: 'barograph:e1', outcome: 'batched', batch: 'group:0:', baseRate: 12 },
    });
  });

  test('a rise is held for the hold time of rises, a fall for that of falls', () => {
    const ruleStore: EvaluatorDeps['ruleStore'] = {
      rules: () => [both],
      quiet: () => null,
      grouping: () => DEFAULT_GROUPING,
    };
    expect(evaluate({ ruleStore })(event({}, 0, 2), 'stream').notification).toMatchObject({
      outcome: 'pending',
      batch: 'hold:30:e1',
    });
    expect(evaluate({ ruleStore })(event({}, 2, 1), 'stream').notification).toMatchObject({
      outcome: 'pending',
      batch: 'hold:90:e1',
    });
  });

  test('an event older than a minute, by the speed of the world, is batched as missed', () => {
    const old = event({ occurredAt: NOW - MINUTE - 1 });
    expect(evaluate()(old, 'backfill').notification).toMatchObject({
      outcome: 'batched',
      batch: 'downtime',
      reason: message('queued.missed'),
    });
    expect(evaluate()(old, 'relay').notification).toMatchObject({
      batch: 'downtime',
      reason: message('queued.late_webhook'),
    });
    expect(evaluate()(event({ occurredAt: NOW - MINUTE }), 'backfill').notification).toMatchObject({
      outcome: 'batched',
      batch: 'group:0:',
    });
    const fast = { now: () => NOW, view: () => ({ speed: 60 }) };
    expect(evaluate({ world: fast })(old, 'backfill').notification).toMatchObject({
      outcome: 'batched',
      batch: 'group:0:',
    });
    expect([0, 0.5, 1].map((speed) => isLate(MINUTE + 1, { view: () => ({ speed }) }))).toEqual([true, true, true]);
  });

  test('a change beyond the limit is batched with the others of its symbol', () => {
    expect(evaluate({ changesBefore: () => FLAP_LIMIT - 2 })(event(), 'stream').notification).toMatchObject({
      outcome: 'batched',
      batch: 'group:0:',
    });
    expect(evaluate({ changesBefore: () => FLAP_LIMIT - 1 })(event(), 'stream').notification).toMatchObject({
      outcome: 'batched',
      batch: 'flap:SPY',
    });
  });
});

describe('history', () => {
  const baselineAt = (): number => NOW + MINUTE;
  test('an event of the past from the log is recorded and not notified', () => {
    expect(evaluate({ baselineAt })(event(), 'backfill')).toMatchObject({
      reason: 'before_baseline:high-risk',
      notification: null,
    });
    expect(evaluate({ baselineAt: () => NOW })(event(), 'backfill').notification).not.toBeNull();
  });
  test('an event of the stream is no history: it was written after the connection began', () => {
    expect(evaluate({ baselineAt })(event(), 'stream').notification).toMatchObject({
      outcome: 'batched',
      batch: 'group:0:',
    });
  });
  test('an event of the past still ends a mute', () => {
    const decision = evaluate({ baselineAt, mutes: () => [snooze({ until: 'change' })] })(event(), 'backfill');
    expect(decision.ends).toEqual([{ id: 7, why: 'SPY changed' }]);
  });
});

describe('mutes', () => {
  test('mutes come before a pause: a muted alert may still be notified, a dropped one never is', () => {
    expect(evaluate({ mutes: () => [snooze()], pause: () => PAUSE })(event(), 'stream').notification).toMatchObject({
      outcome: 'muted',
      reason: message('muted.snoozed'),
    });
    expect(evaluate({ pause: () => PAUSE })(event(), 'stream').notification).toMatchObject({
      outcome: 'dropped',
      reason: PAUSE,
    });
  });
  test('mutes that the event itself ends do not mute it; the others do', () => {
    const ending = snooze({ until: 'change' });
    expect(evaluate({ mutes: () => [ending] })(event(), 'stream')).toMatchObject({
      ends: [{ id: 7 }],
      notification: { outcome: 'batched', batch: 'group:0:' },
    });
    const decision = evaluate({ mutes: () => [ending, snooze({ id: 8 })] })(event(), 'stream');
    expect(decision).toMatchObject({ ends: [{ id: 7 }], notification: { outcome: 'muted' } });
  });
});

test('every matching rule is named, in order', () => {
  const rules = [
    rule({ id: 'a', name: 'A' }),
    rule({ id: 'b', name: 'B' }),
    rule({ id: 'c', name: 'C' }),
    rule({ id: 'd', enabled: false }),
  ];
  const decision = evaluate({ ruleStore: { rules: () => rules, quiet: () => null, grouping: () => DEFAULT_GROUPING } })(
    event(),
    'stream',
  );
  expect(decision.reason).toBe('matched:a');
  expect(decision.notification?.rules).toEqual(['a', 'b', 'c']);
  expect(optionalText(decision.why)).toBe('Matches "A", "B", "C". Notified at once.');
});

test('an event that no rule matches: the nearest rule, the first of equals, or none', () => {
  const ruleStore = (...rules: ReturnType<typeof rule>[]): EvaluatorDeps['ruleStore'] => ({
    rules: () => rules,
    quiet: () => null,
    grouping: () => DEFAULT_GROUPING,
  });
  const [a, b] = [rule({ id: 'a', min_confidence: 50 }), rule({ id: 'b', min_confidence: 60 })];
  expect(evaluate({ ruleStore: ruleStore(a, b) })(event(), 'stream')).toMatchObject({
    reason: 'below_confidence:a',
    notification: null,
  });
  expect(evaluate({ ruleStore: ruleStore() })(event(), 'stream').reason).toBe('no_rule');
  expect(evaluate()(event({ event: 'news.item', transition: null }), 'stream').reason).toBeNull();
});

test('a rule that asks for what is due says so where it is not known', () => {
  const due = { when: 'only', kinds: ['earnings'], sessions: 2 } as const;
  const rules = () => [rule({ due: { ...due, kinds: [...due.kinds] } })];
  const ruleStore = { rules, quiet: () => null, grouping: () => DEFAULT_GROUPING };
  expect(evaluate({ ruleStore })(event(), 'stream').why).toEqual(
    message('decision.not_inhibited', {
      rules: '"High Risk of a watched symbol"',
      unknown: message('decision.due_unknown'),
    }),
  );
});
