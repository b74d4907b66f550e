// Test: the palette by keyboard.

import { renderHook, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Hit } from '../../../shared/channels/archive.ts';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { alerting, profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { alert, iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { takeChartDay, useRoute } from '../../store/route.ts';
import { ActNote } from '../inbox/index.ts';
import { Palette } from './palette-dialog.tsx';

const hit = { kind: 'briefing', id: 'b1', title: 'Rates rise', symbol: null, at: iso(T0), excerpt: [] } as const;

const CATALOGUE = {
  instruments: [
    { symbol: 'SPY', name: 'S&P 500 ETF', asset_class: 'etf' },
    { symbol: 'TSLA', name: 'Tesla, Inc.', asset_class: 'equity' },
    { symbol: 'MSFT', name: 'Microsoft Corp.', asset_class: 'equity' },
    { symbol: 'AMD', name: 'Advanced Micro Devices', asset_class: 'equity' },
  ],
  is_whole: true,
} as const;

async function open(more: CoreHandlers = {}) {
  const done: string[] = [];
  const rig = await renderInWindow(
    <>
      <Palette
        pages={[{ id: 'alerts', label: 'Alerts' }]}
        onKeys={() => done.push('keys')}
        onClose={() => done.push('closed')}
      />
      <ActNote />
    </>,
    {
      'profiles.read': () => profiles(),
      'archive.search': () => ({ hits: [hit] }),
      'alerts.read': () => ({ rows: [], next: null }),
      'connection.retry': () => ({}),
      'instruments.read': () => CATALOGUE,
      'alerting.read': () => alerting(),
      'silences.add': () => ({ id: 7 }),
      'watchlist.select': () => ({}),
      ...more,
    } as never,
  );
  await screen.findByRole('combobox');
  return { ...rig, done };
}

const options = (): string[] => screen.getAllByRole('option').map(({ textContent }) => textContent);

test('the palette finds a symbol, its actions and hits of the archive', async () => {
  const { user } = await open();
  expect(document.activeElement).toBe(await screen.findByRole('combobox'));
  await user.keyboard('spy');
  await waitFor(() => expect(options().some((text) => text.includes('Rates rise'))).toBe(true));
  expect(options()[0]).toContain('SPY');
  expect(options()).toContainEqual(expect.stringContaining('Remove SPY'));
  expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toMatch(
    /^\d+ results, all from this computer$/,
  );
});

test('a note on a symbol opens its chart at the day of the note', async () => {
  const note: Hit = {
    kind: 'symbol_note',
    id: '1',
    title: 'QQQ',
    symbol: 'QQQ',
    at: '2026-02-27T15:00:00.000Z',
    excerpt: [{ text: 'puts', hit: true }],
  };
  const { user, calls } = await open({ 'archive.search': () => ({ hits: [note] }) });
  await user.keyboard('puts');
  await user.click(await screen.findByRole('option', { name: /QQQ.*puts/ }));
  expect(calls).toContainEqual({ name: 'watchlist.select', input: { symbol: 'QQQ' } });
  const route = renderHook(() => useRoute((visit) => visit)).result.current;
  expect(route).toMatchObject({ page: 'watch', item: 'QQQ' });
  expect(takeChartDay('QQQ')).toBe(Date.parse('2026-02-27'));
});

test('after ">" only commands of the palette match, and Enter runs the selected one', { tags: ['long'] }, async () => {
  const { user, done } = await open();
  await user.keyboard('>legend');
  expect(options()).toHaveLength(1);
  await user.keyboard('{Enter}');
  expect(done).toEqual(['closed', 'keys']);
});

test('the palette finds instruments of the service by name and class, watched or not', async () => {
  const { user, calls } = await open();
  await user.keyboard('micro');
  await waitFor(() =>
    expect(
      options()
        .slice(0, 2)
        .map((text) => text.slice(0, 4)),
    ).toEqual(['AMDA', 'MSFT']),
  );
  expect(options()[1]).toContain('Microsoft Corp. · share');
  await user.clear(screen.getByRole('combobox'));
  await user.keyboard('tesla');
  expect(options()[0]).toContain('Tesla, Inc.');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(calls).toMatchObject([{ name: 'watchlist.select', input: { symbol: 'TSLA' } }]));
});

test('symbols that the service does not cover come last, and say so', async () => {
  const { user } = await open();
  await user.keyboard('tesla');
  await waitFor(() => expect(options()[0]).toContain('Tesla'));
  expect(options().at(-1)).toBe('Watch TESLAno signal from this service for TESLA');
  expect(options().filter((text) => text.includes('Watch TSLA'))).toHaveLength(1);
});

test('an action is found by its verb, for a symbol or a name', async () => {
  const { user, calls } = await open();
  await user.keyboard('silence tesla');
  await waitFor(() => expect(options()[0]).toContain('Silence TSLA for 1 hour'));
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(calls).toEqual([
      {
        name: 'silences.add',
        input: { matchers: symbolMatchers(['TSLA']), from: null, until: '2026-03-02T15:30:00.000Z', comment: '' },
      },
    ]),
  );
});

