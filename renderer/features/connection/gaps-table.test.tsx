// Test: the table of gaps.
// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Gap } from '../../../shared/channels/state.ts';
import { iso, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { GapsTable } from './gaps-table.tsx';

const gap = (id: number, more: Partial<Gap> = {}): Gap => ({
  id,
  from: iso(T0 - 600_000),
  to: iso(T0 - 300_000),
  cause: `cause ${id}`,
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

test('lists the gaps, newest first, with market time and cause', async () => {
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

test('says that there is none', async () => {
  await show([]);
  expect(screen.queryByRole('table')).toBeNull();
});
