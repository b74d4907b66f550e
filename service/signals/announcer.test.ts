// Service, signals, test: announcements under a failing store.
import { expect, test } from 'vitest';
import { SINGLE_NODE } from '../cluster-port.ts';
import { createLogFeed } from '../log/log-feed.ts';
import { createLogWriter } from '../log/log-writer.ts';
import type { EventDraft } from '../store/event-log.ts';
import { IN_MEMORY, openStore, type Store } from '../store/store.ts';
import { createAnnouncer } from './announcer.ts';
import { newTrack, type Track } from './track.ts';

const draft = (id: string): EventDraft => ({
  event_id: id,
  event: 'model.version',
  timestamp: '2026-03-02T14:30:00.000Z',
  data: { version: id, previous: null, effective_at: '2026-03-02T14:30:00.000Z' },
});

/** A store whose transactions fail at their end, the worst time, while `full` is true. */
function spoilable(): { store: Store; disk: { full: boolean } } {
  const store = openStore(IN_MEMORY, { environment: 'sandbox', seed: 7, clock: 'real' });
  const disk = { full: false };
  const transaction: Store['transaction'] = (work) =>
    store.transaction(() => {
      const value = work();
      if (disk.full) throw new Error('database or disk is full');
      return value;
    });
  return { store: { ...store, transaction }, disk };
}

test('events are durable before readers get them; after a failure, pending events are written first and in order', () => {
  const { store, disk } = spoilable();
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const feed = createLogFeed(store.log, logger);
  const followed: string[] = [];
  const inLog: boolean[] = [];
  let position = 0;
  feed.follow({
    advanced() {
      for (const { envelope } of feed.after(position, 100)) {
        position = envelope.seq;
        followed.push(`${envelope.seq} ${envelope.event_id}`);
        inLog.push(store.log.find(envelope.event_id) !== null);
      }
    },
  });
  const current = {
    symbol: 'SPY',
    day: '2026-03-01',
    state: 2,
    since: 1,
    holdDownUntil: null,
    regime: null,
    regimeSince: null,
    regimeHoldDownUntil: null,
    restsOn: null,
  } as const;
  const instrument = { symbol: 'SPY', name: 'SPY', assetClass: 'etf', regimeOnly: false, inputOnly: false } as const;
  const track: Track = { ...newTrack(instrument), liveState: 2, current };
  const announcer = createAnnouncer({
    feed,
    writer: createLogWriter(store, feed),
    currentStates: store.currentStates,
    setMeta: store.setMeta,
    detector: { tracks: new Map([['SPY', track]]), intradayProgress: () => ({ SPY: 7 }) },
    cluster: SINGLE_NODE,
    diverged: () => expect.unreachable(),
    log: store.log,
  });

  disk.full = true;
  expect(() => announcer.announce([draft('a')], 1000)).toThrow('disk is full');
  expect(() => announcer.announce([draft('b')], 2000)).toThrow('disk is full');
  expect(followed).toEqual([]);
  expect(store.currentStates.all()).toEqual([]);
  expect(store.meta('world_time')).toBeNull();
  expect(store.meta('decided_within')).toBeNull();

  disk.full = false;
  announcer.announce([draft('c')], 3000);
  expect(followed).toEqual(['1 a', '2 b', '3 c']);
  expect(inLog).toEqual([true, true, true]);
  expect(store.currentStates.all()).toEqual([current]);
  expect(store.meta('decided_within')).toBe('{"SPY":7}');
  expect(store.meta('world_time')).toBe('3000');
  store.close();
});
