import { describe, expect, it } from 'vitest';
import { alert, row, T0, transition } from '../../../test/fixtures/window-parts.ts';
import { inboxGroups } from './groups.ts';

const MINUTE = 60_000;
const symbols = (items: readonly { alert: { transition: { symbol: string } } }[]): string[] =>
  items.map((item) => item.alert.transition.symbol);

describe('the groups of the inbox', () => {
  const spyHigh = alert(transition('SPY', 1, 2, T0 - MINUTE), 4);
  const qqqBack = alert(transition('QQQ', 2, 0, T0 - 2 * MINUTE), 3);
  const iwmElevated = alert(transition('IWM', 0, 1, T0 - 3 * MINUTE), 2);
  const qqqHigh = alert(transition('QQQ', 0, 2, T0 - 10 * MINUTE), 1);
  const rows = { SPY: row('SPY', 2), QQQ: row('QQQ', 0), IWM: row('IWM', 1) };
  const groups = inboxGroups([spyHigh, qqqBack, iwmElevated, qqqHigh], rows);

  it('put on top what is still High Risk', () => {
    expect([symbols(groups.needsYou), symbols(groups.elevated), symbols(groups.past)]).toEqual([['SPY'], ['IWM'], ['QQQ', 'QQQ']]);
  });
  it('say how long what is over had lasted, from both its ends', () => {
    expect(groups.past.map(({ until, before }) => [until, before])).toEqual([
      [null, 8 * MINUTE],
      [qqqBack.transition.occurred_at, null],
    ]);
  });
  it('do not call what the row has already left present', () => {
    expect(inboxGroups([spyHigh], { SPY: row('SPY', 1) }).needsYou).toEqual([]);
  });
  it('keep what is still High Risk while the row knows nothing', () => {
    expect(symbols(inboxGroups([spyHigh], {}).needsYou)).toEqual(['SPY']);
  });
  it('leave out what nobody watches', () => {
    expect(inboxGroups([{ ...spyHigh, watched: false }], rows).needsYou).toEqual([]);
  });
});
