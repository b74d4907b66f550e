// Test: the view of one delivery: its attempts, its bytes, its proof, and the button to replay it.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { RejectedRequest, RelayView, Target } from '../../../shared/channels/relay.ts';
import type { Attempt, DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { ArrivalDetail, RefusedDetail, TargetDetail } from './other-details.tsx';

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

test('a delivery shows each attempt: since the first one, the answer, and why it failed; then the next', async () => {
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

const target: Target = {
  id: 'target_1',
  url: 'http://10.0.0.2/hook',
  filter: { events: null, symbols: null, states: null },
  allow_public: false,
  queue: 12,
  delivered: 3,
  given_up: 2,
  last: null,
  next_at: null,
};

test('a target is removed after a question that says what is lost; Cancel keeps it', async () => {
  const { user, calls } = await renderInWindow(<TargetDetail target={target} onBack={() => undefined} />, {
    'relay.target.remove': () => ({}),
  });
  const remove = screen.getByRole('button', { name: 'Remove' });
  await user.click(remove);
  const question = screen.getByRole('dialog', { name: 'Remove this target?' });
  within(question).getByText(/no longer forwarded to http:\/\/10\.0\.0\.2\/hook, and 12 waiting events are dropped/);
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(remove);
  expect(calls).toEqual([]);

  await user.click(remove);
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  expect(calls).toEqual([{ name: 'relay.target.remove', input: { id: 'target_1' } }]);
});

const refused: RejectedRequest = {
  id: 7,
  at: iso(T0),
  reason: 'wrong_signature',
  message: message('signature.wrong'),
  times: 3,
  examinable: true,
};
const openRefused = (request: RejectedRequest, handlers: CoreHandlers = {}) =>
  renderInWindow(<RefusedDetail refused={request} onBack={() => undefined} />, handlers);

test('a refused request lists what the signature check found, each with its kind', async () => {
  await openRefused(refused, {
    'relay.diagnose': ({ refused: id }) => ({
      findings: [
        { kind: 'fits', message: plainMessage(`The body of ${id} is whole.`) },
        { kind: 'fault', message: plainMessage('The secret is another one.') },
      ],
    }),
  });
  const list = await screen.findByRole('list', { name: 'Signature check' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringContaining('fits: The body of 7 is whole.'),
    expect.stringContaining('fault: The secret is another one.'),
  ]);
});

test('a check that fails says why, and can be tried again', async () => {
  let tries = 0;
  const { user } = await openRefused(refused, {
    'relay.diagnose': () => (tries++ === 0 ? refuse('The request is no longer kept.') : { findings: [] }),
  });
  await screen.findByText(/The request is no longer kept\./);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('list', { name: 'Signature check' });
});

test('a request that was refused unread has nothing to examine, and nothing is asked', async () => {
  let tries = 0;
  await openRefused(
    { ...refused, examinable: false },
    {
      'relay.diagnose': () => {
        tries += 1;
        return { findings: [] };
      },
    },
  );
  screen.getByText(/refused before its body was read/);
  expect(tries).toBe(0);
});

test('a received request shows its proof, its secret and its result; Back returns', async () => {
  const back: string[] = [];
  const { user } = await renderInWindow(
    <ArrivalDetail
      arrival={{
        at: iso(T0),
        event_id: 'evt_1',
        event: 'signal.high_risk',
        symbol: 'SPY',
        result: 'quarantined',
        proof: 'x-service-signature, hex',
        secret: 'previous',
        message: message('arrival.too_old'),
      }}
      onBack={() => back.push('back')}
    />,
  );
  screen.getByText('evt_1');
  screen.getByText('x-service-signature, hex');
  screen.getByText('previous');
  await user.click(screen.getByRole('button', { name: /Back|Close/ }));
  expect(back).toEqual(['back']);
});
