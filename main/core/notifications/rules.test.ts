// Test: rules: each condition alone, their order, the nearest miss; hours over midnight, sessions.

import { describe, expect, test } from 'vitest';
import type { DueEvent } from '../../../shared/domain/scheduled-events.ts';
import { calendarsOf } from '../../../shared/domain/sessions.ts';
import {
  DEFAULT_RULE,
  type DueCondition,
  type Hours,
  isQuiet,
  isWithin,
  type Rule,
  RuleSchema,
} from '../../../shared/settings/alert-rules.ts';
import { type PlacedSymbols, type RuleContext, ruleContextOf } from './rule-context.ts';
import { evaluateRules, isDueUnknown, missOf } from './rules.ts';

const AT = Date.parse('2026-03-04T15:00:00.000Z');
const WATCHED: PlacedSymbols = { isWatched: () => true, listsOf: () => ['desk'], sectionsOf: () => [] };
const UNWATCHED: PlacedSymbols = { isWatched: () => false, listsOf: () => [], sectionsOf: () => [] };
const dueEvent: DueEvent = {
  ...{ kind: 'earnings', symbol: 'SPY', date: '2026-03-05', day: '2026-03-05', days: 1, at: null, part: null },
  ...{ zone: 'America/New_York', title: '', source: 'e.csv' },
};
/** Lists that have one event, due within one session. */
const LISTED: RuleContext['scheduled'] = {
  due: ({ within, kinds }) => ({ events: within > 0 && kinds?.includes('earnings') ? [dueEvent] : [], isWhole: true }),
};
const UNKNOWN: RuleContext['scheduled'] = { due: () => ({ events: [], isWhole: false }) };
const dueWhen = (when: DueCondition['when'], sessions: number, kinds: DueCondition['kinds'] = ['earnings']) => ({
  due: { when, kinds, sessions },
});
const context = (more: Partial<RuleContext> = {}): RuleContext => ({
  event: 'signal.high_risk',
  symbol: 'SPY',
  toState: 2,
  attributes: { confidence: 36, regime: 'stress', asset_class: 'etf' },
  priceRule: null,
  breadth: null,
  at: AT,
  now: AT,
  calendar: 'us',
  profile: 'desk',
  watch: WATCHED,
  scheduled: UNKNOWN,
  ...more,
});
const rule = (more: Partial<Rule> = {}): Rule => ({ ...DEFAULT_RULE, ...more });

describe('the default rule', () => {
  test.each([
    ['High Risk of a watched symbol', {}, null],
    ['Elevated', { event: 'signal.elevated', toState: 1 }, 'other_event'],
    ['Normal', { event: 'signal.normal', toState: 0 }, 'other_event'],
    ['a symbol that is not watched', { watch: UNWATCHED }, 'other_symbol'],
    ['a flip of the regime', { event: 'regime.flip', toState: null }, 'other_event'],
  ] as const)('%s', (_, more, miss) => expect(missOf(DEFAULT_RULE, context(more))).toBe(miss));
});

test.each<[string, Partial<Rule>, Partial<RuleContext>, string | null]>([
  ['disabled', { enabled: false }, {}, 'disabled'],
  ['it ends at that moment', { expires_at: new Date(AT).toISOString() }, {}, 'expired'],
  ['it ends later', { expires_at: new Date(AT + 1).toISOString() }, {}, null],
  ['one of its profiles', { profiles: ['replay20', 'desk'] }, {}, null],
  ['another profile', { profiles: ['replay20'] }, {}, 'other_profile'],
  ['one of its lists', { scope: { kind: 'lists', ids: ['other', 'desk'] } }, {}, null],
  ['none of its lists', { scope: { kind: 'lists', ids: ['other'] } }, {}, 'other_symbol'],
  ['its symbols, watched or not', { scope: { kind: 'symbols', symbols: ['SPY'] } }, { watch: UNWATCHED }, null],
  ['another symbol', { scope: { kind: 'symbols', symbols: ['QQQ'] } }, {}, 'other_symbol'],
  ['every symbol', { scope: { kind: 'all' } }, { watch: UNWATCHED }, null],
  ['an exception', { scope: { kind: 'all' }, except: ['QQQ', 'SPY'] }, {}, 'excepted'],
  ['no exception', { except: ['QQQ'] }, {}, null],
  ['its class', { classes: ['index', 'etf'] }, {}, null],
  ['another class', { classes: ['crypto'] }, {}, 'other_class'],
  [
    'a class that is not said',
    { classes: ['etf'] },
    { attributes: { confidence: 36, regime: 'stress' } },
    'other_class',
  ],
  [
    'no symbol at all, beside exceptions',
    { events: ['model.version'], except: ['SPY'] },
    { event: 'model.version', symbol: null, toState: null },
    null,
  ],
  [
    'no symbol at all',
    { events: ['model.version'], min_state: 2 },
    { event: 'model.version', symbol: null, toState: null, watch: UNWATCHED },
    null,
  ],
  [
    'a lower state',
    { events: ['signal.elevated', 'signal.high_risk'] },
    { event: 'signal.elevated', toState: 1 },
    'below_state',
  ],
  ['just sure enough', { min_confidence: 36 }, {}, null],
  ['not sure enough', { min_confidence: 36.1 }, {}, 'below_confidence'],
  [
    'it does not say how sure',
    { min_confidence: 1 },
    { attributes: { confidence: null, regime: 'stress' } },
    'below_confidence',
  ],
  ['its regime', { regimes: ['calm', 'stress'] }, {}, null],
  ['another regime', { regimes: ['calm'] }, {}, 'other_regime'],
  ['no regime', { regimes: ['calm'] }, { attributes: { confidence: 36, regime: null } }, 'other_regime'],
  ['in the session', { hours: { kind: 'session', calendar: 'own' } }, {}, null],
  ['only when due, and it is', dueWhen('only', 2), { scheduled: LISTED }, null],
  ['only when due, and it is later', dueWhen('only', 0), { scheduled: LISTED }, 'not_due'],
  ['only when another kind is due', dueWhen('only', 2, ['split']), { scheduled: LISTED }, 'not_due'],
  ['only when due, which is unknown', dueWhen('only', 2), {}, null],
  ['not when due, and it is', dueWhen('not', 2), { scheduled: LISTED }, 'due'],
  ['not when due, and it is later', dueWhen('not', 0), { scheduled: LISTED }, null],
  ['not when due, which is unknown', dueWhen('not', 2), {}, null],
  ['after the session', { hours: { kind: 'session', calendar: 'own' } }, { at: AT + 8 * 3_600_000 }, 'outside_hours'],
])('%s', (_, more, seen, miss) => expect(missOf(rule(more), context(seen))).toBe(miss));

