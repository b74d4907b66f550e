// Test: the view of one delivery: its attempts, its bytes, its proof, and the button to replay it.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { Attempt, DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';

const attempt = (number: number, more: Partial<Attempt> = {}): Attempt => ({
  number,
  at: iso(T0 + (number - 1) * 60_000),
  status: 503,
  latency_ms: 40,
  error: 'HTTP 503',
  response: 'busy',
  ...more,
});
/** The clock of the window. */
const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const SUBSCRIPTION = {
  id: 's',
  url: 'https://desk.example/hook',
  own: false,
  status: 'active',
  created_at: iso(T0),
  failing_since: null,
} as SubscriptionView;

async function show(more: Partial<DeliveryView>, own = false, relay: RelayView | null = null) {
  const pressed: string[] = [];
  const delivery: DeliveryView = {
    id: 'd1',
    event_id: 'evt_1',
    event: 'signal.changed',
    symbol: 'SPY',
    kind: 'event',
    status: 'pending',
    created_at: iso(T0),
    next_attempt_at: null,
    settled_at: null,
    body: '{"id":"evt_1"}',
    attempts: [attempt(1)],
    ...more,
  };
  const rig = await createWindowRig();
  rig.render(
    <DeliveryDetail
      delivery={delivery}
      subscription={{ ...SUBSCRIPTION, own }}
      relay={relay}
      said=""
      onReplay={() => pressed.push('replay')}
      onBack={() => pressed.push('back')}
    />,
  );
  return pressed;
}
const attempts = (): string[][] =>
  within(screen.getByRole('table', { name: 'Attempts' }))
    .getAllByRole('row')
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );

test('each attempt: since the first one, the answer, and why it failed; then the next', async () => {
  await show({
    attempts: [attempt(1), attempt(2), attempt(3, { status: null, error: 'connection refused' })],
    next_attempt_at: iso(NOW + 600_000),
  });
  expect(attempts().map(([, , after, status, text]) => [after, status, text])).toEqual([
    ['+0', '503', 'HTTP 503'],
    ['+1\u00a0min', '503', 'the same'],
    ['+2\u00a0min', 'no answer', 'connection refused'],
    ['next', '', 'in 10\u00a0min'],
  ]);
});

test('an accepted delivery, and the request byte for byte', async () => {
  await show({ status: 'delivered', attempts: [attempt(1, { status: 200, error: null, response: null })] });
  expect(attempts()[0]?.slice(3)).toEqual(['200', 'accepted']);
  expect(screen.getByText(/^POST https:\/\/desk\.example\/hook\s+webhook-id: evt_1/)).toBeDefined();
  expect(screen.getByText('14 bytes')).toBeDefined();
  expect(screen.getByText('empty')).toBeDefined();
});

test('bytes that the service no longer keeps, and what another program received', async () => {
  await show({ body: null });
  expect(screen.getByText('The service no longer keeps these bytes.')).toBeDefined();
  expect(screen.getByText(/^It goes to another program/)).toBeDefined();
});

test('a delivery to this computer: proven by the current secret, or never arrived', async () => {
  const arrival = {
    at: iso(T0),
    event_id: 'evt_1',
    event: 'signal.changed',
    symbol: 'SPY',
    result: 'stored',
    proof: 'X-Service-Signature, hex',
    secret: 'current',
    message: null,
  };
  await show({}, true, { arrivals: [arrival] } as never);
  expect(screen.getByText('Proven here by X-Service-Signature, hex, with the current secret')).toBeDefined();
  document.body.replaceChildren();
  await show({}, true, { arrivals: [] } as never);
  expect(screen.getByText(/^It did not arrive here since Barograph was started/)).toBeDefined();
});

test('Replay sends the delivery again', async () => {
  const pressed = await show({});
  await userEvent.click(screen.getByRole('button', { name: /^Replay/ }));
  expect(pressed).toEqual(['replay']);
});
