// Test: the header of a symbol: its verdict, the chance of a fall, the reasons of its state, and what is under More.
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { RegimeNow } from '../../../shared/channels/queries.ts';
import type { Row, Snapshot } from '../../../shared/channels/state.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { connection, iso, PRICE_QUESTION, row, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { SymbolHeader } from './symbol-header.tsx';

const DAY = 86_400_000;
const now: RegimeNow = {
  symbol: 'SPY',
  regime: 'calm_uptrend',
  since: iso(T0 - 12 * DAY),
  confidence: 82.9,
  candidate: null,
  probabilities: [
    { regime: 'calm_uptrend', probability: 0.829 },
    { regime: 'calm_downtrend', probability: 0.12 },
  ],
};
const favoured = { regime: 'volatile_downtrend', confidence: 50.6, closesNeeded: 3, waitsFor: 'closes' } as const;

async function headerText(
  regime: RegimeNow,
  signal: object = {},
  more: Partial<Row> = {},
  state: Partial<Snapshot> = {},
): Promise<string> {
  const known = row('SPY', 0);
  const rows = [
    { ...known, ...more, signal: known.signal === null ? null : { ...known.signal, regime: regime.regime, ...signal } },
  ];
  const rig = await createWindowRig({
    snapshot: snapshot({ rows, ...state }),
    handlers: { 'regime.read': () => regime },
  });
  const { container, unmount } = rig.render(<SymbolHeader symbol="SPY" />);
  await rig.idle();
  screen.getByText('SPY');
  const text = container.textContent;
  unmount();
  return text;
}

describe('the header of a symbol has one number', () => {
  const falls = { price: 551, breach_level: 524.76, breach_progress: 0.1, base_rate: 15 } as const;

  test.each([
    [0, 76],
    [1, 24],
    [2, 24],
  ] as const)(
    'which in state %i is the chance of a fall, with its size, its price and how usual it is',
    async (state, confidence) => {
      expect(await headerText(now, { ...falls, state, confidence })).toMatch(
        /24.%chance of a fall of 4\.8.% or more, to 524\.76, within 21 sessions, 1\.6.×.usual\./,
      );
    },
  );

  test('the one number is of a further fall once the event has begun', async () => {
    const further = { ...falls, state: 2, confidence: 58, confidence_of: 'further_fall' };
    expect(await headerText(now, further)).toMatch(/58.%chance of a fall of a further 2\.6.% or more, to 536\.\d\d,/);
    const unknown = { ...further, breach_progress: undefined };
    expect(await headerText(now, unknown)).toContain('chance of a fall of half its threshold more, within');
  });

  test('the header says what is unknown of the fall', async () => {
    const unknown = await headerText(now, { state: 1, confidence: 24, base_rate: null });
    expect(unknown).toContain('chance of a fall, how far is not known, within 21 sessions, how usual is not stated.');
    expect(await headerText(now, { confidence: null })).toContain('The service states no chance of a fall.');
    expect(await headerText(now, falls, { stale: true })).toMatch(/was Normal.*–No chance of a fall is known\./);
    expect(await headerText(now, { ...falls, confidence: 99.6 })).toMatch(/0\.4.%chance/);
  });

  test('the header says what the fall would cost, where a list has holdings', async () => {
    const held = (unit: 'quantity' | 'weight'): Partial<Snapshot> => ({
      watchlists: [{ id: 'a', name: 'A', sections: [], holdings: { unit, rows: [{ symbol: 'SPY', amount: 100 }] } }],
    });
    expect(await headerText(now, falls, {}, held('quantity'))).toMatch(/It would cost me 2,624, 4\.7.% of my book\./);
    expect(await headerText(now, falls, {}, held('weight'))).toMatch(/It would cost me 4\.7.% of my book\./);
    const further = { ...falls, confidence_of: 'further_fall' };
    expect(await headerText(now, further, {}, held('quantity'))).toMatch(
      /It would cost me 1,\d{3} more, 2\.\d.% of my book\./,
    );
    expect(await headerText(now, falls)).not.toContain('cost me');
  });
});

