// Test: back-fill beside a faster stream, and against logs that never end.

import { expect, test } from 'vitest';
import type { Page } from '../../../client/client.ts';
import { ok } from '../../../shared/lib/result.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { readEvent } from '../compat/read-event.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { CONTRACT_VOCABULARY } from '../compat/vocabulary.ts';
import { openLedger } from '../ledger/ledger.ts';
import { createBackfill } from './backfill.ts';

const LOG = Array.from({ length: 600 }, (_, index) => ({
  event_id: `evt_${String(index + 1).padStart(6, '0')}`,
  seq: index + 1,
  event: 'briefing.published',
  timestamp: new Date(Date.UTC(2026, 2, 2, 10) + index * 1_000).toISOString(),
  data: { slug: `note-${index}` },
}));

type Listed = Omit<Page, 'took'>;

function setUp(answer: (after: string | null) => Listed, start?: () => string | null) {
  const clock = createManualClock();
  const ledger = openLedger(':memory:', 'now');
  const pages: (string | null)[] = [];
  const take = (source: 'stream' | 'backfill', events: ReceivedEvent[], after?: string | null) =>
    ledger.ingest({
      source,
      events,
      receivedAt: clock.now(),
      evaluate: () => ({ reason: null, why: null, notification: null, ends: [] }),
      ...(after === undefined ? {} : { after }),
    });
  const backfill = createBackfill({
    clock,
    vocabulary: CONTRACT_VOCABULARY,
    client: {
      page: async (_route: unknown, input: { query?: { after?: string } } = {}) => {
        const after = input.query?.after ?? null;
        pages.push(after);
        return ok({ ...answer(after), took: 1 });
      },
    } as Parameters<typeof createBackfill>[0]['client'],
    ledger: {
      cursor: ledger.cursor,
      pending: ledger.pendingIds,
      start: start ?? (() => ledger.cursor().eventId),
      forgetStart: () => undefined,
      forgetCursor: (cause) => ledger.forgetCursor(cause, '2026-03-02T10:00:00.000Z'),
      ingest: take,
      newestTransition: () => null,
      isKnown: () => false,
      hasHighRisk: () => false,
      isListed: () => false,
    },
    isKeyAccepted: () => true,
    checkService: async () => ok({ fatal: null }),
    logger: {
      warn: (fields) => {
        throw new Error(JSON.stringify(fields));
      },
    },
  });
  const read = (rows: readonly unknown[]): ReceivedEvent[] =>
    rows.map((row) => {
      const event = readEvent(row, { receivedAt: clock.now() });
      if (!event.ok) throw new Error(event.error);
      return event.value;
    });
  const stream = (rows: readonly unknown[]): void => void take('stream', read(rows));
  /** The service's list, from its oldest event. */
  const list = (rows: readonly unknown[]): void => void take('backfill', read(rows), null);
  return { ledger, backfill, pages, stream, list };
}

const pageAfter = (after: string | null): Listed => {
  const from = after === null ? 0 : LOG.findIndex((event) => event.event_id === after) + 1;
  const rows = LOG.slice(from, from + 100);
  return { rows, hasMore: from + 100 < LOG.length, nextCursor: rows.at(-1)?.event_id ?? null };
};

test('a log is read to its end', async () => {
  const { ledger, backfill, pages } = setUp(pageAfter);
  expect(await backfill('backfill')).toEqual(
    ok({ added: 600, oldest: Date.parse(LOG[0]?.timestamp ?? ''), provable: true }),
  );
  expect(ledger.cursor().seq).toBe(600);
  expect(pages).toHaveLength(6);
});

test('events that the stream brought meanwhile are skipped, and are no repetition', async () => {
  const { ledger, backfill, pages, stream } = setUp((after) => {
    // While the second page is on its way, the stream brings all but the last hundred.
    if (pages.length === 2) stream(LOG.slice(100, 500));
    return pageAfter(after);
  });
  expect(await backfill('backfill')).toEqual(
    ok({ added: 200, oldest: Date.parse(LOG[0]?.timestamp ?? ''), provable: true }),
  );
  expect(ledger.cursor().seq).toBe(600);
  expect(ledger.count()).toBe(600);
  expect(pages).toEqual([null, 'evt_000100', 'evt_000500']);
});

test('a log that ends without the ledger’s last event is another log, and is read completely', async () => {
  const { ledger, backfill, list } = setUp(pageAfter, () => null);
  // Events of a former log; the start of the reading was forgotten, the cursor was not.
  list([
    { ...LOG[0], event_id: 'evt_old', seq: 1 },
    { ...LOG[1], event_id: 'evt_older', seq: 2 },
  ]);
  expect(ledger.cursor()).toMatchObject({ eventId: 'evt_older', seq: 2 });
  expect(await backfill('backfill')).toMatchObject({ ok: true });
  expect(ledger.hasPending()).toBe(false);
  expect(ledger.cursor()).toMatchObject({ eventId: 'evt_000600', seq: 600 });
});

test.each([
  ['under the same cursor', () => 'again'],
  ['under ever new cursors', (turn: number) => `turn-${turn}`],
])('a log that repeats itself %s ends with an error', async (_name, cursorOf) => {
  let turn = 0;
  const { ledger, backfill, pages } = setUp(() => {
    turn += 1;
    return { rows: LOG.slice(0, 100), hasMore: true, nextCursor: cursorOf(turn) };
  });
  expect(await backfill('backfill')).toMatchObject({
    ok: false,
    error: { kind: 'unreadable', message: expect.stringContaining('repeats itself') },
  });
  expect(ledger.count()).toBe(100);
  // Pages of the log, then of the transitions.
  expect(pages.length).toBeLessThan(50);
});
