// Test: the page of webhooks: the answer of a replay stays with its delivery.
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DeliveryView } from '../../../shared/channels/subscriptions.ts';
import { iso, subscription, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { settle } from '../../../test/harness/manual-clock.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

const SUBSCRIPTION = subscription({ id: 's', own: true });
const delivery = (symbol: string): DeliveryView => ({
  id: `d ${symbol}`,
  event_id: `evt_${symbol}`,
  event: 'signal.changed',
  symbol,
  kind: 'event',
  status: 'failed',
  created_at: iso(T0),
  next_attempt_at: null,
  settled_at: iso(T0),
  body: null,
  attempts: [{ number: 1, at: iso(T0), status: 503, latency_ms: 40, error: 'HTTP 503', response: 'busy' }],
});

test('an answer that comes late is not shown under another delivery', async () => {
  const answers: (() => void)[] = [];
  const { user } = await renderInWindow(<WebhooksSection />, {
    'subscriptions.read': () => ({ subscriptions: [SUBSCRIPTION], supported: true, message: null }),
    'deliveries.page': () => ({ deliveries: [delivery('SPY'), delivery('QQQ')], next: null }),
    'deliveries.replay': () => new Promise((resolve) => answers.push(() => resolve({} as never))),
  } as never);
  const choose = async (symbol: string) =>
    user.click((await screen.findAllByText(new RegExp(`^${symbol}`)))[0] as Element);
  await choose('SPY');
  await user.keyboard('r');
  await choose('QQQ');
  expect(answers).toHaveLength(1);
  await act(async () => {
    answers[0]?.();
    await settle();
  });
  expect(screen.getByRole('heading', { name: /QQQ/ })).toBeDefined();
  expect(screen.queryByText('It is being sent again.')).toBeNull();
  await user.keyboard('r');
  await act(async () => {
    answers[1]?.();
    await settle();
  });
  expect(screen.getByText('It is being sent again.')).toBeDefined();
});
