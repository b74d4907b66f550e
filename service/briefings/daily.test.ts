// Service, briefings, test: daily briefings about markets with different hours.
import { describe, expect, test } from 'vitest';
import { emptyPowers } from '../../shared/domain/factors.ts';
import { sessionClose } from '../../shared/domain/sessions.ts';
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Reading } from '../engine/types.ts';
import { createChoice } from './choice.ts';
import type { BriefingContext, BriefingDay, Change, SymbolSnapshot } from './context.ts';
import { daily } from './daily.ts';
import type { Draft } from './draft.ts';

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
  };
}

const into = (symbol: string, instant: number, to: State = 2): Change => ({ symbol, from: 0, to, at: instant });
/** The same briefing in thirty draws of its wordings. */
const drafts = (type: Parameters<typeof daily>[0], context: BriefingContext, date: string): Draft[] =>
  Array.from({ length: 30 }, (_, draw) => daily(type)(context, createChoice('test', String(draw)), date));
const MONDAY = '2026-03-02';
const TUESDAY = '2026-03-03';
const closeOfSpy = sessionClose('us', MONDAY);

describe('a change at the close of one market', () => {
  const spy = snapshot('SPY', { closed: MONDAY });
  const changes = [into('SPY', closeOfSpy), into('BTC', at('2026-03-02T22:00:00Z'))];

  test('is reported although another market closed later', () => {
    const btc = snapshot('BTC', { assetClass: 'crypto', closed: MONDAY });
    const context = contextOf('2026-03-03T13:30:00Z', [spy, btc], changes);
    for (const { body } of drafts('pre-market', context, TUESDAY))
      expect(body).toMatch(/one symbol has changed state at its last close\./);
  });

  test('is reported although another market is open', () => {
    const btc = snapshot('BTC', { assetClass: 'crypto', closed: MONDAY, now: 0.02 });
    const context = contextOf('2026-03-03T13:30:00Z', [spy, btc], changes);
    for (const { body } of drafts('pre-market', context, TUESDAY))
      expect(body).toMatch(/one symbol has changed state at or since its last close\./);
    for (const { body } of drafts('midday', context, TUESDAY))
      expect(body).toMatch(
        /[Oo]ne change (of state )?since the last close of each symbol|Since the last close of each symbol there was one change/,
      );
    const quiet = contextOf('2026-03-03T13:30:00Z', [spy, btc], []);
    for (const { body } of drafts('pre-market', quiet, TUESDAY))
      expect(body).toMatch(/no symbols have changed state at or since their last close\./);
  });

  test('of all markets has one name where they close together', () => {
    const forming = [snapshot('SPY', { closed: MONDAY, now: 0.01 }), snapshot('QQQ', { closed: MONDAY, now: 0.01 })];
    const trading = contextOf('2026-03-03T17:30:00Z', forming, [into('SPY', closeOfSpy), into('QQQ', closeOfSpy + 1)]);
    for (const { body } of drafts('pre-market', trading, TUESDAY))
      expect(body).toMatch(/one symbol has changed state since the last close\./);
    const over = contextOf('2026-03-03T13:30:00Z', [spy, snapshot('QQQ', { closed: MONDAY })], []);
    for (const { body } of drafts('pre-market', over, TUESDAY))
      expect(body).toMatch(/no state has changed at the last close\./);
  });
});

describe('symbols without a price of the day', () => {
  const trading = ['SPY', 'QQQ', 'IWM'].map((symbol) => snapshot(symbol, { closed: MONDAY, now: 0.002 }));
  const waiting = ['XLE', 'XLF'].map((symbol) => snapshot(symbol, { closed: MONDAY, last: 0.3 }));
  const context = contextOf('2026-03-03T17:30:00Z', [...trading, ...waiting], []);

  test('are neither counted nor ranked at midday, and their number is named', () => {
    for (const { title, body } of drafts('midday', context, TUESDAY)) {
      expect(body).toMatch(
        /\b3 of 3 symbols (are above|trade above) their last close\. The other two have no price of the day\./,
      );
      expect(`${title}\n${body}`).not.toMatch(/XLE|XLF/);
      expect(body).toMatch(
        /Three of 3 symbols are up\. The other two|Advancers 3, the rest 0\. The other two|Up: 3 of 3\. The other two/,
      );
    }
  });

  test('are not counted after the close, when the others have closed', () => {
    const closed = ['SPY', 'QQQ', 'IWM'].map((symbol) => snapshot(symbol, { closed: TUESDAY, last: -0.01 }));
    const btc = snapshot('BTC', { assetClass: 'crypto', closed: MONDAY, now: 0.02 });
    const [late = btc] = waiting;
    const after = contextOf('2026-03-03T21:30:00Z', [...closed, btc, late], []);
    for (const { body } of drafts('after-hours', after, TUESDAY)) {
      expect(body).toMatch(/\b1 of 4 symbols (higher|rose)/);
      expect(body).toContain('The other one has no price of the day.');
    }
  });

  test('are all of them in a briefing of closes', () => {
    const closed = ['SPY', 'QQQ', 'IWM'].map((symbol) => snapshot(symbol, { closed: MONDAY }));
    const after = contextOf('2026-03-02T21:30:00Z', closed, []);
    for (const { body } of drafts('after-hours', after, MONDAY)) {
      expect(body).toMatch(/\b3 of 3 symbols (higher|rose)/);
      expect(body).not.toContain('The other');
    }
  });
});

test('at midday without a session in progress, closes of several days are not one day', () => {
  const spy = snapshot('SPY', { closed: '2026-02-27' });
  const btc = snapshot('BTC', { assetClass: 'crypto', closed: '2026-03-01' });
  for (const { body } of drafts('midday', contextOf('2026-03-02T17:30:00Z', [spy, btc], []), MONDAY)) {
    expect(body).toMatch(/goes by the last close of each symbol;|the last close of each symbol is in\./);
    expect(body).not.toContain('Sunday');
  }
  for (const { body } of drafts('midday', contextOf('2026-03-02T17:30:00Z', [spy], []), MONDAY))
    expect(body).toMatch(/goes by Friday's closes;|Friday's closes are the last in\./);
});
