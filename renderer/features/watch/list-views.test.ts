// Test: the views of a watchlist: whom each shows, and which are offered.
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../shared/channels/state.ts';
import { row, signal } from '../../../test/fixtures/window-fixtures.ts';
import { choiceGroups, chosenLabel, firstChoices, matcherOf } from './list-views.ts';

const at = (symbol: string, state: 0 | 1 | 2, level: number | null, more: Partial<Row> = {}): Row =>
  row(symbol, state, { signal: signal(symbol, state, { price: 100, breach_level: level }), ...more });
const rows: Record<string, Row> = {
  SPY: at('SPY', 0, 90),
  QQQ: at('QQQ', 1, 99.5),
  IWM: at('IWM', 2, 104),
  XLK: at('XLK', 0, 90, { stale: true }),
  XLF: at('XLF', 0, null),
  BTC: row('BTC', 0, { coverage: 'regime_only', signal: null, regime: 'calm_uptrend' }),
};
const list = { id: 'l', name: 'L', sections: [{ name: 'All', symbols: [...Object.keys(rows), 'NEW'] }] };
const holdings = { unit: 'weight' as const, rows: [{ symbol: 'IWM', amount: 2 }] };
const inView = (view: string, lists = [{ holdings }]): string[] =>
  list.sections.flatMap(({ symbols }) => symbols.filter(matcherOf(view, rows, lists)));

describe('a view of a watchlist', () => {
  test('near its breach has what is past it, and what may be: its distance is not known', () => {
    expect(inView('near')).toEqual(['QQQ', 'IWM', 'XLF']);
  });
  test('has what any list holds', () => {
    expect(inView('mine')).toEqual(['IWM']);
  });
  test('of a state goes by the last known one, so that a stale row does not disappear', () => {
    expect(inView('state 0')).toEqual(['SPY', 'XLK', 'XLF']);
    expect(inView('state none')).toEqual(['BTC']);
  });
  test('of a class or a regime has the symbols of that class or regime', () => {
    expect([inView('class etf').length, inView('regime calm_uptrend')]).toEqual([5, ['BTC']]);
  });
  test('that this version does not know has every symbol', () => {
    expect(inView('sector tech')).toHaveLength(7);
  });
});

describe('the offered views of a watchlist', () => {
  const labels = (shown = 'all', known = rows, lists = [{ holdings }]) => {
    const groups = choiceGroups(list, shown, known).map(({ choices }) => choices.map(({ label }) => label));
    return [Object.values(firstChoices(list, shown, known, lists)), ...groups].map((some) =>
      some.map((label) => label.replace('\u00a0', ' ')),
    );
  };
  test('have the number of their symbols', () => {
    expect(labels()).toEqual([
      ['All 7', 'Within 1 % 3', 'Mine 1'],
      ['Regime alone 1', 'High Risk 1', 'Elevated 1', 'Normal 3'],
      ['ETF 5'],
      ['Calm Uptrend 1', 'Stress 5'],
    ]);
  });
  test('leave out distances and holdings where there are none, and keep the shown one without a symbol', () => {
    const [first, states] = labels('state 2', { BTC: rows.BTC as Row }, []);
    expect([first, states]).toEqual([['All 7'], ['Regime alone 1', 'High Risk 0']]);
    expect([chosenLabel(list, 'state 2', rows), chosenLabel(list, 'mine', rows)]).toEqual(['High Risk 1', null]);
    expect(labels('mine', rows, [])[0]).toContain('Mine 0');
  });
});
