// Test: the self-test: its steps, its result and the acknowledgement that it waits for.
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SELF_TEST_STEPS, type SelfTest, type SelfTestStep } from '../../../shared/channels/self-test.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { SelfTestPanel } from './self-test-panel.tsx';

const steps = (outcomeOf: (index: number) => SelfTestStep['outcome']): SelfTestStep[] =>
  SELF_TEST_STEPS.map((step, index) => ({
    step,
    outcome: outcomeOf(index),
    after: outcomeOf(index) === 'waits' ? null : index * 10,
    detail: outcomeOf(index) === 'failed' ? plainMessage('No frame within 10 s.') : null,
  }));

const open = (last: SelfTest | null, reason: string | null = null) =>
  renderInWindow(<SelfTestPanel />, {
    'selfTest.read': () => ({ last, reason: reason === null ? null : plainMessage(reason) }),
    'selfTest.run': () => ({}),
    'selfTest.acknowledge': () => ({}),
  });
const selfTest = (more: Partial<SelfTest>): SelfTest => ({
  event_id: 'evt_1',
  began_at: iso(T0),
  ended_at: iso(T0 + 1000),
  steps: steps(() => 'passed'),
  message: plainMessage('Every step passed.'),
  ...more,
});
const press = (name: RegExp) => screen.getByRole('button', { name });

test('lists its steps before it ran, and runs on request', async () => {
  const { user, calls } = await open(null);
  const table = screen.getByRole('table', { name: 'Self-test' });
  expect(within(table).getAllByRole('rowheader')).toHaveLength(SELF_TEST_STEPS.length);
  expect(within(table).getAllByRole('columnheader')).toHaveLength(4);
  await user.click(press(/^Run/));
  expect(calls).toEqual([{ name: 'selfTest.run', input: {} }]);
});

test('shows where it failed', async () => {
  await open(
    selfTest({
      message: plainMessage('It stopped.'),
      steps: steps((index) => (index === 1 ? 'failed' : index ? 'waits' : 'passed')),
    }),
  );
  const failed = screen.getByRole('rowheader', { name: 'Received on the stream' }).closest('tr');
  expect(failed?.textContent).toContain('No frame within 10 s.');
  expect(screen.getByRole('status').textContent).toContain('It stopped.');
});

test('waits for an acknowledgement at its last step, and gives the focus back', async () => {
  const { user, calls } = await open(
    selfTest({ ended_at: null, steps: steps((index) => (index === SELF_TEST_STEPS.length - 1 ? 'waits' : 'passed')) }),
  );
  await user.click(press(/^I saw it/));
  expect(calls).toEqual([{ name: 'selfTest.acknowledge', input: {} }]);
  expect(document.activeElement?.textContent).toMatch(/^Running/);
});

test('says why it cannot run, and does not', async () => {
  const { user, calls } = await open(null, 'The key may not trigger events.');
  expect(screen.getByRole('status').textContent).toContain('The key may not trigger events.');
  await user.click(press(/^Run/));
  expect(calls).toEqual([]);
});
