// Service, briefings, test: daily briefings about markets with different hours.
import { describe, expect, test } from 'vitest';
import { emptyPowers } from '../../shared/domain/factors.ts';
import type { DueEvent } from '../../shared/domain/scheduled-events.ts';
import { sessionClose } from '../../shared/domain/sessions.ts';
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Reading } from '../engine/types.ts';
import type { BriefingContext, BriefingDay, Change, SymbolSnapshot } from './context.ts';
import { daily } from './scheduled.ts';

const PAST = 40;
const at = (text: string): number => Date.parse(text);

const reading = (date: string, close: number): Reading => ({
  ...{ date, close, state: 0, isWithheld: false, rule: null, probability: null, claim: 'event' },
  ...{ confidence: null, baseRate: null, regime: null, regimeProbabilities: null, powers: emptyPowers() },
  ...{ contributions: emptyPowers(), drawdownFraction: null, breachLevel: null },
});

interface Given {
  readonly assetClass?: 'etf' | 'crypto';
  /** Date of the last close. */
  readonly closed: string;
  /** Change of the last closed session. */
  readonly last?: number;
  /** Change of the session in progress; absent: no session is in progress. */
  readonly now?: number;
}

/** Weekdays of New York, or every day of a coin, each 1 % up or down. */
function snapshot(symbol: string, { assetClass = 'etf', closed, last = 0.01, now }: Given): SymbolSnapshot {
  const days: BriefingDay[] = [];
  for (let day = at(closed); days.length < PAST; day -= DAY_MS) {
    if (assetClass === 'etf' && new Date(day).getUTCDay() % 6 === 0) continue;
    const close = days.length === 0 ? 100 * (1 + last) : 100 + ((days.length + 1) % 2);
    const closedAt = sessionClose(assetClass === 'etf' ? 'us' : 'always', dateOf(day));
    days.unshift({
      ...{ closedAt, reading: reading(dateOf(day), close), state: 0, announced: null },
      ...{ worst: 0, changes: 0, entries: 0 },
    });
  }
  const prices = days.map((day) => day.reading.close);
  const [before = 0, price = 0] = prices.slice(-2);
  const forming = now !== undefined;
  const present = price * (1 + (now ?? 0));
  return {
    instrument: { symbol, name: symbol, assetClass, regimeOnly: false, inputOnly: false },
    ...{ symbol, state: 0, since: 0, price: present, change: now ?? price / before - 1 },
    ...{ confidence: null, baseRate: null, regime: null, regimeSince: null, forming, days },
    reading: reading(forming ? dateOf(at(closed) + DAY_MS) : closed, present),
    prices: forming ? [...prices, present] : prices,
  };
}

function contextOf(instant: string, snapshots: readonly SymbolSnapshot[], changes: readonly Change[]): BriefingContext {
  return {
    ...{ at: at(instant), snapshots, regimeOnly: [], lead: snapshots[0] as SymbolSnapshot },
    changes: (from) => ({ since: from, source: 'log', list: changes.filter((change) => change.at > from) }),
    regime: () => null,
    record: () => null,
    due: () => ({ events: [], unread: [] }),
  };
}

const into = (symbol: string, instant: number, to: State = 2): Change => ({ symbol, from: 0, to, at: instant });
const bodyOf = (type: Parameters<typeof daily>[0], context: BriefingContext, date: string): string =>
  daily(type)(context, date).body;
const MONDAY = '2026-03-02';
const TUESDAY = '2026-03-03';
const closeOfSpy = sessionClose('us', MONDAY);

