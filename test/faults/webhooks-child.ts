// Test child: event log and webhooks of the service on one file, in a process that is there to be killed. Arguments: FILE URL RATE.
// Makes RATE events a second (0: none), prints `secret ...` when it subscribes, then `ready`, and `settled SEQ` when nothing is owed up to SEQ.
import { randomBytes } from 'node:crypto';
import { createWorldClock } from '../../service/market/world-clock.ts';
import { openStore } from '../../service/store/store.ts';
import { createHub } from '../../service/stream/hub.ts';
import { createWebhooks } from '../../service/webhooks/webhooks.ts';
import { createClock, every } from '../../shared/lib/clock.ts';
import { timestamp } from '../../shared/wire/primitives.ts';

const [file = '', url = '', rate = '0'] = process.argv.slice(2);
const START = Date.parse('2026-03-02T14:00:00Z');
const TICK_MS = 10;

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
const store = openStore(file, { environment: 'sandbox', seed: 7, clock: 'test' });
const reached = store.meta('world_time');
// 6000 times as fast: the hourly retries come after 0.6 s.
const world = createWorldClock({ clock, start: START, speed: 6_000, reached: reached === null ? null : Number(reached) });
const hub = createHub();
const webhooks = createWebhooks({
  store,
  hub,
  clock,
  world,
  logger: { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error },
  randomBytes,
  publicUrl: () => 'http://127.0.0.1:1',
  version: 'test',
  covers: () => true,
  allowLoopback: true,
  options: {},
});

const { created, subscription } = await webhooks.subscribe('owner', { url }, undefined);
if (created) console.log(`secret ${subscription.signing_secret}`);
webhooks.start();

const happen = (count: number): void => {
  const at = timestamp(world.now());
  const first = store.log.lastSeq() + 1;
  const drafts = Array.from({ length: count }, (_, index) => ({
    event_id: `evt_${String(first + index).padStart(8, '0')}`,
    event: 'model.version' as const,
    timestamp: at,
    data: { version: randomBytes(6).toString('hex'), previous: null, effective_at: at },
  }));
  const logged = store.transaction(() => {
    store.setMeta('world_time', String(world.now()));
    return store.log.append(drafts);
  });
  hub.publish(logged);
};

if (rate !== '0') every(clock, TICK_MS, () => happen(Math.ceil((Number(rate) * TICK_MS) / 1000)));
else {
  every(clock, TICK_MS, () => {
    const place = store.subscriptions.find(subscription.id)?.place;
    const owed = webhooks.deliveries('owner', subscription.id, 'pending', null, 1).length;
    if (place === store.log.lastSeq() && owed === 0) console.log(`settled ${place}`);
  });
}
console.log('ready');
