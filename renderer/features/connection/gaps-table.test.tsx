// Test: the table of gaps.

import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { GAPS_PAGE } from '../../../shared/channels/ledger.ts';
import { type Gap, MAX_GAPS } from '../../../shared/channels/state.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { iso, row, signal, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { GapsTable } from './gaps-table.tsx';

const gap = (id: number, more: Partial<Gap> = {}): Gap => ({
  id,
  from: iso(T0 - 600_000),
  to: iso(T0 - 300_000),
  cause: plainMessage(`cause ${id}`),
  closed: true,
  filled: 2,
  lost: false,
  ...more,
});

async function show(gaps: readonly Gap[]): Promise<void> {
  const rig = await createWindowRig({ snapshot: snapshot({ gaps: [...gaps] }) });
  rig.render(<GapsTable />);
  await rig.idle();
}

test('the gaps are listed newest first, with market time and cause', async () => {
  await show([gap(1), gap(2, { closed: false })]);
  const [, ...rows] = within(screen.getByRole('table')).getAllByRole('row');
  const texts = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  );
  expect(texts.map(([, , market, cause]) => [market, cause])).toEqual([
    ['5\u00a0min', 'cause 2'],
    ['5\u00a0min', 'cause 1'],
  ]);
});

test('the market time of a gap is that of the symbols, which trade on other days than shares of New York', async () => {
  const sunday = Date.parse('2026-11-15T05:00:00.000Z');
  const weekend = gap(1, { from: iso(sunday), to: iso(sunday + 3_600_000) });
  const { profile } = snapshot();
  const marketOf = async (symbol: string, asset_class: 'crypto' | 'equity'): Promise<string | null | undefined> => {
    cleanup();
    const rig = await createWindowRig({
      snapshot: snapshot({
        profile: { ...profile, environment: 'production' },
        rows: [row(symbol, 0, { signal: signal(symbol, 0, { asset_class }) })],
        gaps: [weekend],
      }),
    });
    rig.render(<GapsTable />);
    await rig.idle();
    return screen.getAllByRole('cell')[2]?.textContent;
  };
  expect(await marketOf('AAPL', 'equity')).toBe('0');
  expect(await marketOf('BTC-USD', 'crypto')).toBe('1\u00a0h\u00a000');
});

test('the table of gaps says that there is none, and that nothing was missed only where the service can prove it', async () => {
  await show([]);
  expect(screen.queryByRole('table')).toBeNull();
  screen.getByText('No gaps: nothing was missed.');
  cleanup();
  const { connection } = snapshot();
  const rig = await createWindowRig({ snapshot: snapshot({ connection: { ...connection, provable: false } }) });
  rig.render(<GapsTable />);
  await rig.idle();
  expect(screen.queryByText('No gaps: nothing was missed.')).toBeNull();
  screen.getByText(/^No gaps are known\./);
});

test('the table of gaps does not say that nothing was missed while nothing arrives', async () => {
  const { connection } = snapshot();
  const outage = { since: iso(T0), cause: plainMessage('It does not answer.') };
  const rig = await createWindowRig({ snapshot: snapshot({ connection: { ...connection, outage } }) });
  rig.render(<GapsTable />);
  await rig.idle();
  expect(screen.queryByText(/nothing was missed/)).toBeNull();
  screen.getByText('No gap is known yet. What is missed now is known after reconnecting.');
});

test('older gaps than those of the snapshot are read on request', { tags: ['long'] }, async () => {
  const all = Array.from({ length: 250 }, (_, index) => gap(250 - index));
  const rig = await createWindowRig({
    snapshot: snapshot({ gaps: all.slice(0, MAX_GAPS) }),
    handlers: {
      'gaps.list': ({ before }) => {
        const rows = all.filter(({ id }) => before === null || id < before).slice(0, GAPS_PAGE);
        const last = rows.at(-1)?.id ?? 1;
        return { gaps: rows, next: last > 1 ? last : null };
      },
    },
  });
  rig.render(<GapsTable />);
  await rig.idle();
  const user = userEvent.setup();
  const shown = () => screen.getByRole<HTMLTableElement>('table').rows.length - 1;
  expect(shown()).toBe(MAX_GAPS);
  for (const count of [200, 250]) {
    await user.click(screen.getByRole('button', { name: 'Show older gaps' }));
    await waitFor(() => expect(shown()).toBe(count));
  }
  expect(screen.queryByRole('button', { name: 'Show older gaps' })).toBeNull();
});
