// Test: transitions, days and gaps of a symbol as tables.

import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { iso, snapshot, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import type { ChartModel } from '../../charts/model.ts';
import { Record, type RecordView } from './record.tsx';

const HOUR = 3_600_000;
const model = {
  symbol: 'SPY',
  points: [
    { ms: T0 - 24 * HOUR, price: 500, state: 0, confidence: 90, regime: 'stress' },
    { ms: T0, price: 510.5, state: 2, confidence: 36, regime: null },
  ],
  stateChanges: [
    { at: T0 - 2 * HOUR, from: 0, to: 1, transition: transition('SPY', 0, 1, T0 - 2 * HOUR) },
    { at: T0 - HOUR, from: 1, to: 2, transition: transition('SPY', 1, 2, T0 - HOUR) },
  ],
} as unknown as ChartModel;

const shown: number[] = [];
async function rowsOf(view: RecordView): Promise<string[][]> {
  const gap = {
    id: 1,
    from: iso(T0 - HOUR),
    to: iso(T0),
    cause: plainMessage('offline'),
    closed: true,
    filled: 0,
    lost: false,
  };
  const rig = await createWindowRig({ snapshot: snapshot({ gaps: [gap] }) });
  rig.render(<Record model={model} view={view} onShow={(turn) => shown.push(turn.at)} />);
  await rig.idle();
  const [, ...rows] = screen.getAllByRole('row');
  return rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  );
}

test('the record lists transitions, newest first, with how long each state lasted', async () => {
  const rows = await rowsOf('transitions');
  expect(rows.map(([, turned, from]) => [turned, from])).toEqual([
    ['High Risk', 'Elevated'],
    ['Elevated', 'Normal'],
  ]);
  expect(rows[1]?.[3]).toMatch(/^1.*h|60.*min/);
});

test('the record has one chance that can be compared down the column: in Normal what its confidence leaves over', async () => {
  expect((await rowsOf('daily')).map((cells) => cells[3])).toEqual(['36.0\u00a0%', '10.0\u00a0%']);
});

test('a transition leads to its place in the chart', async () => {
  await rowsOf('transitions');
  shown.length = 0;
  await userEvent.click(screen.getAllByTitle(/in the chart$/)[1] as HTMLElement);
  expect(shown).toEqual([T0 - 2 * HOUR]);
});

test('the record lists days, newest first, with price and state', async () => {
  const rows = await rowsOf('daily');
  expect(rows.map(([, price, state]) => [price, state])).toEqual([
    ['510.50', 'High Risk'],
    ['500.00', 'Normal'],
  ]);
});

test('the record lists gaps with their cause', async () => {
  expect((await rowsOf('gaps')).map((cells) => cells.at(-1))).toEqual(['offline']);
});
