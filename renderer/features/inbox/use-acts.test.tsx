// Renderer, test: actions on more alerts than one call takes.
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { alert, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { useActs } from './use-acts.ts';

const ALERTS = Array.from({ length: 2_500 }, (_, index) => alert(transition('SPY', 1, 2, T0), index + 1));

function Acknowledge() {
  const { acknowledge } = useActs();
  return (
    <button type="button" onClick={() => acknowledge(ALERTS)}>
      All
    </button>
  );
}

test('2,500 alerts are acknowledged, in calls of 1,000', async () => {
  const rig = await createWindowRig({ handlers: { 'alerts.acknowledge': () => ({}) } });
  rig.render(<Acknowledge />);
  await userEvent.click(screen.getByRole('button', { name: 'All' }));
  await rig.idle();
  const inputs = rig.inputs('alerts.acknowledge') as { ledger_ids: number[] }[];
  const calls = inputs.map(({ ledger_ids }) => ledger_ids);
  expect(calls.map((ids) => ids.length)).toEqual([1_000, 1_000, 500]);
  expect(new Set(calls.flat()).size).toBe(2_500);
});