describe('a change at the close of one market', () => {
  const spy = snapshot('SPY', { closed: MONDAY });
  const changes = [into('SPY', closeOfSpy), into('BTC', at('2026-03-02T22:00:00Z'))];

  test('a change at the close of one market is reported although another market closed later', () => {
    const btc = snapshot('BTC', { assetClass: 'crypto', closed: MONDAY });
    const context = contextOf('2026-03-03T13:30:00Z', [spy, btc], changes);
    expect(bodyOf('pre-market', context, TUESDAY)).toContain(
      'changes of state on 1 symbol at the last close of each symbol.',
    );
  });

  test('a change at the close of one market is reported although another market is open', () => {
    const btc = snapshot('BTC', { assetClass: 'crypto', closed: MONDAY, now: 0.02 });
    const context = contextOf('2026-03-03T13:30:00Z', [spy, btc], changes);
    expect(bodyOf('pre-market', context, TUESDAY)).toContain(
      'changes of state on 1 symbol at or since the last close of each symbol.',
    );
    expect(bodyOf('midday', context, TUESDAY)).toContain(
      '1 change at or since the last close of each symbol, on 1 symbol: 1 into High Risk',
    );
    const quiet = contextOf('2026-03-03T13:30:00Z', [spy, btc], []);
    expect(bodyOf('pre-market', quiet, TUESDAY)).toContain('changes of state on 0 symbols at or since');
  });

  test('the last close has one name where all markets close together', () => {
    const forming = [snapshot('SPY', { closed: MONDAY, now: 0.01 }), snapshot('QQQ', { closed: MONDAY, now: 0.01 })];
    const trading = contextOf('2026-03-03T17:30:00Z', forming, [into('SPY', closeOfSpy), into('QQQ', closeOfSpy + 1)]);
    expect(bodyOf('pre-market', trading, TUESDAY)).toContain('changes of state on 1 symbol since the last close.');
    const over = contextOf('2026-03-03T13:30:00Z', [spy, snapshot('QQQ', { closed: MONDAY })], []);
    expect(bodyOf('pre-market', over, TUESDAY)).toContain('changes of state on 0 symbols at the last close.');
  });
});

describe('symbols without a price of the day', () => {
  const trading = ['SPY', 'QQQ', 'IWM'].map((symbol) => snapshot(symbol, { closed: MONDAY, now: 0.002 }));
  const waiting = ['XLE', 'XLF'].map((symbol) => snapshot(symbol, { closed: MONDAY, last: 0.3 }));
  const context = contextOf('2026-03-03T17:30:00Z', [...trading, ...waiting], []);

  test('symbols without a price of the day are neither counted nor ranked at midday, and their number is named', () => {
    const { title, body } = daily('midday')(context, TUESDAY);
    expect(body).toContain('3 of 3 symbols are above their last close. The other 2 have no price of the day.');
    expect(`${title}\n${body}`).not.toMatch(/XLE|XLF/);
  });

  test('symbols without a price of the day are not counted after the close, when the others have closed', () => {
    const closed = ['SPY', 'QQQ', 'IWM'].map((symbol) => snapshot(symbol, { closed: TUESDAY, last: -0.01 }));
    const btc = snapshot('BTC', { assetClass: 'crypto', closed: MONDAY, now: 0.02 });
    const [late = btc] = waiting;
    const after = contextOf('2026-03-03T21:30:00Z', [...closed, btc, late], []);
    expect(bodyOf('after-hours', after, TUESDAY)).toContain(
      '1 of 4 symbols rose. The other 1 has no price of the day.',
    );
  });

  test('symbols without a price of the day are all of them in a briefing of closes', () => {
    const closed = ['SPY', 'QQQ', 'IWM'].map((symbol) => snapshot(symbol, { closed: MONDAY }));
    const after = contextOf('2026-03-02T21:30:00Z', closed, []);
    const body = bodyOf('after-hours', after, MONDAY);
    expect(body).toContain('3 of 3 symbols rose.');
    expect(body).not.toContain('The other');
  });
});

test('at midday without a session in progress, closes of several days are not one day', () => {
  const spy = snapshot('SPY', { closed: '2026-02-27' });
  const btc = snapshot('BTC', { assetClass: 'crypto', closed: '2026-03-01' });
  const body = bodyOf('midday', contextOf('2026-03-02T17:30:00Z', [spy, btc], []), MONDAY);
  expect(body).toContain('by the last close of each symbol:');
  expect(body).not.toContain('Sunday');
  expect(bodyOf('midday', contextOf('2026-03-02T17:30:00Z', [spy], []), MONDAY)).toContain("by Friday's closes:");
});

test('before the open, what is due is listed, and a list that cannot be read is named; without lists nothing is said', () => {
  const spy = snapshot('SPY', { closed: MONDAY });
  const context = contextOf('2026-03-03T13:30:00Z', [spy], []);
  const event: DueEvent = {
    ...{ kind: 'earnings', symbol: 'SPY', date: TUESDAY, day: TUESDAY, days: 0, at: null, part: 'after_close' },
    ...{ zone: 'America/New_York', title: '', source: 'e.csv' },
  };
  const listed = { ...context, due: () => ({ events: [event], unread: ['d.csv'] }) };
  const body = bodyOf('pre-market', listed, TUESDAY);
  expect(body).toMatch(/## Due[^#]*Tuesday 3 March *\| SPY *\| Earnings *\| after the close/);
  expect(body).toContain('What is due is not known as a whole: d.csv cannot be read.');
  expect(bodyOf('pre-market', context, TUESDAY)).not.toContain('## Due');
});
