// Main, core: takes a delivery in: proves it over its raw bytes, reads it, writes it into the ledger, and only then answers. What was answered with 2xx
// is on the disk; what could not be written is answered so that the service sends it again.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Arrival } from '../../../shared/channels/relay.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { readEvent } from '../dialect/read-event.ts';
import type { ReceivedEvent } from '../dialect/received-event.ts';
import { type Ingested, ledgerWords } from '../ledger/ledger.ts';
import { judgeAge } from './age.ts';
import type { Answer } from './door.ts';
import type { Refusals } from './refusals.ts';
import type { SecretBook } from './secrets.ts';
import { TRAIL_HEADER } from './sign.ts';
import { type Headers, type Proof, verify } from './signature.ts';
import type { Aside, RelayStore } from './store.ts';

export interface ReceptionOptions {
  readonly clock: Clock;
  readonly secrets: SecretBook;
  readonly refusals: Refusals;
  readonly store: RelayStore;
  /** Name of this relay, for the trail. */
  readonly name: string;
  /** The service's clock; null until it told its time: then nothing is judged by age. */
  readonly world: () => { readonly now: number; readonly speed: number } | null;
  /** True when the ledger has this event already. */
  readonly isKnown: (eventId: string) => boolean;
  /** Writes into the ledger. @throws when it cannot be written */
  readonly ingest: (events: readonly ReceivedEvent[]) => Ingested;
  readonly onLedgerFailed: (words: string) => void;
  readonly onArrival: (arrival: Arrival) => void;
  /** Something was kept aside: ask the service whether it is true. */
  readonly onAside: () => void;
  readonly onFault: (words: string) => void;
}

export interface Reception {
  /** Never rejects. */
  receive(headers: Headers, body: Uint8Array): Promise<Answer>;
  /** Writes what is gathered, now. */
  flush(): void;
  /** An event that was kept aside, read again. null: it cannot be read. */
  read(aside: Aside): ReceivedEvent | null;
}

/** A delivery may have passed this many relays. */
const MOST_RELAYS = 3;
/** Seconds after which the service is to try again when the ledger could not be written. */
const RETRY_AFTER = 5;

interface Waiting {
  readonly event: ReceivedEvent;
  readonly answer: (outcome: 'stored' | 'known' | 'failed') => void;
}

