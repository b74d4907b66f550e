// Service, briefings, test: what briefings say of one symbol, its chance and its past.
import { describe, expect, test } from 'vitest';
import type { Claim } from '../../shared/domain/claims.ts';
import { emptyPowers } from '../../shared/domain/factors.ts';
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Reading } from '../engine/types.ts';
import type { BriefingContext, BriefingDay, SymbolSnapshot } from './context.ts';
import { deep, profile } from './deep.ts';
import { states } from './market-sections.ts';
import { ninetyDays, record } from './symbol-sections.ts';
import { type Entry, transition } from './transition.ts';

const AT = Date.parse('2026-03-02T15:00:00Z');

interface Given {
  readonly claim?: Claim;
  /** States of the closes, oldest first. */
  readonly closes?: readonly State[];
}

function snapshot(symbol: string, { claim = 'event', closes = Array<State>(40).fill(0) }: Given): SymbolSnapshot {
  const reading = (date: string, close: number): Reading => ({
    ...{ date, close, state: 0, isWithheld: false, rule: null, probability: null, claim, confidence: 30 },
    ...{ baseRate: 27, regime: null, regimeProbabilities: null, powers: emptyPowers() },
    ...{ contributions: emptyPowers(), drawdownFraction: null, breachLevel: null },
  });
  const days = closes.map((state, index): BriefingDay => {
    const closedAt = AT - (closes.length - index) * DAY_MS;
    const close = 100 + (index % 2);
    return {
      ...{ closedAt, reading: reading(dateOf(closedAt), close), state, announced: null },
      ...{ worst: state, changes: 0, entries: 0 },
    };
  });
  return {
    instrument: { symbol, name: symbol, assetClass: 'etf', regimeOnly: false, inputOnly: false },
    ...{ symbol, state: 2, since: 0, price: 90, change: -0.1, confidence: 30, baseRate: 27 },
    ...{ regime: null, regimeSince: null, reading: reading(dateOf(AT), 90), forming: true, days },
    prices: [...days.map((day) => day.reading.close), 90],
  };
}

const contextOf = (...snapshots: readonly SymbolSnapshot[]): BriefingContext => ({
  ...{ at: AT, snapshots, regimeOnly: [], lead: snapshots[0] as SymbolSnapshot },
  changes: (from) => ({ since: from, source: 'log', list: [] }),
  regime: () => null,
  record: () => ({ precision: 0.4, recall: 0.5, signals: 10, events: 8, bars: 1000 }),
  due: () => ({ events: [], unread: [] }),
});
const entry = (symbol: string, confidence_of: Claim): Entry => ({
  ...{ symbol, from_state: 0, confidence: 30, confidence_of, regime: null, note: 'A note.' },
  occurred_at: new Date(AT).toISOString(),
});
describe('a base rate is given for its own claim alone', () => {
  const [calm, falling] = [snapshot('SPY', {}), snapshot('SPY', { claim: 'further_fall' })];

  test('the record of the warned fall has the rate of the warned fall, or none', () => {
    expect(record(contextOf(calm), calm)?.text).toContain('| 27.0 % |');
    expect(record(contextOf(falling), falling)?.text).not.toContain('27.0 %');
  });

  test('a transition compares its chance with the rate of the same claim, and names the claim', () => {
    expect(transition(contextOf(calm), [entry('SPY', 'event')]).summary).toContain(
      'The chance of the warned fall on SPY is 30.0 %, with a base rate of 27.0 %.',
    );
    expect(transition(contextOf(calm), [entry('SPY', 'further_fall')]).summary).toContain(
      'The chance of a further fall of half a threshold on SPY is 30.0 %.',
    );
    expect(transition(contextOf(falling), [entry('SPY', 'further_fall')]).summary).toContain(
      'The chance of a further fall of half a threshold on SPY is 30.0 %, with a base rate of 27.0 %.',
    );
  });

  test('several entries: each row has the rate of its own claim', () => {
    const context = contextOf(calm, snapshot('QQQ', {}));
    const { body } = transition(context, [entry('SPY', 'event'), entry('QQQ', 'further_fall')]);
    expect(body).toMatch(/\| SPY \| Normal \| 30.0 % \| 27.0 % \|/);
    expect(body).toMatch(/\| QQQ \| Normal \| 30.0 % \| n\/a \|/);
    expect(body).toContain('The confidence of QQQ is about a further fall of half a threshold.');
  });

  test('the table of states names the symbols whose rate is that of a further fall', () => {
    const context = contextOf(calm, snapshot('QQQ', { claim: 'further_fall' }));
    expect(states(context, calm)?.text).toMatch(/ For QQQ both are about a further fall of half a threshold\.$/);
    expect(states(contextOf(calm), calm)?.text).not.toContain('further');
  });

  test('the records of the funds have the rate of the warned fall, or none', () => {
    const funds = ['SPY', 'QQQ', 'IWM'].map((symbol) =>
      snapshot(symbol, { claim: symbol === 'IWM' ? 'further_fall' : 'event' }),
    );
    const bodies = [0, 1, 2, 3, 4].map((week) => {
      const date = dateOf(Date.parse('2026-03-04') + week * 7 * DAY_MS);
      return deep(contextOf(...funds), date).body;
    });
    const table = bodies.find((body) => body.includes('/api/validation/metrics')) ?? '';
    expect(table).toMatch(/\| QQQ \|.*\| 27.0 % \|/);
    expect(table).toMatch(/\| IWM \|.*\| n\/a \|/);
  });
});

describe('what came before', () => {
  const all = (count: number, state: State): State[] => Array<State>(count).fill(state);

  test('a symbol that the 90 days begin with in High Risk has its closes in it, and no entry', () => {
    const one = snapshot('SPY', { closes: [...all(10, 2), ...all(4, 1), ...all(26, 0)] });
    expect(ninetyDays(contextOf(one), one)?.text).toMatch(/\| 26 \| 4 \| 10 \| 0 \|$/);
    expect(transition(contextOf(one), [entry('SPY', 'event')]).body).not.toContain('Earlier entries');
  });

  test('a move over more sessions than there are is not mentioned', () => {
    const [short, long] = [18, 40].map((count) => snapshot('SPY', { closes: all(count, 0) })) as [
      SymbolSnapshot,
      SymbolSnapshot,
    ];
    const textOf = (one: SymbolSnapshot): string => profile(contextOf(one), one).body;
    expect(textOf(long)).toContain('| 90.00 | −10.00 % | −10.9 % | −10.9 % | 1.00 % |');
    expect(textOf(short)).toMatch(/\| 90\.00 \| −10\.00 % \| −10\.\d % \| n\/a \| 1\.00 % \|/);
    expect(textOf(snapshot('SPY', { closes: all(3, 0) }))).toContain('| 90.00 | −10.00 % | n/a | n/a | n/a |');
  });
});