test('all matching rules are named in order, else the nearest one', () => {
  const first = rule({ id: 'a', scope: { kind: 'symbols', symbols: ['QQQ'] } });
  const second = rule({ id: 'b', min_confidence: 50 });
  const third = rule({ id: 'c' });
  expect(evaluateRules([first, second], context())).toEqual({
    matched: [],
    nearest: { rule: 'b', miss: 'below_confidence' },
  });
  expect(
    evaluateRules([first, second, third], context({ attributes: { confidence: 60, regime: null } })).matched.map(
      ({ id }) => id,
    ),
  ).toEqual(['b', 'c']);
  expect(evaluateRules([], context())).toEqual({ matched: [], nearest: null });
});

describe('hours', () => {
  const within = (hours: Hours, iso: string): boolean => isWithin(hours, Date.parse(iso), 'us');
  // 2026-03-06 is a Friday.
  const night: Hours = { kind: 'daily', zone: 'Europe/Berlin', days: [5], from: '22:00', to: '07:00' };
  test.each([
    ['Friday evening', '2026-03-06T21:00:00Z', true],
    ['a minute before', '2026-03-06T20:59:00Z', false],
    ['Saturday morning belongs to Friday night', '2026-03-07T05:59:00Z', true],
    ['and ends', '2026-03-07T06:00:00Z', false],
    ['Friday morning belongs to Thursday night', '2026-03-06T05:00:00Z', false],
  ])('over midnight: %s', (_, iso, is) => expect(within(night, iso)).toBe(is));
  test('within a day', () => {
    const noon: Hours = { kind: 'daily', zone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], from: '12:00', to: '13:00' };
    expect(['11:59', '12:00', '12:59', '13:00'].map((time) => within(noon, `2026-03-06T${time}:00Z`))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
  test.each([
    ['7203.T', '2026-03-04T01:00:00Z', true],
    ['7203.T', '2026-03-04T03:00:00Z', false],
    ['7203.T', '2026-03-04T15:00:00Z', false],
    ['VOD.L', '2026-03-04T09:00:00Z', true],
    ['AAPL', '2026-03-04T09:00:00Z', false],
    ['AAPL', '2026-03-04T15:00:00Z', true],
  ])('of the own market of %s at %s, by the exchange of its suffix: %s', (symbol, iso, is) => {
    const event = {
      event: 'signal.high_risk',
      symbol,
      transition: null,
      attributes: null,
      occurredAt: Date.parse(iso),
    };
    const options = {
      profile: 'live',
      calendarOf: calendarsOf('production', () => null),
      watch: context().watch,
      scheduled: UNKNOWN,
    };
    const { calendar } = ruleContextOf(event, event.occurredAt, options);
    expect(isWithin({ kind: 'session', calendar: 'own' }, event.occurredAt, calendar)).toBe(is);
  });
  test('quiet outside of a session', () => {
    const quiet = { when: 'outside', hours: { kind: 'session', calendar: 'us' } } as const;
    expect(isQuiet(quiet, AT, 'us')).toBe(false);
    expect(isQuiet(quiet, AT + 8 * 3_600_000, 'us')).toBe(true);
    expect(isQuiet(null, AT, 'us')).toBe(false);
  });
});

describe('an invalid rule is refused', () => {
  const step = (after_minutes: number) => ({ after_minutes, channels: ['phone'] });
  test.each<[string, object]>([
    ['no event', { events: [] }],
    ['an event that there is not', { events: ['signal.extreme'] }],
    [
      'a zone that there is not',
      { hours: { kind: 'daily', zone: 'Mars/Base', days: [1], from: '09:00', to: '10:00' } },
    ],
    ['a field too many', { colour: 'red' }],
    ['an id with capitals', { id: 'High' }],
    [
      'steps of an escalation that go back in time',
      { escalation: { hours: { kind: 'always' }, steps: [step(5), step(5)] } },
    ],
  ])('%s', (_, more) => expect(RuleSchema.safeParse({ ...DEFAULT_RULE, ...more }).success).toBe(false));
});

test('a rule that matches because it is unknown what is due is told from one that matches because it is known', () => {
  expect(isDueUnknown(rule(dueWhen('not', 2)), context())).toBe(true);
  expect(isDueUnknown(rule(dueWhen('only', 2)), context({ scheduled: LISTED }))).toBe(false);
  expect(isDueUnknown(rule(), context())).toBe(false);
});
