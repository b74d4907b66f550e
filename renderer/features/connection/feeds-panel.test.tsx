// Test: the panel of price feeds: a working feed, a failing feed, and the first fetch of history.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SELF_TEST_STEPS, type SelfTest, type SelfTestStep } from '../../../shared/channels/self-test.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import type { Feed } from '../../../shared/wire/feeds.ts';
import { profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { connection, iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { FeedsPanel } from './feeds-panel.tsx';
import { PriceFolderPanel } from './price-folder-panel.tsx';
import { SelfTestPanel } from './self-test-panel.tsx';

const feed = (more: Partial<Feed> = {}): Feed => ({
  name: 'alpaca',
  status: 'following',
  symbols: 16,
  delay_seconds: 0,
  last_price_at: null,
  budgets: [{ account: 'alpaca', per_minute: 140, left: 20, waits_until: null }],
  last_fault: null,
  without_prices: [],
  history: { done: 16, stopped: false },
  ...more,
});
const show = (feeds: readonly Feed[]) =>
  renderInWindow(<FeedsPanel />, { 'feeds.read': () => ({ feeds: [...feeds] }) });

test('a feed that works: its age, its budget, its whole history', async () => {
  await show([feed()]);
  const panel = await screen.findByRole('region', { name: 'Prices' });
  for (const text of [
    'alpaca',
    'answers',
    'none since the service started',
    'complete, 16 symbols',
    '20 at once, 140 a minute',
  ])
    expect(panel.textContent).toContain(text);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a feed that fails: its last error, its delay, symbols without prices', async () => {
  const without_prices = [{ symbol: 'VIX', reason: 'Alpaca has no indices' }];
  const last_fault = { at: '2026-03-02T14:00:00.000Z', message: 'alpaca answered 401.' };
  await show([feed({ status: 'refused', delay_seconds: 900, last_fault, without_prices })]);
  const panel = await screen.findByRole('region', { name: 'Prices' });
  for (const text of ['refuses', 'alpaca answered 401.', 'VIX: Alpaca has no indices.', 'complete, 15 symbols'])
    expect(panel.textContent).toContain(text);
  expect(panel.textContent).toMatch(/delayed by 15\s?min by the plan/);
});

test('the first fetch of history is stopped, and goes on', async () => {
  let stopped = false;
  const rig = await renderInWindow(<FeedsPanel />, {
    'feeds.read': () => ({ feeds: [feed({ history: { done: 4, stopped } })] }),
    'feeds.stop_history': (input) => {
      ({ stopped } = input);
      return {};
    },
  });
  await rig.user.click(await screen.findByRole('button', { name: 'Stop' }));
  await rig.user.click(await screen.findByRole('button', { name: 'Go on' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Stop' })).toBeDefined());
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('4');
});

test('the panel of feeds is absent where the service follows no feed', async () => {
  await show([]);
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Prices' })).toBeNull());
});

test('where the service refuses to stop the first fetch, its reason is beside the button', async () => {
  const rig = await renderInWindow(<FeedsPanel />, {
    'feeds.read': () => ({ feeds: [feed({ history: { done: 4, stopped: false } })] }),
    'feeds.stop_history': () => {
      throw new Error('This key may not stop it.');
    },
  });
  await rig.user.click(await screen.findByRole('button', { name: 'Stop' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This key may not stop it.');
});

test('while the service is away, nobody knows whether a feed answers', async () => {
  const rig = await show([feed()]);
  const panel = await screen.findByRole('region', { name: 'Prices' });
  expect(panel.textContent).toContain('answers');
  const outage = { since: iso(T0), cause: plainMessage('The service is gone.') };
  await rig.pushChanges({ part: 'connection', connection: connection({ outage }) });
  expect(panel.textContent).toContain('not known while the service is away');
  expect(panel.textContent).not.toContain('answers');
});

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

test('the self-test lists its steps before it ran, and runs on request', async () => {
  const { user, calls } = await open(null);
  const table = screen.getByRole('table', { name: 'Self-test' });
  expect(within(table).getAllByRole('rowheader')).toHaveLength(SELF_TEST_STEPS.length);
  expect(within(table).getAllByRole('columnheader')).toHaveLength(4);
  await user.click(press(/^Run/));
  expect(calls).toEqual([{ name: 'selfTest.run', input: {} }]);
});

test('the self-test shows where it failed', async () => {
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

test('the self-test waits for an acknowledgement at its last step, and gives the focus back', async () => {
  const { user, calls } = await open(
    selfTest({ ended_at: null, steps: steps((index) => (index === SELF_TEST_STEPS.length - 1 ? 'waits' : 'passed')) }),
  );
  await user.click(press(/^I saw it/));
  expect(calls).toEqual([{ name: 'selfTest.acknowledge', input: {} }]);
  expect(document.activeElement?.textContent).toMatch(/^Running/);
});

test('a self-test that cannot run says why, and does not run', async () => {
  const { user, calls } = await open(null, 'The key may not trigger events.');
  expect(screen.getByRole('status').textContent).toContain('The key may not trigger events.');
  await user.click(press(/^Run/));
  expect(calls).toEqual([]);
});

test('every problem of the folders of own prices is listed, as long as there is one', async () => {
  const problems = ['a', 'b', 'c', 'd'].map((name) => ({ file: `${name}.csv`, line: 2, reason: 'the close is empty' }));
  const listOf = (found: typeof problems) => {
    const folder = { problems: found, more: 0, added: [], unwatched: [] };
    return profiles({ profiles: profiles().profiles.map((one) => ({ ...one, folder })) });
  };
  const { push } = await renderInWindow(<PriceFolderPanel />, { 'profiles.read': () => listOf(problems) });
  const panel = await screen.findByRole('region', { name: 'Your folders' });
  expect(panel.textContent).toContain('Lines to check in your folders: 4.');
  for (const { file } of problems) expect(panel.textContent).toContain(`${file}:2: the close is empty.`);
  await push('profiles.changed', listOf([]));
  expect(screen.queryByRole('region', { name: 'Your folders' })).toBeNull();
});
