// Test: an oversized page is read in parts, and an oversized event by its beginning.

import { expect, test } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { problem } from '../../../client/problem.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { CONTRACT_VOCABULARY } from '../compat/vocabulary.ts';
import { createPager } from './pages.ts';

/** Larger answers are refused, characters. */
const LIMIT = 20_000;

const event = (seq: number, note: string) => ({
  event_id: `evt_${seq}`,
  seq,
  event: 'signal.high_risk',
  timestamp: '2026-03-02T14:30:00.000Z',
  data: { symbol: 'SPY', note },
});

function readAll(log: readonly ReturnType<typeof event>[]) {
  const asked: number[] = [];
  const client = {
    async page(_list: string, { query }: { query: { limit: number; after?: string } }) {
      asked.push(query.limit);
      const from = log.findIndex(({ event_id }) => event_id === query.after) + 1;
      const rows = log.slice(from, from + query.limit);
      const text = JSON.stringify({ data: rows });
      const hasMore = from + query.limit < log.length;
      return text.length > LIMIT
        ? err({ ...problem('too_large', 'The answer is too large.', 200), beginning: text.slice(0, 5_000) })
        : ok({ rows, hasMore, nextCursor: hasMore ? (rows.at(-1)?.event_id ?? null) : null, took: 1 });
    },
  } as unknown as Pick<Client, 'page'>;
  const read = createPager(
    {
      client,
      clock: createManualClock(),
      logger: { warn: () => undefined },
      vocabulary: CONTRACT_VOCABULARY,
      warned: new Set(),
    },
    'events',
  );
  return {
    asked,
    async events() {
      const events = [];
      for (let after: string | null = null, more = true; more; ) {
        const page = await read(after === null ? {} : { after });
        if (!page.ok) throw new Error(page.error.message);
        events.push(...page.value.events);
        more = page.value.hasMore;
        after = page.value.nextCursor;
      }
      return events;
    },
  };
}

test('every event is read once, in order, and pages grow again', async () => {
  const log = Array.from({ length: 400 }, (_, index) => event(index + 1, index < 30 ? 'x'.repeat(1_500) : ''));
  const reading = readAll(log);
  const events = await reading.events();
  expect(events.map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
  expect(events.every(({ transition }) => transition?.symbol === 'SPY')).toBe(true);
  expect([reading.asked[0], reading.asked[1], reading.asked.at(-1)]).toEqual([100, 10, 100]);
});

test('a row that is no event is logged once, by its beginning, however often its list is read', async () => {
  const lines: unknown[] = [];
  const warned = new Set<string>();
  const client = { page: async () => ok({ rows: [[' '.repeat(9_000)]], hasMore: false, nextCursor: null, took: 1 }) };
  for (let round = 0; round < 3; round += 1)
    await createPager(
      {
        client: client as unknown as Pick<Client, 'page'>,
        clock: createManualClock(),
        logger: { warn: (line) => void lines.push(line) },
        warned,
        vocabulary: CONTRACT_VOCABULARY,
      },
      'events',
    )({});
  expect(lines).toEqual([{ row: expect.stringMatching(/^.{200}$/) }]);
});

test('a single event that is too large is recorded with its size as its problem', async () => {
  const reading = readAll([event(1, ''), event(2, 'x'.repeat(50_000)), event(3, '')]);
  const events = await reading.events();
  expect(events.map(({ eventId, problem: found }) => [eventId, found?.code])).toEqual([
    ['evt_1', undefined],
    ['evt_2', 'event.too_large'],
    ['evt_3', undefined],
  ]);
  expect(events[1]).toMatchObject({ symbol: 'SPY', transition: { to_state: 2 } });
});
