// Test harness: the webhooks of the service over a real store on fake timers, recording requests.
import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { createLogFeed } from '../../service/log/log-feed.ts';
import { createLogWriter } from '../../service/log/log-writer.ts';
import { createWorldClock, REAL_TIME, type WorldTime } from '../../service/market/world-clock.ts';
import type { EventDraft } from '../../service/store/event-log.ts';
import { IN_MEMORY, openStore } from '../../service/store/store.ts';
import type { OwnerNotice } from '../../service/webhooks/notices.ts';
import type { DeliveryRequest, Receipt } from '../../service/webhooks/post.ts';
import { createWebhooks } from '../../service/webhooks/webhooks.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { EVENT_NAMES, type EventName } from '../../shared/wire/events.ts';
import { timestamp } from '../../shared/wire/primitives.ts';

export const START = Date.parse('2026-03-02T14:00:00.000Z');
export const SECOND = 1_000;
export const HOUR = 3_600_000;
export const OWNER = 'key_a';
export const GOOD: Receipt = { status: 200, error: null, latencyMs: 1, response: null };
export const BAD: Receipt = { status: 500, error: 'answered 500', latencyMs: 1, response: 'oh' };

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

interface RigOptions {
  readonly time?: WorldTime;
  readonly file?: string;
  readonly allowLoopback?: boolean;
  readonly answer?: (request: DeliveryRequest) => Receipt | Promise<Receipt>;
}

/** Started webhooks over a store, with every request that they make. */
export function rig({
  time = REAL_TIME,
  file = IN_MEMORY,
  allowLoopback = true,
  answer = () => GOOD,
}: RigOptions = {}) {
  const clock = createClock({
    now: Date.now,
    setTimeout: (job, ms) => setTimeout(job, ms),
    clearTimeout: (handle) => clearTimeout(handle),
  });
  const world = createWorldClock({ ...time, clock });
  const store = openStore(file, { environment: 'sandbox', seed: 7, clock: 'real' });
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const feed = createLogFeed(store.log, logger);
  const writer = createLogWriter(store, feed);
  const sent: { url: string; id: string; body: string; at: number }[] = [];
  const letters: OwnerNotice[] = [];
  const behaviour = { answer, mailed: true };
  const webhooks = createWebhooks({
    store,
    feed,
    world,
    // Zeros: no jitter. Secrets and ids have another source, so that they differ.
    host: {
      clock,
      logger,
      randomBytes: (count) => (count === 4 ? Buffer.alloc(4) : randomBytes(count)),
      publicUrl: () => 'http://127.0.0.1:1',
    },
    covers: () => true,
    userAgent: 'Barograph-Webhooks/0',
    options: {
      allowLoopback,
      post: async (request) => {
        sent.push({
          url: request.url,
          id: request.headers['webhook-id'] ?? '',
          body: request.body,
          at: Date.now() - START,
        });
        return behaviour.answer(request);
      },
      notifyOwner: async (letter) => {
        if (!behaviour.mailed) throw new Error('no mail server');
        letters.push(letter);
      },
    },
  });
  webhooks.start();
  let happened = store.log.lastSeq();
  return {
    webhooks,
    store,
    sent,
    letters,
    behaviour,
    ids: (path = '') => sent.filter(({ url }) => url.endsWith(path)).map(({ id }) => id),
    async subscribe(path = '/a', events: EventName[] = [...EVENT_NAMES]) {
      const { subscription } = await webhooks.subscribe(OWNER, { url: `http://127.0.0.1:9${path}`, events }, undefined);
      return subscription;
    },
    /** Writes events that happen now, publishes them, and returns their ids. */
    happen(count = 1, draft: (id: string) => EventDraft = model): string[] {
      const drafts = Array.from({ length: count }, () => draft(`evt_${String(++happened).padStart(6, '0')}`));
      return writer.commit(drafts, world.now()).map(({ envelope }) => envelope.event_id);
    },
    status: (id: string) => webhooks.find(OWNER, id).status,
    log: (id: string) => webhooks.deliveries(OWNER, id, null, null, 100).map(webhooks.deliveryRecord),
    stop() {
      webhooks.stop();
      store.close();
    },
  };
}

const model = (event_id: string): EventDraft => ({
  event_id,
  event: 'model.version',
  timestamp: timestamp(Date.now()),
  data: { version: event_id, previous: null, effective_at: timestamp(Date.now()) },
});
export const flip = (event_id: string): EventDraft => ({
  event_id,
  event: 'regime.flip',
  timestamp: timestamp(Date.now()),
  data: { symbol: 'SPY', from_regime: 'calm', to_regime: 'stress', confidence: null },
});