test('a term of the header is explained on focus and by pointer, until Escape', async () => {
  const rig = await createWindowRig({ handlers: { 'regime.read': () => now } });
  rig.render(<SymbolHeader symbol="SPY" />);
  await rig.idle();
  const term = screen.getByRole('button', { name: 'usual' });
  expect(screen.queryByRole('tooltip')).toBeNull();
  await userEvent.hover(term);
  expect(screen.getByRole('tooltip').textContent).toMatch(/^Such a fall follows 12\.1.% of all sessions\.$/);
  await userEvent.unhover(term);
  expect(screen.queryByRole('tooltip')).toBeNull();
  act(() => term.focus());
  expect(await screen.findByRole('tooltip')).toHaveProperty('id', term.getAttribute('aria-describedby'));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test('More has the name, the times and the record of a symbol, and opens by its button', async () => {
  const rig = await createWindowRig({ handlers: { 'regime.read': () => now } });
  rig.render(<SymbolHeader symbol="SPY" />);
  await rig.idle();
  const more = screen.getByRole('button', { name: 'More about SPY' });
  const opened = document.getElementById(more.getAttribute('aria-controls') ?? '');
  expect([more.getAttribute('aria-expanded'), opened?.hidden]).toEqual(['false', true]);
  await userEvent.click(more);
  expect([more.getAttribute('aria-expanded'), opened?.hidden]).toEqual(['true', false]);
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    ...['Instrument', 'State', 'Update', 'Usual', 'Regime', 'Hold-out record'],
  ]);
});

describe('the market of a symbol, under More', () => {
  const live = { profile: { ...snapshot().profile, environment: 'production' } } as const;

  test('a symbol whose service names exchange and currency shows both, the currency also beside its price', async () => {
    const text = await headerText(now, { exchange: 'tokyo', currency: 'JPY' }, {}, live);
    expect(text).toMatch(/571\.24.JPY/);
    expect(text).toContain('MarketTokyo, prices in JPY');
  });
  test('a symbol whose service names no exchange shows that of its suffix, and no currency', async () => {
    const text = await headerText(now, {}, {}, live);
    expect(text).toContain('MarketUS');
    expect(text).not.toContain('USD');
  });
  test('a symbol of no known exchange says so, with the cure', async () => {
    expect(await headerText(now, { asset_class: 'index' }, {}, live)).toContain(
      'No known exchange: nothing counts as closed. Name it in the column exchange of instruments.csv',
    );
  });
});

test('the record, which a first start computes, is read when More is opened, or after a minute', async () => {
  const rig = await createWindowRig({ handlers: { 'regime.read': () => now } });
  rig.render(<SymbolHeader symbol="SPY" />);
  await rig.advance(59_000);
  expect(rig.inputs('validation.read')).toEqual([]);
  await rig.advance(1_000);
  expect(rig.inputs('validation.read')).toEqual([{}]);
  const other = await createWindowRig({ handlers: { 'regime.read': () => now } });
  other.render(<SymbolHeader symbol="QQQ" />);
  await other.idle();
  await userEvent.click(screen.getByRole('button', { name: 'More about QQQ' }));
  expect(other.inputs('validation.read')).toEqual([{}]);
});

