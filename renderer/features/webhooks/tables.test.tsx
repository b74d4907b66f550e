// Test: the tables of deliveries, subscriptions, requests and targets.

import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { Arrival, RejectedRequest, Target } from '../../../shared/channels/relay.ts';
import type { Attempt, DeliveryView } from '../../../shared/channels/subscriptions.ts';
import { message, textOf } from '../../../shared/text/message.ts';
import { iso, RELAY, subscription, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { ArrivalsTable, RefusedTable } from './seen-here.tsx';
import { SubscriptionsTable } from './subscriptions-table.tsx';
import { TargetsPanel } from './targets-panel.tsx';

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  at: iso(T0),
  status: 200,
  latency_ms: 40,
  error: null,
  response: null,
  ...more,
});
const delivery = (id: string, more: Partial<DeliveryView> = {}): DeliveryView => ({
  id,
  event_id: `evt_${id}`,
  event: 'signal.changed',
  symbol: 'SPY',
  kind: 'event',
  status: 'delivered',
  created_at: iso(T0),
  next_attempt_at: null,
  settled_at: iso(T0),
  body: null,
  attempts: [attempt()],
  ...more,
});
async function show(node: ReactNode): Promise<void> {
  const rig = await createWindowRig();
  rig.render(node);
  await rig.idle();
}

/** Texts of the cells of each row below the head. */
const cells = (): string[][] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
const pressed = (): number => screen.getAllByRole('button', { pressed: true }).length;

test('deliveries: symbol, attempts and response of each; the chosen one is pressed; arrows choose', async () => {
  const chosen: string[] = [];
  const failed = [attempt(), attempt({ number: 2, status: null, error: 'connection refused', latency_ms: null })];
  await show(
    <DeliveriesTable
      deliveries={[delivery('a'), delivery('b', { symbol: null, status: 'failed', attempts: failed })]}
      chosen="a"
      onChoose={(id) => chosen.push(id)}
    />,
  );
  expect(cells().map(([, event, symbol, id, attempts]) => [event, symbol, id, attempts])).toEqual([
    ['signal.changed', 'SPY', 'a', '1'],
    ['signal.changed', '–', 'b', '2'],
  ]);
  expect(cells().map(([, , , , , answer]) => answer)).toEqual(['200', expect.not.stringMatching(/\d/)]);
  expect(pressed()).toBe(1);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}');
  expect(chosen).toEqual(['b']);
});

test('subscriptions: this computer first, then the others; each can be chosen', async () => {
  const chosen: unknown[] = [];
  await show(
    <SubscriptionsTable
      subscriptions={[
        subscription({ id: 'other', url: 'https://other.example/hook' }),
        subscription({ id: 'own', url: 'https://own.example/hook', own: true }),
      ]}
      relay={RELAY}
      shown={null}
      onChoose={(selection) => chosen.push(selection)}
    />,
  );
  expect(cells().map(([name]) => name)).toEqual([
    expect.stringContaining('http://127.0.0.1:4781'),
    'https://other.example/hook',
  ]);
  await userEvent.click(screen.getByText('https://other.example/hook'));
  await userEvent.click(screen.getByText('http://127.0.0.1:4781'));
  expect(chosen).toEqual([{ kind: 'subscription', id: 'other' }, { kind: 'here' }]);
});

test('received and refused requests: the last fifty, or why there are none', async () => {
  const arrival: Arrival = {
    at: iso(T0),
    event_id: 'evt_1',
    event: 'signal.changed',
    symbol: 'SPY',
    result: 'stored',
    proof: 'X-Service-Signature, hex',
    secret: 'current',
    message: null,
  };
  const refused: RejectedRequest = {
    id: 7,
    at: iso(T0),
    reason: 'wrong_signature',
    message: message('signature.wrong'),
    times: 3,
    examinable: true,
  };
  const chosen: unknown[] = [];
  await show(
    <>
      <ArrivalsTable arrivals={[arrival]} chosen={null} onChoose={(id) => chosen.push(id)} />
      <RefusedTable refused={[refused]} chosen={7} onChoose={(id) => chosen.push(id)} />
    </>,
  );
  await userEvent.click(screen.getByText('X-Service-Signature, hex'));
  await userEvent.click(screen.getByText(textOf(refused.message)));
  expect(chosen).toEqual(['evt_1', 7]);
  expect(pressed()).toBe(1);
});

test('targets: address, filter, queue and status of each', async () => {
  const chosen: string[] = [];
  const target: Target = {
    id: 't',
    url: 'http://10.0.0.2/hook',
    filter: { events: null, symbols: null, states: null },
    allow_public: false,
    queue: 1200,
    delivered: 3,
    given_up: 0,
    last: null,
    next_at: null,
  };
  await show(<TargetsPanel targets={[target]} chosen={null} onChoose={(id) => chosen.push(id)} />);
  expect(cells()[0]?.slice(0, 3)).toEqual(['http://10.0.0.2/hook', expect.any(String), '1,200']);
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(chosen).toEqual(['t']);
});