test.each([
  ['silence', /^Silence every symbol for 1 hour/],
  ['mute', /^Silence every symbol for 1 hour/],
  ['new rule', /^New rule/],
  ['export', /^Export the list/],
  ['quiet', /^Quiet hours/],
])('%j finds its action', async (typed, name) => {
  const { user } = await open();
  await user.keyboard(typed);
  await waitFor(() => expect(options().some((text) => name.test(text))).toBe(true));
});

test('the end of a mute says which silence ends, and its outcome is in the status bar', async () => {
  const silence = {
    id: 3,
    kind: 'silence' as const,
    matchers: symbolMatchers(['SPY', 'QQQ']),
    until: 'time' as const,
    from: '2026-03-02T14:00:00.000Z',
    until_at: '2026-03-02T20:15:00.000Z',
    comment: '',
    made_at: '2026-03-02T14:00:00.000Z',
    pending_count: 0,
  };
  const { user, calls } = await open({
    'alerting.read': () => alerting({ mutes: [silence] }),
    'mutes.end': () => ({}),
  });
  await user.keyboard('unmute spy');
  await waitFor(() => expect(options()[0]).toBe('End the mute of SPYSilence (SPY, QQQ), until 15:15'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(calls).toEqual([{ name: 'mutes.end', input: { id: 3 } }]));
  expect(await screen.findByText('SPY, QQQ are no longer muted.')).toBeDefined();
});

test('"acknowledge all" acknowledges every alert that needs attention, and says how many', async () => {
  const { user, calls, push } = await open({ 'alerts.acknowledge': () => ({}) });
  await push('state.changed', {
    number: 2,
    changes: [
      {
        part: 'alerts',
        alerts: [alert(transition('SPY', 1, 2, T0), 7), alert(transition('QQQ', 1, 2, T0), 8)],
      },
    ],
  });
  await user.keyboard('ack all');
  await waitFor(() => expect(options()[0]).toContain('Acknowledge all 2'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(calls).toMatchObject([{ name: 'alerts.acknowledge', input: { acknowledged: true } }]));
});

test.each([
  ['self-test', 'Run the self-test'],
  ['sound', 'Sound of a rule'],
  ['retention', 'Settings: Archive'],
  ['retention alerts', 'How long alerts are kept'],
  ['replace key', 'Settings: Keys'],
  ['passphrase', 'Settings: Keys'],
  ['holdings', 'My book'],
])('"%s" finds what is on another page', async (typed, title) => {
  const { user } = await open();
  await user.keyboard(typed);
  await waitFor(() => expect(options()).toContainEqual(expect.stringContaining(title)));
});

test('an archive that cannot be searched is not one without results', async () => {
  const { user } = await open({ 'archive.search': () => refuse('The disk cannot be read.') });
  await user.keyboard('zzzz');
  expect(await screen.findByText(/could not be searched. The disk cannot be read./)).toBeDefined();
  expect(screen.queryByText(/^No results/)).toBeNull();
});
