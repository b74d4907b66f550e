// Test: the reception of a delivery alone: proof, quarantine, and the answer when a write fails.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Arrival, RefusalReason } from '../../../shared/channels/relay.ts';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { createTestContext } from '../../../test/harness/core-context.ts';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { CONTRACT_VOCABULARY } from '../compat/vocabulary.ts';
import type { IngestResult } from '../ledger/arrival.ts';
import { createDeliveryBatch, createReception, type Receive, type ReceptionDeps } from './reception.ts';
import { bodyKey, hmac, signedHeaders } from './signature.ts';
import { openRelayStore, type RelayStore } from './store.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const DAY = 24 * 3_600_000;

let clock: ManualClock;
let store: RelayStore;
let refused: RefusalReason[];
let known: Set<string>;
let written: ReceivedEvent[];
let arrivals: Arrival[];
/** Ids that the ledger refuses. */
let unwritable: Set<string>;

beforeEach(() => {
  clock = createManualClock();
  store = openRelayStore(':memory:', 'now', () => undefined);
  [known, unwritable, written, arrivals, refused] = [new Set(), new Set(), [], [], []];
});

/** @param isTimeKnown whether the service has given its time, which equals this computer's here */
function reception(isTimeKnown = true): Receive {
  const context = createTestContext(clock);
  if (isTimeKnown) context.world.sample(clock.now(), clock.now());
  const error = (values: object): never => {
    throw new Error(JSON.stringify(values));
  };
  const secrets: ReceptionDeps['secrets'] = {
    live: () => [{ generation: 'current', text: SECRET }],
    form: () => null,
    proven: () => Promise.resolve(),
  };
  const batch = createDeliveryBatch({
    context,
    ledger: { unwritten: () => null } as never,
    receive(_source, events) {
      if (events.some(({ eventId }) => unwritable.has(eventId))) throw new Error('disk full');
      const added = events.filter(({ eventId }) => !known.has(eventId));
      for (const event of added) known.add(event.eventId);
      written.push(...added);
      return { added: added.map((event, index) => ({ ledgerId: index + 1, event })) } as unknown as IngestResult;
    },
  });
  return createReception({
    vocabulary: CONTRACT_VOCABULARY,
    context: { ...context, ports: { ...context.ports, logger: { ...context.ports.logger, error } } },
    secrets,
    activity: { arrived: (arrival) => void arrivals.push(arrival), refused: (reason) => void refused.push(reason) },
    store: { name: 'here', setTrail: store.setTrail },
    ledger: { entries: { occurredAt: (eventId) => (known.has(eventId) ? 0 : undefined) } },
    batch,
    deadLetters: {
      quarantine: (eventId, body, why) => store.deadLetters.add({ eventId, body, why, receivedAt: clock.now() }),
    },
  });
}
const bodyOf = (id: string | null, at = clock.now()): string =>
  JSON.stringify({
    ...(id === null ? {} : { event_id: id }),
    event: 'signal.high_risk',
    timestamp: new Date(at).toISOString(),
    data: { symbol: 'SPY', asset_class: 'etf', from_state: 0, to_state: 2, occurred_at: new Date(at).toISOString() },
  });
const signed = (id: string, body: string): Record<string, string> => signedHeaders(SECRET, id, body, clock.now());
const bytes = (body: string): Uint8Array => Buffer.from(body, 'utf8');
/** Receives, and lets the batch be written. */
async function receive(subject: Receive, headers: Record<string, string>, body: string | Uint8Array) {
  const answer = subject(headers, typeof body === 'string' ? bytes(body) : body);
  await clock.advance(1);
  return answer;
}

describe('age', () => {
  test.each([
    ['more than 30 days ago', -31 * DAY, 'too_old'],
    ['in the future', 3_600_000, 'ahead'],
  ] as const)(
    'an event of %s is quarantined until the service confirms it; a known one needs no proof of age',
    async (_, off, why) => {
      const body = bodyOf('e1', clock.now() + off);
      expect(await receive(reception(), signed('e1', body), body)).toMatchObject({
        status: 202,
        body: { status: 'quarantined' },
      });
      expect([written, store.deadLetters.all().map((one) => [one.eventId, one.why])]).toEqual([[], [['e1', why]]]);
      known.add('e1');
      expect(await receive(reception(), signed('e1', body), body)).toMatchObject({
        status: 200,
        body: { status: 'known' },
      });
      expect(store.deadLetters.count()).toBe(1);
    },
  );

  test('nothing is rejected by age while the time of the service is unknown', async () => {
    const body = bodyOf('e1', clock.now() - 400 * DAY);
    expect(await receive(reception(false), signed('e1', body), body)).toMatchObject({ status: 200 });
  });
});

test('a delivery with bytes that are not UTF-8 is recorded, with its problem', async () => {
  const body = Buffer.from(bodyOf('e1').replace('"etf"', '"etf","note":"\xff"'), 'latin1');
  const own = hmac(bodyKey(SECRET) ?? Buffer.alloc(0), body).toString('hex');
  expect(await receive(reception(), { [SIGNATURE_HEADER]: own }, body)).toMatchObject({ status: 200 });
  expect(written).toMatchObject([{ eventId: 'e1', symbol: 'SPY', problem: { code: 'event.not_utf8' } }]);
  expect(store.deadLetters.count()).toBe(0);
});

test('a text that begins with a byte order mark is read', async () => {
  const body = `\uFEFF${bodyOf('e1')}`;
  expect(await receive(reception(), signed('e1', body), body)).toMatchObject({ status: 200 });
  expect(written).toMatchObject([{ eventId: 'e1', symbol: 'SPY', body }]);
  expect(written[0]?.problem).toBeUndefined();
});

describe('the id', () => {
  test('in the header counts only where the signature covers it: else any header would make another event of a body', async () => {
    const body = bodyOf(null);
    const { [SIGNATURE_HEADER]: own = '', ...standard } = signed('e1', body);
    const subject = reception();
    await receive(subject, standard, body);
    expect(written.map(({ eventId }) => eventId)).toEqual(['e1']);
    for (const id of ['e2', 'e3']) await receive(subject, { [SIGNATURE_HEADER]: own, [STANDARD_HEADERS.id]: id }, body);
    expect(written.map(({ eventId }) => eventId)).toEqual(['e1', expect.stringMatching(/^sha256:/)]);
    expect(arrivals.map(({ result }) => result)).toEqual(['stored', 'stored', 'known']);
  });
});

describe('the ledger', () => {
  test('takes all deliveries of one turn at once; a failed write blocks no other delivery', async () => {
    unwritable.add('e2');
    const subject = reception();
    const ids = ['e1', 'e2', 'e3'];
    const answers = ids.map((id) => {
      const body = bodyOf(id);
      return subject(signed(id, body), bytes(body));
    });
    await clock.advance(1);
    expect((await Promise.all(answers)).map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [200, undefined],
      [503, 5],
      [200, undefined],
    ]);
    expect(written.map(({ eventId }) => eventId)).toEqual(['e1', 'e3']);
    expect(refused).toEqual(['not_stored']);
  });
});
