// Main, core: what an alert says of its delay depends on the clock of the service.

import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { DEFAULT_GROUPING } from '../../../shared/settings/alert-rules.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createWorldClock } from '../world-clock.ts';
import { createNotificationSender, type NotificationSenderOptions } from './sender.ts';

const OCCURRED = Date.parse('2026-03-04T15:00:00Z');
/** This computer's time is months after that of the service. */
const RECEIVED = Date.parse('2026-11-22T20:00:00Z');

const ROW = {
  event_id: 'evt_1',
  sources: 'relay,stream',
  received_ms: RECEIVED,
  occurred_s: OCCURRED / 1000,
  transition: {
    symbol: 'SPY',
    from_state: 0,
    to_state: 2,
    occurred_at: new Date(OCCURRED).toISOString(),
    confidence: 11,
  },
};

async function bodyOf(worldAtReceipt: number | null): Promise<string> {
  const clock = createManualClock(RECEIVED);
  const world = createWorldClock(clock);
  if (worldAtReceipt !== null) world.sample(worldAtReceipt, RECEIVED, 1);
  const bodies: string[] = [];
  const ledger = {
    notifications: { rulesOf: () => [] },
    transaction: (job: () => unknown) => job(),
    entries: { byLedgerIds: () => [ROW], countWithin: () => 1 },
  };
  const sender = createNotificationSender({
    ledger,
    ruleStore: { get: () => null, zone: () => null, grouping: () => DEFAULT_GROUPING },
    listsOf: () => [],
    profile: { name: 'desk', environment: 'production' },
    ports: {
      vault: { getPassword: async () => null },
      settings: { read: () => ({ profiles: [{ name: 'desk', enabled: true }] }) },
      notifier: {
        show: async ({ body }: { body: string }) => {
          bodies.push(body);
          return { tier: 'system', detail: null };
        },
      },
    },
    signals: { isReplay: () => false, baseRate: () => 12.1, record: () => ({ right: 5, calls: 18 }) },
    windows: { isOpen: () => false },
    world,
  } as unknown as NotificationSenderOptions);
  await sender.deliver({
    id: 'barograph:evt_1',
    ledgerId: 1,
    kind: 'alert',
    channel: 'desktop',
    baseRate: null,
  } as unknown as Parameters<typeof sender.deliver>[0]);
  return bodies.join();
}

test('the text states the delay of a webhook, by the clock of the service', async () => {
  expect(await bodyOf(OCCURRED + 2 * HOUR_MS)).toContain('It arrived 2 hours late, by webhook.');
});

test('the text states no delay before the clock of the service is known', async () => {
  const body = await bodyOf(null);
  expect(body).toContain('Confidence 11.0 %');
  expect(body).not.toContain('late');
});
