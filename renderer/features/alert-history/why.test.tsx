// Test: the reasons of an alert: the market and the record come before the notification.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { alert, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { transitionEntry } from './episodes.ts';
import type { Line } from './filters.ts';
import type { LineActs } from './use-line-acts.ts';
import { Why } from './why.tsx';

const NOTE = 'Trades 4.2 % below its 21-day high, 78 % of the way to a breach at 86.46. Moved most: Clarity down.';

async function textOf(note: string): Promise<string> {
  const row = { alert: alert({ ...transition('XLB', 1, 2, T0), note }, 7), ended: null, changes: 1 };
  const line: Line = { ...transitionEntry(row), outcome: { kind: 'needs_you' } };
  const rig = await createWindowRig({
    handlers: {
      'alerts.trace': () => ({ ledger_id: 7, event_id: 'e7', event: 'signal.high_risk', steps: [], silent: [] }),
    },
  });
  rig.render(<Why line={line} acts={{ acknowledge: () => undefined } as LineActs} onClose={() => undefined} />);
  await rig.idle();
  return screen.getByRole('complementary', { name: 'Why' }).textContent;
}

test('the service’s own sentence comes first, then the record, then the notification', async () => {
  const text = await textOf(NOTE);
  const at = [NOTE, 'Base rate', 'Notification'].map((part) => text.indexOf(part));
  expect(at.every((index) => index >= 0)).toBe(true);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
});

test('a service without reasons leaves the rest', async () => {
  expect(await textOf('')).toContain('Notification');
});
