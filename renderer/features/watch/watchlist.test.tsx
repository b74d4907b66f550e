// Test: the watchlist by keyboard.

import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { alert, row, signal, snapshot, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { refuse } from '../../../test/harness/window.tsx';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { preferences } from '../../store/preferences.ts';
import { ActNote } from '../inbox/index.ts';
import { WatchlistPanel } from './watchlist.tsx';

const LIST = {
  id: 'desk',
  name: 'Desk list',
  sections: [
    { name: 'Core', symbols: ['SPY', 'QQQ', 'IWM'] },
    { name: 'Rates', symbols: ['TLT'] },
  ],
};

/** Of TLT, until a quarter past three in New York. */
const MUTE = {
  id: 3,
  kind: 'silence' as const,
  matchers: symbolMatchers(['TLT']),
  until: 'time' as const,
  from: '2026-03-02T14:00:00.000Z',
  until_at: '2026-03-02T20:15:00.000Z',
  comment: '',
  made_at: '2026-03-02T14:00:00.000Z',
  pending_count: 0,
};

test('a symbol with regimes alone has its last price and change, an old price its day', async () => {
  const quote = { price: 52_040.93, change_pct: 0.99, at: '2026-11-19T19:37:00.000Z', old: false };
  const oldQuote = { price: 1.1016, change_pct: null, at: '2020-02-29T00:00:00.000Z', old: true };
  const rig = await createWindowRig({
    snapshot: snapshot({
      watchlists: [{ id: 'desk', name: 'Desk list', sections: [{ name: 'Coins', symbols: ['BTC', 'EURUSD'] }] }],
      rows: [
        row('BTC', 0, { coverage: 'regime_only', signal: null, regime: 'stress', quote }),
        row('EURUSD', 0, { coverage: 'regime_only', signal: null, regime: 'stress', quote: oldQuote }),
      ],
    }),
  });
  rig.render(<WatchlistPanel onOpen={() => undefined} />);
  await rig.idle();
  const coin = screen.getByRole('row', { name: 'BTC, no signal, regime Stress, change +0.99\u00a0%' });
  expect(within(coin).getByText('52,040.93')).toBeDefined();
  const pair = screen.getByRole('row', { name: /^EURUSD, / });
  const old = within(pair).getByText('1.1016');
  expect([old.title, old.classList.contains('old')]).toEqual(['Last price, of Fri 28 Feb 2020', true]);
  expect(pair.getAttribute('aria-label')).toContain('Last price, of Fri 28 Feb 2020');
});

async function open({ refusal }: { readonly refusal?: string } = {}) {
  const opened: string[] = [];
  const saved: Watchlist[][] = [];
  const silenced: unknown[] = [];
  const rig = await createWindowRig({
    snapshot: snapshot({
      watchlists: [LIST],
      selected: 'QQQ',
      rows: [row('SPY', 0), row('QQQ', 2), row('IWM', 1), row('TLT', 0)],
    }),
    handlers: {
      'watchlist.select': () => ({}),
      'alerting.read': () => alerting({ mutes: [MUTE] }),
      'silences.add'(input) {
        silenced.push(input);
        return { id: 7 };
      },
      'mutes.end': () => ({}),
      'watchlist.save'({ watchlists }) {
        if (refusal !== undefined) refuse(refusal);
        saved.push(watchlists);
        return {};
      },
    },
  });
  rig.render(
    <>
      <WatchlistPanel onOpen={() => opened.push('chart')} />
      <ActNote />
    </>,
  );
  await rig.idle();
  /** Pushes the last saved lists, as the core does. */
  const pushSaved = async (): Promise<void> => {
    await rig.idle();
    await rig.pushChanges({ part: 'watchlists', watchlists: saved.at(-1) ?? [] });
  };
  return { rig, opened, pushSaved, silenced };
}

const grid = (): HTMLElement => screen.getByRole('grid', { name: 'Desk list' });
const note = (): string | null | undefined => document.querySelector('.wl-note')?.textContent;
const symbols = (): (string | undefined)[] =>
  within(grid())
    .getAllByRole('row')
    .flatMap(({ dataset }) => dataset.row ?? []);
const focused = (): string | undefined => (document.activeElement as HTMLElement).dataset.row;
const focusRow = (symbol: string): void =>
  act(() => document.querySelector<HTMLElement>(`[data-row="${symbol}"]`)?.focus());

beforeEach(() => {
  while (preferences.read().sort !== null) preferences.nextSort(preferences.read().sort?.column ?? 'symbol');
});

test('the watchlist has the symbols of each section, the chosen one selected, and one tab stop', async () => {
  await open();
  expect(symbols()).toEqual(['SPY', 'QQQ', 'IWM', 'TLT']);
  expect(within(grid()).getByRole('rowheader', { name: /Rates/ })).toBeDefined();
  expect(within(grid()).getByRole('row', { selected: true }).dataset.row).toBe('QQQ');
  expect(
    within(grid())
      .getAllByRole('row')
      .filter(({ tabIndex }) => tabIndex === 0)
      .map(({ dataset }) => dataset.row),
  ).toEqual(['QQQ']);
});

describe('the keyboard', () => {
  test('chooses by arrows over the headings, and by J and K from anywhere', async () => {
    const { rig } = await open();
    focusRow('QQQ');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(focused()).toBe('TLT');
    act(() => (document.activeElement as HTMLElement).blur());
    await userEvent.keyboard('k');
    expect(focused()).toBe('IWM');
    await rig.idle();
    expect(rig.inputs('watchlist.select')).toEqual([{ symbol: 'IWM' }, { symbol: 'TLT' }, { symbol: 'IWM' }]);
  });

  test('goes to the chart by Enter', async () => {
    const { opened } = await open();
    focusRow('QQQ');
    await userEvent.keyboard('{Enter}');
    expect(opened).toEqual(['chart']);
  });

  test('removes by Delete and goes to the next symbol; Ctrl Z restores it', async () => {
    const { pushSaved } = await open();
    focusRow('QQQ');
    await userEvent.keyboard('{Delete}');
    await pushSaved();
    expect(symbols()).toEqual(['SPY', 'IWM', 'TLT']);
    expect(focused()).toBe('IWM');
    await userEvent.keyboard('{Control>}z{/Control}');
    await pushSaved();
    expect(symbols()).toEqual(['SPY', 'QQQ', 'IWM', 'TLT']);
  });

  test('Ctrl Z takes back the own edit alone, and none in a list that another window changed since', async () => {
    const { rig, pushSaved } = await open();
    const world: Watchlist = { id: 'world', name: 'World', sections: [{ name: 'Asia', symbols: ['EWJ'] }] };
    focusRow('QQQ');
    await userEvent.keyboard('{Delete}');
    await pushSaved();
    const [cut] = (rig.inputs('watchlist.save').at(-1) as { watchlists: Watchlist[] }).watchlists;
    await rig.pushChanges({ part: 'watchlists', watchlists: [cut as Watchlist, world] });
    await userEvent.keyboard('{Control>}z{/Control}');
    await rig.idle();
    expect(rig.inputs('watchlist.save').at(-1)).toEqual({ watchlists: [LIST, world] });
    await pushSaved();
    focusRow('IWM');
    await userEvent.keyboard('{Delete}');
    await pushSaved();
    await rig.pushChanges({ part: 'watchlists', watchlists: [{ ...LIST, name: 'Mine' }, world] });
    await userEvent.keyboard('{Control>}z{/Control}');
    await rig.idle();
    expect([rig.inputs('watchlist.save').length, note()]).toEqual([
      3,
      'Not undone, the list was changed since: IWM removed.',
    ]);
  });

  test('Ctrl Z in an open menu or dialog is not meant for the list behind it', async () => {
    const { rig, pushSaved } = await open();
    focusRow('QQQ');
    await userEvent.keyboard('{Delete}');
    await pushSaved();
    await userEvent.click(screen.getByRole('button', { name: 'Watchlist: Desk list' }));
    (await screen.findByRole('menuitem', { name: 'My book…' })).focus();
    await userEvent.keyboard('{Control>}z{/Control}{Enter}');
    (await screen.findByRole('button', { name: 'Save book' })).focus();
    await userEvent.keyboard('{Control>}z{/Control}');
    await rig.idle();
    expect(rig.inputs('watchlist.save')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.keyboard('{Control>}z{/Control}');
    await rig.idle();
    expect(rig.inputs('watchlist.save')).toHaveLength(2);
  });

  test('an edit that the core refuses is not called done, and nothing is left to undo', async () => {
    const { rig } = await open({ refusal: 'The disk is full.' });
    focusRow('QQQ');
    await userEvent.keyboard('{Delete}');
    await rig.idle();
    expect(note()).toBe('Not saved: The disk is full.');
    await userEvent.keyboard('{Control>}z{/Control}');
    await rig.idle();
    expect(rig.inputs('watchlist.save')).toHaveLength(1);
    // The next edit builds on the lists of the core.
    focusRow('SPY');
    await userEvent.keyboard('{Delete}');
    await rig.idle();
    expect(rig.inputs('watchlist.save').at(-1)).toMatchObject({
      watchlists: [{ sections: [{ symbols: ['QQQ', 'IWM'] }, {}] }],
    });
  });

  test('moves a symbol by Alt and an arrow, and the focus moves with it', async () => {
    const { pushSaved } = await open();
    focusRow('QQQ');
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await pushSaved();
    expect(symbols()).toEqual(['QQQ', 'SPY', 'IWM', 'TLT']);
    expect(focused()).toBe('QQQ');
  });
});

test("a column head sorts, then reverses, then restores the trader's order", async () => {
  const { rig } = await open();
  const head = (): HTMLElement => within(grid()).getByRole('columnheader', { name: 'Symbol' });
  const press = async (): Promise<string | null> => {
    await userEvent.click(within(head()).getByRole('button'));
    await userEvent.unhover(grid());
    await rig.idle();
    return head().getAttribute('aria-sort');
  };
  const directions = [await press(), await press(), await press()];
  expect(new Set(directions)).toEqual(new Set(['ascending', 'descending', null]));
  expect(directions[2]).toBeNull();
  expect(symbols()).toEqual(['SPY', 'QQQ', 'IWM', 'TLT']);
});

describe('silences', () => {
  test('a muted row is marked, and its name says until when', async () => {
    const { rig } = await open();
    rig.services.followFeatures();
    await rig.idle();
    const muted = within(grid()).getByRole('row', { name: /^TLT,.* Silence, until 15:15$/ });
    expect(within(muted).getByTitle('Silence, until 15:15')).toBeDefined();
    expect(within(grid()).queryByTitle(/^Silence/)).toBe(within(muted).getByTitle(/^Silence/));
  });

  test('a right click on a row, or its menu key, silences it with a preset', async () => {
    const { rig, silenced } = await open();
    const user = userEvent.setup();
    await user.pointer({ keys: '[MouseRight]', target: within(grid()).getByRole('row', { name: /^IWM/ }) });
    await user.click(await screen.findByRole('menuitem', { name: /^Silence IWM for 1 hour/ }));
    await rig.idle();
    expect(silenced).toEqual([
      { matchers: symbolMatchers(['IWM']), from: null, until: '2026-03-02T15:30:00.000Z', comment: '' },
    ]);
    expect(focused()).toBe('IWM');
    await screen.findByText('IWM silenced until 10:30.');
  });

  test('a section is silenced as a whole, and the menu says what that covers', async () => {
    const { rig, silenced } = await open();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Section Core' }));
    await screen.findByText('Covers 3 watched symbols, 1 High Risk now.');
    const item = screen.getByRole('menuitem', { name: /^Silence Core until the next open/ });
    expect(item.textContent).not.toMatch(/until.*until/);
    await user.click(item);
    await rig.idle();
    expect(silenced).toMatchObject([{ matchers: [{ name: 'section', operator: 'is', values: ['desk/Core'] }] }]);
  });
});

test('a row has the last price, and a chance that can be compared; below base it says that the rule holds it', async () => {
  const { rig } = await open();
  const held = signal('QQQ', 2, { confidence: 8, base_rate: 12.1 });
  const old = signal('IWM', 0, { data_health: 'stale', updated_at: '2026-07-24T20:00:00.000Z', price: 211.5 });
  await rig.pushChanges({
    part: 'rows',
    rows: [row('SPY', 0), row('QQQ', 2, { signal: held }), row('IWM', 0, { signal: old, stale: true })],
  });
  const cells = (symbol: string, name: string) =>
    document.querySelector<HTMLElement>(`[data-row="${symbol}"] .${name}`);
  expect(cells('SPY', 'wl-price')?.textContent).toBe('571.24');
  expect(cells('IWM', 'wl-price')?.title).toBe('Last price, of Fri 24 Jul 2026');
  expect(cells('SPY', 'wl-chance')?.textContent).toBe('63\u00a0%');
  expect(cells('SPY', 'wl-chance')?.title).toBe('63\u00a0% chance of a fall, 5.2 times usual');
  expect(cells('QQQ', 'wl-chance')?.textContent).toBe('8\u00a0%');
  expect(cells('QQQ', 'wl-chance')?.title).toContain('below the usual one: held by the rule');
});

test('a row says how far its breach is, or how far it is past it; only what lies past it is solid', async () => {
  const { rig } = await open();
  const at = (symbol: string, state: 0 | 1 | 2, level: number, progress: number) =>
    row(symbol, state, {
      signal: signal(symbol, state, { price: 100, breach_level: level, breach_progress: progress }),
    });
  await rig.pushChanges({ part: 'rows', rows: [at('SPY', 1, 98, 0.5), at('QQQ', 2, 125, 1.6)] });
  const cell = (symbol: string) => document.querySelector<HTMLElement>(`[data-row="${symbol}"] .wl-breach`);
  expect([cell('SPY')?.textContent, cell('QQQ')?.textContent]).toEqual(['2.0\u00a0%', 'past 20.0\u00a0%']);
  expect(cell('SPY')?.title).toBe('Breach at 98.00, 2.0\u00a0% away.');
  expect([cell('SPY'), cell('QQQ')].map((one) => one?.querySelectorAll('[stroke="var(--high)"]').length)).toEqual([
    0, 1,
  ]);
});

test('a High Risk that is not acknowledged is bold until it is', async () => {
  const { rig } = await open();
  const needs = () => [...document.querySelectorAll<HTMLElement>('.wl-row.needs')].map(({ dataset }) => dataset.row);
  const opened = alert(transition('QQQ', 0, 2, T0), 1);
  await rig.pushChanges({ part: 'alerts', alerts: [opened] });
  expect(needs()).toEqual(['QQQ']);
  await rig.pushChanges({ part: 'alerts', alerts: [{ ...opened, needs_attention: false }] });
  expect(needs()).toEqual([]);
});

test('a view hides the other rows, which then cannot be moved; the list says that a view is empty', async () => {
  const { rig } = await open();
  act(() => preferences.showListView('sandbox', 'state 2'));
  expect(symbols()).toEqual(['QQQ']);
  focusRow('QQQ');
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await rig.idle();
  expect(note()).toContain('The rows are sorted or filtered.');
  act(() => preferences.showListView('sandbox', 'class crypto'));
  expect(screen.getByText('No symbol of this list is in this view.')).toBeDefined();
  act(() => preferences.showListView('sandbox', 'all'));
});
