// Main, core: receives a delivery: proves its raw bytes, reads it, records it, and then answers.
// An event answered with 2xx is on disk; after a failed write the answer makes the service retry.
import { createHash } from 'node:crypto';
import type { Arrival, RefusalReason } from '../../../shared/channels/relay.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message, textOf } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import { ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { ActivityLog } from './activity.ts';
import type { DeadLetters } from './dead-letters.ts';
import { type Age, classifyAge, decode, PROOF, readDelivery, trailOf } from './delivery.ts';
import { isKnown, type RelayDeps } from './deps.ts';
import type { SecretStore } from './secrets.ts';
import type { Answer } from './server.ts';
import { type Headers, type Proof, verify } from './signature.ts';
import type { RelayStore } from './store.ts';

type Outcome = 'stored' | 'known' | 'failed';

export interface DeliveryBatch {
  /** Resolves when the event is on the disk, or could not be written. */
  record(event: ReceivedEvent): Promise<Outcome>;
  /** Writes the batch now. */
  flush(): void;
}

interface PendingDelivery {
  readonly event: ReceivedEvent;
  readonly answer: (outcome: Outcome) => void;
}

export function createDeliveryBatch({
  context,
  ledger,
  receive,
}: Pick<RelayDeps, 'context' | 'ledger' | 'receive'>): DeliveryBatch {
  const { guard, events } = context;
  let queued: PendingDelivery[] = [];
  let cancel: Cancel | null = null;

  /** If the transaction fails, each delivery gets its own, so that no delivery blocks another. */
  const write = (batch: readonly PendingDelivery[]): void => {
    try {
      const { added } = receive(
        'relay',
        batch.map(({ event }) => event),
        undefined,
        PROOF,
      );
      const stored = new Set(added.map(({ event }) => event));
      // An event in memory is notified, but its answer makes the service retry until it is on disk.
      const isWritten = ledger.unwritten() === null;
      for (const { event, answer } of batch) answer(!isWritten ? 'failed' : stored.has(event) ? 'stored' : 'known');
    } catch (error) {
      if (batch.length > 1) for (const one of batch) write([one]);
      else {
        events.emit('ledgerFailed', { message: ledgerErrorMessage(error) });
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
  return {
    record: (event) =>
      new Promise((answer) => {
        queued.push({ event, answer });
        cancel ??= guard.clock.after(0, flush);
      }),
    flush,
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

export interface ReceptionDeps {
  readonly context: CoreContext;
  readonly vocabulary: Vocabulary;
  readonly secrets: Pick<SecretStore, 'live' | 'form' | 'proven'>;
  readonly activity: Pick<ActivityLog, 'arrived' | 'refused'>;
  readonly store: Pick<RelayStore, 'name' | 'setTrail'>;
  readonly ledger: Parameters<typeof isKnown>[0];
  readonly batch: Pick<DeliveryBatch, 'record'>;
  readonly deadLetters: Pick<DeadLetters, 'quarantine'>;
}

/** Receives one delivery. Never rejects. */
export type Receive = (headers: Headers, body: Uint8Array) => Promise<Answer>;

/** Most relays that a delivery may have passed. */
const MAX_RELAYS = 3;
/** Seconds until the service should retry when the ledger could not be written. */
const RETRY_AFTER = 5;

export function createReception(deps: ReceptionDeps): Receive {
  const { secrets, activity, store, ledger, batch, deadLetters } = deps;
  const { guard, ports, world } = deps.context;
  const { clock } = guard;

  /** Every event counts as fresh until the service's clock is known. A repeat needs no rule of age. */
  const ageOf = (event: ReceivedEvent): Age => {
    if (!world.isKnown() || event.assumptions.includes('time')) return 'fresh';
    const age = classifyAge(event.occurredAt, { now: world.now(), speed: world.view().speed });
    return age !== 'fresh' && isKnown(ledger, event.eventId) ? 'fresh' : age;
  };
  const admit = async (headers: Headers, body: Uint8Array, proof: Proof): Promise<Answer> => {
    const arrived = (
      named: Pick<ReceivedEvent, 'eventId' | 'event' | 'symbol'>,
      result: Arrival['result'],
      found: Message | null,
    ): void =>
      activity.arrived({
        at: timestamp(clock.now()),
        event_id: named.eventId,
        event: named.event,
        symbol: named.symbol,
        result,
        proof: proof.form === null ? STANDARD_HEADERS.signature : `${SIGNATURE_HEADER}, ${proof.form}`,
        secret: proof.generation,
        message: found,
      });
    const event = readDelivery(headers, body, proof, { receivedAt: clock.now(), vocabulary: deps.vocabulary });
    if (event === null) {
      // The signature is valid, so a retry would change nothing.
      const eventId = `unreadable:${createHash('sha256').update(body).digest('hex')}`;
      deadLetters.quarantine(eventId, decode(body), 'unreadable');
      const found = message('arrival.no_event');
      arrived({ eventId, event: '', symbol: null }, 'quarantined', found);
      return { status: 202, body: { status: 'quarantined', message: textOf(found) } };
    }
    const { eventId } = event;
    const age = ageOf(event);
    if (age === 'too_old' || age === 'ahead') {
      deadLetters.quarantine(eventId, decode(body), age);
      const found = message(`arrival.${age}`);
      arrived(event, 'quarantined', found);
      return { status: 202, body: { status: 'quarantined', event_id: eventId, message: textOf(found) } };
    }
    const trail = trailOf(headers);
    if (trail.length > 0) store.setTrail(eventId, trail.join(', '));
    const outcome = await batch.record(event);
    if (outcome === 'failed') {
      activity.refused('not_stored', message('refusal.not_stored'));
      return notStored('This event could not be written down. Send it again.');
    }
    const late = age === 'late' ? message('arrival.late') : null;
    arrived(event, outcome, outcome === 'known' ? message('arrival.known') : (event.problem ?? late));
    return { status: 200, body: { status: outcome, event_id: eventId } };
  };

  return async (headers, body) => {
    try {
      const loop = loopMessage(trailOf(headers), store.name);
      if (loop !== null) {
        activity.refused('loop', loop);
        return refusal(508, 'loop', loop);
      }
      const verification = verify(headers, body, secrets.live(clock.now()), secrets.form());
      if (!verification.ok) {
        const { reason, message: found } = verification.error;
        activity.refused(reason, found, { headers, body });
        // Without a secret the delivery may be valid: the service retries later, when there is one.
        if (reason === 'no_secret') return { ...refusal(503, reason, found), retryAfter: RETRY_AFTER };
        return refusal(401, reason, found);
      }
      void secrets.proven(verification.value, clock.now());
      return await admit(headers, body, verification.value);
    } catch (error) {
      ports.logger.error({ problem: messageOf(error) }, 'the relay could not take a delivery in');
      return notStored('This could not be taken in. Send it again.');
    }
  };
}

const refusal = (status: number, reason: RefusalReason, found: Message): Answer => ({
  status,
  body: { status: 'refused', reason, message: textOf(found) },
});
const notStored = (text: string): Answer => ({
  status: 503,
  body: { status: 'not_stored', message: text },
  retryAfter: RETRY_AFTER,
});

/** null: the delivery may pass this relay. */
function loopMessage(trail: readonly string[], name: string): Message | null {
  if (trail.includes(name)) return message('refusal.own_loop');
  return trail.length > MAX_RELAYS ? message('refusal.many_relays', { count: trail.length }) : null;
}
