// Service, routes, test: which part of the log GET /events gives, without a cursor and after an id.
import { afterEach, expect, test } from 'vitest';
import { DAY_MS } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { IN_MEMORY, openStore } from '../store/store.ts';
import { eventHandlers } from './events.ts';
import type { HandlerDeps } from './handler-deps.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const store = openStore(IN_MEMORY, { environment: 'production', seed: null, clock: 'real' });
afterEach(() => store.close());

test('an event that was announced 31 days late comes after the one before it, and its id is a cursor', () => {
  const days = { evt_a: 45, evt_b: 1, evt_late: 31, evt_c: 0 };
  store.transaction(() =>
    store.log.append(
      Object.entries(days).map(([event_id, ago]) => ({
        event_id,
        event: 'model.version',
        timestamp: timestamp(NOW - ago * DAY_MS),
        data: { version: event_id, previous: null, effective_at: timestamp(NOW) },
      })),
    ),
  );
  const { events } = eventHandlers({
    store,
    info: { world: { now: () => NOW } },
    cluster: { catchUp: () => undefined },
  } as unknown as HandlerDeps);
  const idsAfter = (after?: string): string[] => {
    const [request, raw, reply] = [{ query: { limit: 100, after } }, {}, {}] as unknown as Parameters<typeof events>;
    const page = events(request, raw, reply);
    return (page as { data: { event_id: string }[] }).data.map(({ event_id }) => event_id);
  };
  expect(idsAfter('evt_b')).toEqual(['evt_late', 'evt_c']);
  expect(idsAfter('evt_late')).toEqual(['evt_c']);
  expect(idsAfter('evt_a')).toEqual(['evt_b', 'evt_late', 'evt_c']);
  expect(idsAfter()).toEqual(['evt_b', 'evt_c']);
  expect(() => idsAfter('evt_gone')).toThrow('no event_id that is kept');
});
