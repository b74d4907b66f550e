// Test: filters and sections of the alert history.
import { describe, expect, it } from 'vitest';
import type { InboxRow } from '../../../shared/channels/alerting.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import type { State } from '../../../shared/domain/states.ts';
import { alert, iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import type { Outcome } from '../../store/alert-outcome.ts';
import { transitionEntry } from './episodes.ts';
import { applyFilters, episodeSections, FILTERS_AT_FIRST, type Line, outcomeSections } from './filters.ts';

const DAY = 86_400_000;
let id = 0;
function line(
  symbol: string,
  to: State,
  daysAgo: number,
  outcome: Outcome,
  more: { open?: boolean; note?: string } = {},
): Line {
  id += 1;
  const at = T0 - daysAgo * DAY;
  const row: InboxRow = {
    alert: alert(transition(symbol, to === 0 ? 2 : 0, to, at), id, { note: more.note ?? '' }),
    ended: more.open === true ? null : { at: iso(at + 60_000), to_state: 0 },
    changes: 1,
  };
  return { ...transitionEntry(row), outcome };
}
const symbols = (lines: readonly Line[]): string[] => lines.map(({ subject }) => subject.alert.transition.symbol);
const over: Outcome = { kind: 'came_and_went', isNotified: true, isBaseline: false };

describe('filters', () => {
  const lines = [
    line('SPY', 2, 1, { kind: 'needs_you' }, { open: true }),
    line('QQQ', 1, 100, { kind: 'needs_you' }, { open: true }),
    line('IWM', 2, 2, { kind: 'suppressed', reason: 'quiet hours' }),
    line('HYG', 1, 100, over),
    line('GLD', 0, 3, { kind: 'back' }),
    line('XLF', 2, 4, over, { note: 'Trimmed the hedge' }),
  ];
  const by = (more: Partial<typeof FILTERS_AT_FIRST>, only: readonly string[] | null = null) =>
    applyFilters(lines, { ...FILTERS_AT_FIRST, ...more }, only === null ? null : new Set(only), T0);

  it('list what rose within 90 days, and what is still active', () => {
    expect(symbols(by({}).shown)).toEqual(['SPY', 'QQQ', 'IWM', 'XLF']);
  });
  it('say how many alerts they hide, and how many filters do', () => {
    expect(by({})).toMatchObject({ hidden: 2, by: 2 });
    expect(by({ states: [0, 1, 2], days: null })).toMatchObject({ hidden: 0, by: 0 });
    expect(by({ text: 'nothing' })).toMatchObject({ shown: [], hidden: 6, by: 3 });
  });
  it('by list, state, suppression, and words in notes, reasons and names', () => {
    expect(symbols(by({}, ['SPY', 'HYG']).shown)).toEqual(['SPY']);
    expect(symbols(by({ states: [1] }).shown)).toEqual(['QQQ']);
    expect(symbols(by({ suppressed: false }).shown)).toEqual(['SPY', 'QQQ', 'XLF']);
    expect(symbols(by({ text: 'HEDGE trim' }).shown)).toEqual(['XLF']);
    expect(symbols(by({ text: 'quiet' }).shown)).toEqual(['IWM']);
    expect(symbols(by({ text: 'high risk sp' }).shown)).toEqual(['SPY']);
    expect(symbols(by({ regime: 'calm_uptrend' }).shown)).toEqual([]);
    expect(symbols(by({ assetClass: 'etf' }).shown)).toHaveLength(4);
  });
  it('group by current state, or by outcome', () => {
    const all = by({ states: [0, 1, 2], days: null }).shown;
    expect(
      episodeSections(
        all,
        riskOrder([], () => undefined),
      ).map(({ id: name, lines: own }) => [name, symbols(own)]),
    ).toEqual([
      ['open_high', ['SPY']],
      ['open_elevated', ['QQQ']],
      ['ended', ['IWM', 'GLD', 'XLF', 'HYG']],
    ]);
    expect(outcomeSections(all).map(({ id: name, lines: own }) => [name, symbols(own)])).toEqual([
      ['needs_you', ['SPY', 'QQQ']],
      ['suppressed', ['IWM']],
      ['came_and_went', ['HYG', 'GLD', 'XLF']],
    ]);
  });
});