export function createReception(options: ReceptionOptions): Reception {
  const { clock, secrets, refusals, store } = options;
  let gathered: Waiting[] = [];
  let cancel: Cancel | null = null;

  /** One transaction for all that came within one turn. When it fails, each gets its own, so that one cannot hold up the others. */
  const write = (batch: readonly Waiting[]): void => {
    try {
      const { added } = options.ingest(batch.map(({ event }) => event));
      const fresh = new Set(added.map(({ event }) => event));
      for (const { event, answer } of batch) answer(fresh.has(event) ? 'stored' : 'known');
    } catch (thrown) {
      if (batch.length > 1) for (const one of batch) write([one]);
      else {
        options.onLedgerFailed(ledgerWords(thrown));
        for (const { answer } of batch) answer('failed');
      }
    }
  };
  const flush = (): void => {
    cancel?.();
    cancel = null;
    const batch = inOrder(gathered);
    gathered = [];
    if (batch.length > 0) write(batch);
  };
  const stored = (event: ReceivedEvent): Promise<'stored' | 'known' | 'failed'> =>
    new Promise((answer) => {
      gathered.push({ event, answer });
      cancel ??= clock.after(0, flush);
    });

  const keepAside = (eventId: string, body: string, why: Aside['why']): void => {
    store.keepAside({ eventId, body, why, receivedAt: clock.now() });
    options.onAside();
  };

  const admit = async (headers: Headers, body: Uint8Array, proof: Proof): Promise<Answer> => {
    const said = (
      event: { eventId: string; event: string; symbol: string | null },
      result: Arrival['result'],
      words: string,
    ): void =>
      options.onArrival({
        at: timestamp(clock.now()),
        event_id: event.eventId,
        event: event.event,
        symbol: event.symbol,
        result,
        proof: proof.form === null ? STANDARD_HEADERS.signature : `${SIGNATURE_HEADER}, ${proof.form}`,
        secret: proof.slot,
        words,
      });
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    const event = isUtf8(body) ? readDelivery(headers, text, proof, clock.now()) : 'its text is not UTF-8';
    if (typeof event === 'string') {
      // It is truly from the service, so sending it again would change nothing; back-fill sees the same.
      const eventId = `unreadable:${createHash('sha256').update(body).digest('hex')}`;
      keepAside(eventId, text, 'unreadable');
      said({ eventId, event: '', symbol: null }, 'kept_aside', `It is no event: ${event}.`);
      return { status: 202, body: { status: 'kept_aside', message: `This is no event: ${event}.` } };
    }
    const world = options.world();
    const judged = world === null || event.marks.includes('time') ? 'fresh' : judgeAge(event.occurredAt, world);
    // A repeat needs no rule of age; the ledger is asked only where it matters.
    const age = judged !== 'fresh' && options.isKnown(event.eventId) ? 'fresh' : judged;
    if (age === 'too_old' || age === 'ahead') {
      keepAside(event.eventId, text, age);
      const words = `Its time ${age === 'ahead' ? 'lies in the future' : 'is more than 30 days ago'}; the service is asked whether it is true.`;
      said(event, 'kept_aside', words);
      return { status: 202, body: { status: 'kept_aside', event_id: event.eventId, message: words } };
    }
    const trail = trailOf(headers);
    if (trail.length > 0) store.setTrail(event.eventId, trail.join(', '));
    const outcome = await stored(event);
    if (outcome === 'failed') {
      refusals.note('not_stored', 'The ledger could not be written; the service sends it again.');
      return {
        status: 503,
        body: { status: 'not_stored', message: 'This event could not be written down. Send it again.' },
        retryAfter: RETRY_AFTER,
      };
    }
    const late = age === 'late' ? 'It is more than a day late.' : '';
    said(event, outcome, outcome === 'known' ? 'It was there already.' : late);
    return { status: 200, body: { status: outcome, event_id: event.eventId } };
  };

  return {
    async receive(headers, body) {
      const exhibit = { headers, body };
      try {
        const trail = trailOf(headers);
        if (trail.includes(options.name) || trail.length > MOST_RELAYS) {
          const words = trail.includes(options.name)
            ? 'It was passed on by this relay before.'
            : `It passed ${trail.length} relays already.`;
          refusals.note('loop', words);
          return { status: 508, body: { status: 'refused', reason: 'loop', message: words } };
        }
        const verdict = verify(headers, body, secrets.live(clock.now()), secrets.form());
        if (!verdict.ok) {
          const { reason, words } = verdict.error;
          refusals.note(reason, words, exhibit);
          // Without a secret it may well be good: the service is to try again when there is one.
          if (reason === 'no_secret')
            return { status: 503, body: { status: 'refused', reason, message: words }, retryAfter: RETRY_AFTER };
          return { status: 401, body: { status: 'refused', reason, message: words } };
        }
        void secrets.proven(verdict.value, clock.now());
        return await admit(headers, body, verdict.value);
      } catch (thrown) {
        options.onFault(messageOf(thrown));
        return {
          status: 503,
          body: { status: 'not_stored', message: 'This could not be taken in. Send it again.' },
          retryAfter: RETRY_AFTER,
        };
      }
    },
    flush,
    read(aside) {
      const event = readValue(aside.body, { receivedAt: aside.receivedAt });
      return typeof event === 'string' ? null : event;
    },
  };
}

/** Those that overtook each other stand as the service numbered them: then none lies beyond a hole that the next one fills. */
function inOrder(batch: readonly Waiting[]): readonly Waiting[] {
  const placed = batch.flatMap((one) => (one.event.seq === null ? [] : { one, seq: one.event.seq }));
  return placed.length < batch.length ? batch : placed.sort((a, b) => a.seq - b.seq).map(({ one }) => one);
}

/** Relays that it has passed, as it says. */
const trailOf = (headers: Headers): string[] =>
  headers[TRAIL_HEADER]
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 50) ?? [];

/** @returns the event, or what is wrong with it */
function readDelivery(headers: Headers, text: string, { scheme }: Proof, receivedAt: number): ReceivedEvent | string {
  const id = headers[STANDARD_HEADERS.id];
  // The id in the header is proven only by the signature that covers it; else the same body under another id would be another event.
  return readValue(text, { receivedAt, ...(scheme === 'standard' && id !== undefined ? { id } : {}) });
}

function readValue(text: string, hints: { receivedAt: number; id?: string }): ReceivedEvent | string {
  try {
    const event = readEvent(JSON.parse(text), { ...hints, body: text });
    return event.ok ? event.value : event.error;
  } catch (thrown) {
    return `not JSON: ${messageOf(thrown)}`;
  }
}
