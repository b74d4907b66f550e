// Test: what an alert says of its delay; a vault that does not answer holds back and repeats no notification.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import type { DueEvent } from '../../../shared/domain/scheduled-events.ts';
import { calendarsOf } from '../../../shared/domain/sessions.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { DEFAULT_GROUPING } from '../../../shared/settings/alert-rules.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { createManualClock, type ManualClock, settle } from '../../../test/harness/manual-clock.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { DueLookup } from '../scheduled/scheduled.ts';
import { createWorldClock } from '../time/world-clock.ts';
import { createDispatcher } from './dispatcher.ts';
import { createNotificationSender, type NotificationSender, type NotificationSenderOptions } from './sender.ts';

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

const NOTHING_DUE = { due: () => ({ events: [], isWhole: true }), unread: () => [] };

async function bodyOf(worldAtReceipt: number | null, scheduled: DueLookup = NOTHING_DUE): Promise<string> {
  const clock = createManualClock(RECEIVED);
  const world = createWorldClock(clock);
  if (worldAtReceipt !== null) world.sample(worldAtReceipt, RECEIVED, 1);
  const bodies: string[] = [];
  const ledger = {
    notifications: { rulesOf: () => [], membersOf: () => [ROW] },
    transaction: (job: () => unknown) => job(),
    entries: { byLedgerIds: () => [ROW], countWithin: () => 1 },
  };
  const sender = createNotificationSender({
    ledger,
    ruleStore: { get: () => null, zone: () => null },
    profile: { name: 'desk', environment: 'production' },
    calendarOf: calendarsOf('production', () => null),
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
    signals: {
      isReplay: () => false,
      baseRate: () => 12.1,
      record: () => ({ right: 5, calls: 18 }),
      riskOrder: () => riskOrder([], () => undefined),
      ...scheduled,
    },
    windows: { isOpen: () => false },
    offers: { add: () => undefined, withdraw: () => undefined },
    pictures: { isAvailable: false },
    world,
  } as unknown as NotificationSenderOptions);
  const notification = {
    id: 'barograph:evt_1',
    ledgerId: 1,
    kind: 'alert',
    channel: 'desktop',
    baseRate: null,
    revision: 1,
  };
  await sender.deliver(notification as never, new AbortController().signal);
  return bodies.join();
}

test('the text states the delay of a webhook, by the clock of the service', async () => {
  expect(await bodyOf(OCCURRED + 2 * HOUR_MS)).toContain('It arrived 2 hours late, by webhook.');
});

test('the text states no delay before the clock of the service is known', async () => {
  const body = await bodyOf(null);
  expect(body).toContain('11 % chance of a fall');
  expect(body).not.toContain('late');
});

test('the text states what is due soon, and that it is not known where a list could not be read', async () => {
  const event: DueEvent = {
    ...{
      kind: 'earnings',
      symbol: 'SPY',
      date: '2026-03-05',
      day: '2026-03-05',
      days: 1,
      at: null,
      part: 'before_open',
    },
    ...{ zone: 'America/New_York', title: '', source: 'e.csv' },
  };
  const decision: DueEvent = { ...event, kind: 'central_bank', symbol: null, title: 'FOMC rate decision', part: null };
  const events = [event, { ...decision, at: '2026-03-05T19:00:00.000Z' }];
  expect(await bodyOf(OCCURRED, { due: () => ({ events, isWhole: true }), unread: () => [] })).toContain(
    'Earnings tomorrow before the open. FOMC rate decision on Thu 5 Mar at 14:00 New York.',
  );
  const broken = { due: () => ({ events: [], isWhole: false }), unread: () => ['e.csv'] };
  expect(await bodyOf(OCCURRED, broken)).toContain('What is due is not known: e.csv cannot be read.');
  expect(await bodyOf(OCCURRED)).not.toContain('due');
});

