// Main, core: quarantines signed deliveries, and asks the service about those with an odd time.
// An event that the service confirms by id (docs/contract.md 28) is recorded. Others stay quarantined for a
// month, and are then deleted.
import type { Client } from '../../../client/client.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isFields } from '../compat/fields.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { PROOF, readDeadLetter } from './delivery.ts';
import { isKnown, type RelayDeps } from './deps.ts';
import type { DeadLetter, DeadLetterStore } from './store.ts';

export interface DeadLetters {
  /** Begins to ask the service regularly. */
  start(): void;
  stop(): void;
  /** Stores a delivery, and asks the service about it at once. */
  quarantine(eventId: string, body: string, why: DeadLetter['why']): void;
}

export interface DeadLetterDeps
  extends Pick<RelayDeps, 'context' | 'service' | 'ledger' | 'receive' | 'catchUp' | 'vocabulary'> {
  readonly store: DeadLetterStore;
  /** The count has changed. */
  readonly changed: () => void;
}

/** Interval of the questions, ms. */
const INTERVAL = { sandbox: 60_000, production: HOUR_MS };
/** Most calls in an interval: dead letters must not use up the quota. */
const MAX_CALLS = 20;
/** One second on either side: our records have milliseconds, other services may not. */
const MARGIN = 1_000;

export function createDeadLetters(deps: DeadLetterDeps): DeadLetters {
  const { service, store, ledger, receive, changed } = deps;
  const { guard, profile } = deps.context;
  let isStopped = false;
  let cancel: Cancel = () => undefined;

  let callsLeft = MAX_CALLS;
  /** Id of the last dead letter asked about in a round: the next round begins after it. */
  let lastAsked: string | null = null;

  /** @throws when the ledger cannot be written */
  const confirm = async (letters: readonly DeadLetter[]): Promise<void> => {
    for (const letter of letters) {
      if (isStopped || !service.mayAsk()) return;
      const event = letter.why === 'unreadable' ? null : readDeadLetter(letter, deps.vocabulary);
      if (event === null) continue;
      if (!isKnown(ledger, event.eventId)) {
        if (callsLeft === 0) continue;
        callsLeft -= 1;
        lastAsked = letter.eventId;
        if (!(await isListed(service.client, event))) continue;
      }
      if (isStopped) return;
      if (!isKnown(ledger, event.eventId)) receive('relay', [event], undefined, PROOF);
      store.delete(letter.eventId);
      changed();
    }
  };
  const round = (): void => {
    callsLeft = MAX_CALLS;
    const all = store.all();
    const begin = all.findIndex(({ eventId }) => eventId === lastAsked) + 1;
    guard.go(confirm([...all.slice(begin), ...all.slice(0, begin)]));
  };
  return {
    start() {
      cancel = every(guard.clock, INTERVAL[profile.environment], round);
    },
    stop() {
      isStopped = true;
      cancel();
    },
    quarantine(eventId, body, why) {
      const letter: DeadLetter = { eventId, body, why, receivedAt: guard.clock.now() };
      store.add(letter);
      deps.catchUp();
      guard.go(confirm([letter]));
    },
  };
}

/** Only transitions can be requested by time; back-fill brings other events that the service has. */
async function isListed(
  client: Pick<Client, 'page'>,
  { eventId, symbol, occurredAt, transition }: ReceivedEvent,
): Promise<boolean> {
  if (transition === null || symbol === null) return false;
  const query = { symbol, from: timestamp(occurredAt - MARGIN), to: timestamp(occurredAt + MARGIN), limit: 100 };
  const answer = await client.page('alertTransitions', { query });
  return answer.ok && answer.value.rows.some((row) => isFields(row) && row.event_id === eventId);
}
