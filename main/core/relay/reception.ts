// Main, core: receives a delivery: proves its raw bytes, reads it, records it, and only then answers.
// An event that was answered with 2xx is on the disk; if the write fails, the answer makes the service send
// it again.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Arrival } from '../../../shared/channels/relay.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { readEvent } from '../compat/read-event.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { type IngestResult, ledgerErrorMessage } from '../ledger/ledger.ts';
import { classifyAge } from './age.ts';
import type { Refusals } from './refusals.ts';
import type { SecretStore } from './secrets.ts';
import type { Answer } from './server.ts';
import { TRAIL_HEADER } from './sign.ts';
import { type Headers, type Proof, verify } from './signature.ts';
import type { DeadLetter, RelayStore } from './store.ts';

export interface ReceptionOptions {
  readonly clock: Clock;
  readonly secrets: SecretStore;
  readonly refusals: Refusals;
  readonly store: RelayStore;
  /** Name of this relay in trails. */
  readonly name: string;
  /** The service's clock; null until it is known: until then nothing is rejected by age. */
  readonly world: () => { readonly now: number; readonly speed: number } | null;
  /** True when the ledger has this event already. */
  readonly isKnown: (eventId: string) => boolean;
  /** Writes into the ledger. @throws when it cannot be written */
  readonly ingest: (events: readonly ReceivedEvent[]) => IngestResult;
  readonly onLedgerFailed: (message: string) => void;
  readonly onArrival: (arrival: Arrival) => void;
  /** Called after a delivery was quarantined: the service must confirm it. */
  readonly onDeadLetter: () => void;
  readonly onFault: (message: string) => void;
}

export interface Reception {
  /** Never rejects. */
  receive(headers: Headers, body: Uint8Array): Promise<Answer>;
  /** Writes the batch now. */
  flush(): void;
  /** Reads a quarantined event again. null: it is unreadable. */
  read(deadLetter: DeadLetter): ReceivedEvent | null;
}

/** Most relays that a delivery may have passed. */
const MOST_RELAYS = 3;
/** Seconds until the service should retry when the ledger could not be written. */
const RETRY_AFTER = 5;

interface PendingDelivery {
  readonly event: ReceivedEvent;
  readonly answer: (outcome: 'stored' | 'known' | 'failed') => void;
}