describe('the regime', () => {
  test('that the data favour: since when, how likely, and the next one', async () => {
    const text = await headerText(now);
    expect(text).toMatch(/since \w{3} \d+ \w{3}, probability 82\.9.%/);
    expect(text).toMatch(/then Calm Downtrend, 12\.0.%/);
    expect(text).not.toContain('favour');
    const sure = [
      { regime: 'calm_uptrend', probability: 0.9996 },
      { regime: 'stress', probability: 0.0004 },
    ] as const;
    expect(await headerText({ ...now, probabilities: [...sure] })).not.toContain('then ');
  });

  test.each([
    [favoured, '3 closes to go'],
    [{ ...favoured, closesNeeded: 1, waitsFor: 'trend' as const }, 'one close to go at least'],
    [{ ...favoured, waitsFor: 'normal_state' as const }, 'Stress lasts until the state is Normal'],
    [{ ...favoured, closesNeeded: null, waitsFor: null }, '50.6'],
  ])('that they no longer favour: what they do, and what is missing (%#)', async (candidate, needs) => {
    const text = await headerText({ ...now, candidate, decidedAt: iso(T0 - DAY) });
    expect(text).toMatch(/confirmed at the close of \w{3} \d+ \w{3}, 82\.9.%/);
    expect(text).toMatch(/the data favour Volatile Downtrend, 50\.6.%/);
    expect(text).toContain(needs);
    expect(text).not.toContain('then Calm Downtrend');
  });

  test('beside a state of the day in progress has the day of its close, before more of it is known', async () => {
    const before = { ...now, regime: 'stress' };
    const said = await headerText(before, { regime: 'calm_uptrend', regime_as_of: iso(T0 - DAY), state: 2 });
    expect(said).toMatch(/Calm Uptrend, as of the close of \w{3} \d+ \w{3}/);
    expect(await headerText({ ...now, candidate: favoured })).toMatch(/82\.9.% when last confirmed/);
  });
});

test('delayed prices say by how much', async () => {
  expect(await headerText(now, { data_health: 'delayed', data_delay_seconds: 900 })).toMatch(/15\s?min behind/);
  expect(await headerText(now, { data_health: 'delayed' })).toContain('Delayed prices');
});

test('the state of a sandbox says that its market is simulated and never closes', async () => {
  expect(await headerText(now)).toMatch(/for 0.min, simulated market open around the clock/);
});

test('after a change of regime nothing of the previous one is shown', async () => {
  const text = await headerText({ ...now, candidate: favoured }, { regime: 'stress' });
  expect(text).toContain('Stress');
  expect(text).not.toMatch(/82\.9|favour|since \w{3} \d+/);
});

test('a price without updates has its time in the place of a change', async () => {
  const text = await headerText(now, { change_pct: -1.03, updated_at: iso(T0 - 3_600_000) }, { stale: true });
  expect(text).toContain('Unknown');
  expect(text).toContain('at 19 Nov 13:37');
  expect(text).not.toContain('1.03');
});

test('a price of long ago has its date in the place of a change', async () => {
  const text = await headerText(now, { data_health: 'stale', updated_at: '2020-03-13T20:00:00.000Z' });
  expect(text).toContain('last price of Fri 13 Mar 2020');
});

test('a regime of a symbol whose prices ended says how old they are', async () => {
  expect(await headerText({ ...now, staleSeconds: 3 * 86_400 })).toMatch(/no price for 3.d/);
  expect(await headerText(now)).not.toContain('no price');
});

test('prices in question and faulty ones are said beside the symbol', async () => {
  const said = await headerText(now, { data_health: 'question', price_question: PRICE_QUESTION });
  expect(said.split('Decide the price')).toHaveLength(2);
  expect(await headerText(now, { data_health: 'quarantined' })).toContain('Price not used');
  expect(await headerText(now, { data_health: 'current' })).not.toMatch(/decision|not used/);
});

test('an old price has no distance to a breach', async () => {
  const old = { data_health: 'stale', updated_at: '2020-03-13T20:00:00.000Z', breach_level: 548.96 } as const;
  expect(await headerText(now, old)).not.toContain('its breach');
});

test('a price from before the present state has its time, and no distance to a breach', async () => {
  const note = 'Closed 4.7 % below its 21-day high, 91 % of the way to a breach at 297.49.';
  const signal = { note, price: 309.18, breach_level: 297.49, change_pct: -1.03, decided_at: iso(T0) };
  const before = await headerText(now, { ...signal, updated_at: iso(T0 - 3_600_000) });
  expect(before).toContain('at 19 Nov 13:37');
  expect(before).not.toMatch(/1\.03|its breach/);
  expect(before).toContain(note);
  const after = await headerText(now, { ...signal, price: 298.92, updated_at: iso(T0) });
  expect(after).toMatch(/1\.03.%/);
  expect(after).toMatch(/0\.5.% to its breach/);
});

