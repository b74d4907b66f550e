// Service, log, test: followers of the event log.
import { expect, test } from 'vitest';
import type { EventDraft } from '../store/event-log.ts';
import { IN_MEMORY, openStore } from '../store/store.ts';
import { createLogFeed, type LogFeed } from './log-feed.ts';
import { createLogWriter } from './log-writer.ts';

const draft = (id: string): EventDraft => ({
  event_id: id,
  event: 'model.version',
  timestamp: '2026-03-02T14:30:00.000Z',
  data: { version: id, previous: null, effective_at: '2026-03-02T14:30:00.000Z' },
});

function rig() {
  const store = openStore(IN_MEMORY, { environment: 'sandbox', seed: 7, clock: 'real' });
  const errors: string[] = [];
  const silent = () => undefined;
  const logger = {
    debug: silent,
    info: silent,
    warn: silent,
    error: (context: object) => void errors.push(JSON.stringify(context)),
  };
  const feed = createLogFeed(store.log, logger);
  return { store, feed, writer: createLogWriter(store, feed), errors };
}

/** A follower that reads everything after a position. */
function reader(feed: LogFeed, from: number) {
  const read: string[] = [];
  let position = from;
  const advanced = (): void => {
    for (const { envelope } of feed.after(position, 2)) {
      position = envelope.seq;
      read.push(envelope.event_id);
    }
  };
  return { read, advanced };
}

test('events are read from the store and from memory alike, from any position, in order', () => {
  const { store, writer } = rig();
  writer.commit([draft('a'), draft('b')], 1000);
  // As after a restart, with nothing in memory.
  const feed = createLogFeed(store.log, { debug() {}, info() {}, warn() {}, error() {} });
  const later = createLogWriter(store, feed);
  later.commit([draft('c')], 2000);
  const ids = (seq: number, limit = 10) => feed.after(seq, limit).map(({ envelope }) => envelope.event_id);
  expect([ids(0), ids(1), ids(2), ids(3)]).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c'], []]);
  expect(ids(0, 2)).toEqual(['a', 'b']);
  expect(feed.end()).toEqual({ seq: 3, worldTime: 2000 });
});

test('events that a follower appends reach every follower after the events that caused them, in any order of subscription', () => {
  const { feed, writer } = rig();
  const first = reader(feed, 0);
  feed.follow(first);
  feed.follow({
    advanced({ seq }) {
      if (seq === 1) writer.commit([draft('answer')], 1000);
    },
  });
  const last = reader(feed, 0);
  feed.follow(last);
  writer.commit([draft('event')], 1000);
  expect(first.read).toEqual(['event', 'answer']);
  expect(last.read).toEqual(['event', 'answer']);
});

test('a failing follower stops no other, is logged once, and continues when the log advances', () => {
  const { feed, writer, errors } = rig();
  let failing = true;
  const follower = reader(feed, 0);
  feed.follow({
    advanced() {
      if (failing) throw new Error('disk is full');
      follower.advanced();
    },
  });
  const other = reader(feed, 0);
  feed.follow(other);
  writer.commit([draft('a')], 1000);
  writer.commit([draft('b')], 2000);
  expect(errors).toEqual(['{"error":"disk is full"}']);
  expect(other.read).toEqual(['a', 'b']);
  failing = false;
  writer.commit([], 3000);
  expect(follower.read).toEqual(['a', 'b']);
});

test('the position of a follower is stored with every commit, as of before that commit', () => {
  const { store, feed, writer } = rig();
  let position = feed.end();
  feed.follow({
    stored: { name: 'briefings', position: () => position },
    advanced: (end) => {
      position = end;
    },
  });
  writer.commit([draft('a')], 1000);
  writer.commit([draft('b')], 2000);
  expect(store.meta('follower:briefings')).toBe('{"seq":1,"worldTime":1000}');
});