export function createReception(options: ReceptionOptions): Reception {
  const { clock, secrets, refusals, store } = options;
  let queued: PendingDelivery[] = [];
  let cancel: Cancel | null = null;

  /**
   * One transaction for all deliveries of one turn. If it fails, each gets its own, so that one cannot block
   * the others.
   */
  const write = (batch: readonly PendingDelivery[]): void => {
    try {
      const { added } = options.ingest(batch.map(({ event }) => event));
      const fresh = new Set(added.map(({ event }) => event));
      for (const { event, answer } of batch) answer(fresh.has(event) ? 'stored' : 'known');
    } catch (error) {
      if (batch.length > 1) for (const one of batch) write([one]);
      else {
        options.onLedgerFailed(ledgerErrorMessage(error));
        for (const { answer } of batch) answer('failed');
      }
    }
  };
  const flush = (): void => {
    cancel?.();
    cancel = null;
    const batch = inOrder(queued);
    queued = [];
    if (batch.length > 0) write(batch);
  };
  const stored = (event: ReceivedEvent): Promise<'stored' | 'known' | 'failed'> =>
    new Promise((answer) => {
      queued.push({ event, answer });
      cancel ??= clock.after(0, flush);
    });

  const quarantine = (eventId: string, body: string, why: DeadLetter['why']): void => {
    store.addDeadLetter({ eventId, body, why, receivedAt: clock.now() });
    options.onDeadLetter();
  };

  const admit = async (headers: Headers, body: Uint8Array, proof: Proof): Promise<Answer> => {
    const said = (
      event: { eventId: string; event: string; symbol: string | null },
      result: Arrival['result'],
      message: string,
    ): void =>
      options.onArrival({
        at: timestamp(clock.now()),
        event_id: event.eventId,
        event: event.event,
        symbol: event.symbol,
        result,
        proof: proof.form === null ? STANDARD_HEADERS.signature : `${SIGNATURE_HEADER}, ${proof.form}`,
        secret: proof.generation,
        message,
      });
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    const event = isUtf8(body) ? readDelivery(headers, text, proof, clock.now()) : 'its text is not UTF-8';
    if (typeof event === 'string') {
      // The signature is valid, so a retry would change nothing; back-fill reads the same event.
      const eventId = `unreadable:${createHash('sha256').update(body).digest('hex')}`;
      quarantine(eventId, text, 'unreadable');
      said({ eventId, event: '', symbol: null }, 'quarantined', `It is no event: ${event}.`);
      return { status: 202, body: { status: 'quarantined', message: `This is no event: ${event}.` } };
    }
    const world = options.world();
    const classified =
      world === null || event.assumptions.includes('time') ? 'fresh' : classifyAge(event.occurredAt, world);
    // A repeat needs no rule of age; the ledger is read only where it matters.
    const age = classified !== 'fresh' && options.isKnown(event.eventId) ? 'fresh' : classified;
    if (age === 'too_old' || age === 'ahead') {
      quarantine(event.eventId, text, age);
      const message = `Its time ${age === 'ahead' ? 'lies in the future' : 'is more than 30 days ago'}; the service is asked whether it is true.`;
      said(event, 'quarantined', message);
      return { status: 202, body: { status: 'quarantined', event_id: event.eventId, message: message } };
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
      const delivery = { headers, body };
      try {
        const trail = trailOf(headers);
        if (trail.includes(options.name) || trail.length > MOST_RELAYS) {
          const message = trail.includes(options.name)
            ? 'It was passed on by this relay before.'
            : `It passed ${trail.length} relays already.`;
          refusals.note('loop', message);
          return { status: 508, body: { status: 'refused', reason: 'loop', message: message } };
        }
        const verification = verify(headers, body, secrets.live(clock.now()), secrets.form());
        if (!verification.ok) {
          const { reason, message } = verification.error;
          refusals.note(reason, message, delivery);
          // Without a secret the delivery may be valid: the service retries later, when there is one.
          if (reason === 'no_secret')
            return { status: 503, body: { status: 'refused', reason, message: message }, retryAfter: RETRY_AFTER };
          return { status: 401, body: { status: 'refused', reason, message: message } };
        }
        void secrets.proven(verification.value, clock.now());
        return await admit(headers, body, verification.value);
      } catch (error) {
        options.onFault(messageOf(error));
        return {
          status: 503,
          body: { status: 'not_stored', message: 'This could not be taken in. Send it again.' },
          retryAfter: RETRY_AFTER,
        };
      }
    },
    flush,
    read(deadLetter) {
      const event = readValue(deadLetter.body, { receivedAt: deadLetter.receivedAt });
      return typeof event === 'string' ? null : event;
    },
  };
}

/**
 * Sorts reordered deliveries by the service's numbers: otherwise one would be pending until the next fills
 * the hole.
 */
function inOrder(batch: readonly PendingDelivery[]): readonly PendingDelivery[] {
  const placed = batch.flatMap((one) => (one.event.seq === null ? [] : { one, seq: one.event.seq }));
  return placed.length < batch.length ? batch : placed.sort((a, b) => a.seq - b.seq).map(({ one }) => one);
}

/** Relays that the delivery has passed, by its header. */
const trailOf = (headers: Headers): string[] =>
  headers[TRAIL_HEADER]
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 50) ?? [];

/** @returns the event, or the reason why it is unreadable */
function readDelivery(headers: Headers, text: string, { scheme }: Proof, receivedAt: number): ReceivedEvent | string {
  const id = headers[STANDARD_HEADERS.id];
  // Only the signature that covers the header's id proves it; otherwise one body under another id would be
  // another event.
  return readValue(text, { receivedAt, ...(scheme === 'standard' && id !== undefined ? { id } : {}) });
}

function readValue(text: string, hints: { receivedAt: number; id?: string }): ReceivedEvent | string {
  try {
    const event = readEvent(JSON.parse(text), { ...hints, body: text });
    return event.ok ? event.value : event.error;
  } catch (error) {
    return `not JSON: ${messageOf(error)}`;
  }
}