describe('a channel with a secret', () => {
  const TOPIC = { kind: 'ntfy', url: 'https://ntfy.example/desk' } as const;
  let clock: ManualClock;
  let ledger: Ledger;
  let questions: number;
  /** The `authorization` of each request. */
  let requests: (string | null)[];
  /** Time until the vault answers, ms. */
  let silence: number;
  let isRefused: boolean;

  beforeEach(() => {
    clock = createManualClock();
    ledger = openLedger(':memory:', 'now');
    questions = 0;
    requests = [];
    silence = 20_000;
    isRefused = false;
  });
  afterEach(() => ledger.close());

  const create = (): NotificationSender =>
    createNotificationSender({
      ledger,
      ruleStore: { get: () => null, zone: () => null, grouping: () => DEFAULT_GROUPING },
      channelStore: { get: () => ({ id: 'phone', name: 'Phone', destination: TOPIC }) },
      tokens: { of: () => 'x'.repeat(22) },
      listsOf: () => [],
      profile: { name: 'desk', environment: 'production' },
      calendarOf: calendarsOf('production', () => null),
      ports: {
        vault: {
          getPassword: () => {
            questions += 1;
            return new Promise((resolve) => clock.after(silence, () => resolve('tk_1')));
          },
        },
        settings: { read: () => ({ profiles: [{ name: 'desk', enabled: true }] }) },
        clock,
        fetch: async (_url: string, init: RequestInit = {}) => {
          init.signal?.throwIfAborted();
          requests.push(new Headers(init.headers).get('authorization'));
          return Response.json({ id: 'x' }, { status: isRefused ? 401 : 200 });
        },
      },
      signals: { isReplay: () => false, baseRate: () => null, record: () => null },
      windows: { isOpen: () => false },
      world: createWorldClock(clock),
      pictures: { isAvailable: false },
    } as unknown as NotificationSenderOptions);
  const intend = (id: string): void => {
    const notice = { rules: [], baseRate: null, outcome: 'intent', reason: plainMessage('x'), batch: null } as const;
    ledger.notifications.write(0, { id, kind: 'notice', ...notice }, clock.now());
    ledger.notifications.copyTo('phone', id, clock.now());
  };
  const dispatch = () =>
    createDispatcher({
      ledger,
      sender: create(),
      clock,
      random: () => 0.999,
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      events: { emit: () => undefined },
    });

  test('gets one request, and it is recorded as sent, where the vault answers only after 20 seconds', async () => {
    intend('a');
    ledger.notifications.record('a', 'shown', clock.now(), null);
    const dispatcher = dispatch();
    dispatcher.wake();
    await clock.advance(30 * 60_000);
    expect([requests, ledger.notifications.find('a@phone')?.outcome]).toEqual([[null], 'sent']);
    await dispatcher.stop();
  });

  test('gets its secret from a vault that answers in time', async () => {
    silence = 3_000;
    intend('a');
    const [, copy] = ledger.notifications.pending(2);
    const sent = create().deliver(copy as never, new AbortController().signal);
    await clock.advance(3_000);
    expect([(await sent).outcome, requests]).toEqual(['sent', ['Bearer tk_1']]);
  });

  test('gets nothing of an attempt that is over', async () => {
    silence = 3_000;
    intend('a');
    const [, copy] = ledger.notifications.pending(2);
    const attempt = new AbortController();
    const sent = create()
      .deliver(copy as never, attempt.signal)
      .catch(String);
    attempt.abort();
    await clock.advance(60_000);
    expect([await sent, requests]).toEqual([expect.stringContaining('Abort'), []]);
  });

  test('the vault has one question at a time for a secret, and one a minute where the receiver accepts messages without it', async () => {
    intend('a');
    const [, copy] = ledger.notifications.pending(2);
    const sender = create();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      void sender.deliver(copy as never, new AbortController().signal);
      await clock.advance(5_000);
    }
    expect([questions, requests]).toEqual([1, [null, null, null]]);
    await clock.advance(60_000);
    void sender.deliver(copy as never, new AbortController().signal);
    await settle();
    expect(questions).toBe(2);
  });

  test('a secret that its receiver accepted is not read again, until the receiver refuses it or a user changes it', async () => {
    silence = 0;
    intend('a');
    const [, copy] = ledger.notifications.pending(2);
    const sender = create();
    const send = async (): Promise<string> => {
      const sent = sender.deliver(copy as never, new AbortController().signal).then(({ outcome }) => outcome);
      const outcome = sent.catch(() => 'refused');
      await clock.advance(1);
      return `${await outcome} ${questions}`;
    };
    expect([await send(), await send()]).toEqual(['sent 1', 'sent 1']);
    isRefused = true;
    expect([await send(), await send()]).toEqual(['refused 1', 'refused 2']);
    isRefused = false;
    expect([await send(), await send()]).toEqual(['sent 3', 'sent 3']);
    sender.forgetSecret('outlet:phone:https://ntfy.example');
    expect(await send()).toBe('sent 4');
  });

  test('is tested with the whole time of the vault: the user may have to unlock it', async () => {
    const tested = create().test('phone');
    await clock.advance(20_000);
    await tested;
    expect(requests).toEqual(['Bearer tk_1']);
  });
});