test('a High Risk below the usual chance says by which rule it is held', async () => {
  const high = { state: 2, state_name: 'high_risk', confidence: 9, base_rate: 12.1 } as const;
  expect(await headerText(now, { ...high, held_by: 'breach' })).toContain('Held past the breach level');
  expect(await headerText(now, { ...high, held_by: 'breach', confidence: 31 })).not.toContain('Held');
  expect(await headerText(now, high)).not.toContain('Held');
});

describe('why', () => {
  const note = 'Trades 0.9 % below its 21-day high, 11 % of the way to a breach at 548.96.';
  test('the service’s own sentence stands under the chance, and the way to the breach level beside the state', async () => {
    const text = await headerText(now, { note, price: 571.24, breach_level: 548.96 });
    expect(text).toContain(note);
    expect(text).toMatch(/Normalsince .*3\.9.% to its breach/);
  });
  test('the reason is the first whole sentence that says something; the rest is under More', async () => {
    const whole = `Set by request. ${note} Moved most in five days: Velocity up from 6 to 17.`;
    expect(await headerText(now, { note: whole })).toContain(`Set by request. ${note}Regime`);
  });
  test('a price past the level says so; without a level there is none', async () => {
    expect(await headerText(now, { note, breach_level: 580 })).toMatch(/1\.5.% past its breach/);
    const text = await headerText(now, { note });
    expect(text).toContain(note);
    expect(text).not.toContain('its breach');
  });
});

test('a symbol with a regime alone has its price and change', async () => {
  const textOf = async (quote: NonNullable<Row['quote']>): Promise<string> => {
    const rows = [row('BTC', 0, { coverage: 'regime_only', signal: null, quote })];
    const rig = await createWindowRig({ snapshot: snapshot({ rows }), handlers: { 'regime.read': () => now } });
    const { container, unmount } = rig.render(<SymbolHeader symbol="BTC" />);
    await rig.idle();
    const text = container.textContent;
    unmount();
    return text;
  };
  const text = await textOf({ price: 51587.59, change_pct: -2.28, at: iso(T0), old: false });
  expect(text).toContain('51,587.59');
  expect(text).toMatch(/\u22122\.28.%/);
  const old = await textOf({ price: 1.1466, change_pct: null, at: '2018-12-31T22:00:00.000Z', old: true });
  expect(old).toContain('last price of Mon 31 Dec 2018');
});

test('a last price at midnight is of the day that it ends', async () => {
  const at = '2019-01-01T00:00:00.000Z';
  expect(await headerText(now, { data_health: 'stale', updated_at: at })).toContain('last price of Mon 31 Dec 2018');
  const quote = { price: 1.1466, change_pct: null, at, old: true };
  const rows = [row('SPY', 0, { coverage: 'regime_only', signal: null, quote })];
  const rig = await createWindowRig({ snapshot: snapshot({ rows }), handlers: { 'regime.read': () => now } });
  const { container } = rig.render(<SymbolHeader symbol="SPY" />);
  await rig.idle();
  expect(container.textContent).toContain('last price of Mon 31 Dec 2018');
});

test('in an outage a state has the time at which it was last known, not that at which the outage began', async () => {
  const outage = { since: iso(T0), cause: plainMessage('No answer.') };
  const textOf = async (updatedAt: string | null, since: string | null): Promise<string> => {
    const known = row('SPY', 2);
    const signal = known.signal === null ? null : { ...known.signal, updated_at: updatedAt, since };
    const rows = [{ ...known, signal }];
    const rig = await createWindowRig({ snapshot: snapshot({ rows, connection: connection({ outage }) }) });
    const { container, unmount } = rig.render(<SymbolHeader symbol="SPY" />);
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(await textOf(iso(T0 - 3 * DAY), iso(T0 - 9 * DAY))).toMatch(/Was High Risk at 16 Nov 14:37/);
  expect(await textOf(null, null)).not.toContain('Was High Risk at');
});
