// Main, core: asks the service about deliveries that were quarantined because of their time.
// It asks by id (docs/contract.md 28) and takes the events that the service knows. The others stay
// quarantined, and are deleted after a month.
import type { Client } from '../../../client/client.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isFields } from '../compat/normalize.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Reception } from './reception.ts';
import type { RelayStore } from './store.ts';

export interface DeadLetterOptions {
  readonly store: Pick<RelayStore, 'deadLetters' | 'dropDeadLetter'>;
  readonly read: Reception['read'];
  readonly client: Pick<Client, 'page'>;
  readonly isKnown: (eventId: string) => boolean;
  /** @throws when the ledger cannot be written */
  readonly ingest: (events: readonly ReceivedEvent[]) => void;
}

/** One second on either side: our records have milliseconds, other services may not. */
const MARGIN = 1_000;

/** Asks about all dead letters. @returns how many were taken or found in the ledger */
export async function confirmDeadLetters({ store, read, client, isKnown, ingest }: DeadLetterOptions): Promise<number> {
  let settled = 0;
  for (const one of store.deadLetters()) {
    const event = one.why === 'unreadable' ? null : read(one);
    if (event === null) continue;
    if (!isKnown(event.eventId) && !(await isListed(client, event))) continue;
    if (!isKnown(event.eventId)) ingest([event]);
    store.dropDeadLetter(one.eventId);
    settled += 1;
  }
  return settled;
}

/** Only transitions can be requested by time; back-fill brings the others if they are true. */
async function isListed(
  client: Pick<Client, 'page'>,
  { eventId, symbol, occurredAt, transition }: ReceivedEvent,
): Promise<boolean> {
  if (transition === null || symbol === null) return false;
  const query = { symbol, from: timestamp(occurredAt - MARGIN), to: timestamp(occurredAt + MARGIN), limit: 100 };
  const answer = await client.page('alertTransitions', { query });
  return answer.ok && answer.value.rows.some((row) => isFields(row) && row.event_id === eventId);
}
