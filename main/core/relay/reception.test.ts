// Test: the reception of a delivery alone: proof, quarantine, and the answer when a write fails.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Arrival } from '../../../shared/channels/relay.ts';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { createReception, type Reception, type ReceptionOptions } from './reception.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import { signedHeaders, TRAIL_HEADER } from './sign.ts';
import { bodyKey, hmac } from './signature.ts';
import { openRelayStore, type RelayStore } from './store.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const DAY = 24 * 3_600_000;

let clock: ManualClock;
let store: RelayStore;
let refusals: Refusals;
let known: Set<string>;
let written: ReceivedEvent[];
let arrivals: Arrival[];
/** Ids that the ledger refuses. */
let unwritable: Set<string>;

beforeEach(() => {
  clock = createManualClock();
  store = openRelayStore(':memory:', 'now', () => undefined);
  refusals = createRefusals(clock);
  [known, unwritable, written, arrivals] = [new Set(), new Set(), [], []];
});

const reception = (more: Partial<ReceptionOptions> = {}): Reception =>
  createReception({
    clock,
    secrets: {
      live: () => [{ generation: 'current', text: SECRET }],
      form: () => null,
      proven: () => Promise.resolve(),
    } as unknown as ReceptionOptions['secrets'],
    refusals,
    store,
    name: 'here',
    world: () => ({ now: clock.now(), speed: 1 }),
    isKnown: (eventId) => known.has(eventId),
    ingest(events) {
      if (events.some(({ eventId }) => unwritable.has(eventId))) throw new Error('disk full');
      const added = events.filter(({ eventId }) => !known.has(eventId));
      for (const event of added) known.add(event.eventId);
      written.push(...added);
      return { added: added.map((event, index) => ({ ledgerId: index + 1, event })) } as unknown as ReturnType<
        ReceptionOptions['ingest']
      >;
    },
    onLedgerFailed: () => undefined,
    onArrival: (arrival) => void arrivals.push(arrival),
    onDeadLetter: () => undefined,
    onFault: (message) => {
      throw new Error(message);
    },
    ...more,
  });
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
async function receive(subject: Reception, headers: Record<string, string>, body: string | Uint8Array) {
  const answer = subject.receive(headers, typeof body === 'string' ? bytes(body) : body);
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
      expect([written, store.deadLetters().map((one) => [one.eventId, one.why])]).toEqual([[], [['e1', why]]]);
      known.add('e1');
      expect(await receive(reception(), signed('e1', body), body)).toMatchObject({
        status: 200,
        body: { status: 'known' },
      });
      expect(store.countDeadLetters()).toBe(1);
    },
  );

  test('without a known time of the service, nothing is rejected by age', async () => {
    const body = bodyOf('e1', clock.now() - 400 * DAY);
    expect(await receive(reception({ world: () => null }), signed('e1', body), body)).toMatchObject({ status: 200 });
  });
});

test('bytes that are not UTF-8 are quarantined, not decoded approximately', async () => {
  const body = Buffer.from(bodyOf('e1').replace('"etf"', '"etf","note":"\xff"'), 'latin1');
  const own = hmac(bodyKey(SECRET) ?? Buffer.alloc(0), body).toString('hex');
  expect(await receive(reception(), { [SIGNATURE_HEADER]: own }, body)).toMatchObject({
    status: 202,
    body: { status: 'quarantined' },
  });
  expect(written).toEqual([]);
  expect(store.deadLetters()).toMatchObject([{ why: 'unreadable' }]);
});

describe('the id', () => {
  test('in the header counts where the signature covers it: otherwise one body would be as many events as there are headers', async () => {
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
  test('takes all deliveries of one turn at once; one that cannot be written does not block the others', async () => {
    unwritable.add('e2');
    const subject = reception();
    const ids = ['e1', 'e2', 'e3'];
    const answers = ids.map((id) => {
      const body = bodyOf(id);
      return subject.receive(signed(id, body), bytes(body));
    });
    await clock.advance(1);
    expect((await Promise.all(answers)).map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [200, undefined],
      [503, 5],
      [200, undefined],
    ]);
    expect(written.map(({ eventId }) => eventId)).toEqual(['e1', 'e3']);
    expect(refusals.list().map(({ reason }) => reason)).toEqual(['not_stored']);
  });
});

test('a delivery that passed this relay before, or more than three relays, is refused as a loop', async () => {
  const body = bodyOf('e1');
  const by = async (trail: string): Promise<number> =>
    (await receive(reception(), { ...signed('e1', body), [TRAIL_HEADER]: trail }, body)).status;
  expect([await by('a, here'), await by('a, b, c, d')]).toEqual([508, 508]);
  expect(written).toEqual([]);
  expect(await by(' a,, b, c ')).toBe(200);
  expect(store.trail('e1')).toBe('a, b, c');
});
