// Main, core: reads /alerts beside the transitions, of a service that cannot prove its log (docs/contract.md 7).
// A High Risk that only this list has is recorded, with its end; all others merge with what is known.
import type { Client } from '../../../client/client.ts';
import { type Clock, isRecent } from '../../../shared/lib/clock.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { instant, isFields, symbol, timeOf, word } from '../compat/fields.ts';
import { parseEvent } from '../compat/parse-event.ts';
import { readState } from '../compat/read-state.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import { hasState, rowEvent, statesOf } from '../compat/record-fields.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { BackfillLedger } from './backfill-ledger.ts';

export interface AlertReadingDeps {
  readonly client: Pick<Client, 'page'>;
  readonly clock: Clock;
  readonly ledger: Pick<BackfillLedger, 'ingest' | 'isKnown' | 'hasHighRisk'>;
  readonly vocabulary: Vocabulary;
}

/** The newest rows suffice: the list is read at every back-fill. */
const ROWS = 100;

/** @returns the number of new events; null: the service has no such list */
export function createAlertReading(deps: AlertReadingDeps): (source: ArrivalSource) => Promise<number | null> {
  const { client, clock, ledger, vocabulary } = deps;

  const eventsOf = (given: unknown): ReceivedEvent[] => {
    const row = withoutLifecycle(vocabulary.row(given));
    const episode = episodeOf(row, vocabulary);
    const hints = { receivedAt: clock.now(), vocabulary };
    // A row with a state alone is a transition.
    if (episode === null)
      return isFields(row) && hasState(row) ? [parseEvent(rowEvent(given), hints)].flatMap((one) => one ?? []) : [];
    const { ids, startedAt, endedAt } = episode;
    if (ids.some(ledger.isKnown) || ledger.hasHighRisk(episode.symbol, startedAt, endedAt ?? clock.now())) return [];
    const id = ids.at(-1) ?? `alert:${episode.symbol}:${startedAt}`;
    const record = { ...(row as object), symbol: episode.symbol };
    const at = (state: number, ms: number, eventId: string) =>
      parseEvent(
        { event_id: eventId, data: { ...record, state_name: null, to_state: state, occurred_at: ms } },
        { receivedAt: clock.now() },
      );
    return [at(2, startedAt, id), endedAt === null ? null : at(0, endedAt, `${id}:end`)].flatMap((one) => one ?? []);
  };
  /** The list is read with every comparison: one that does not exist is asked for once an hour. */
  let missingAt: number | null = null;
  return async (source) => {
    if (missingAt !== null && isRecent(clock, missingAt, HOUR_MS)) return null;
    const answer = await client.page('alerts', { query: { limit: ROWS } });
    if (!answer.ok) {
      missingAt = answer.error.kind === 'not_found' ? clock.now() : null;
      return null;
    }
    const events = answer.value.rows.flatMap(eventsOf);
    events.sort((a, b) => a.occurredAt - b.occurredAt);
    return events.length === 0 ? 0 : ledger.ingest(source, events).added.length;
  };
}

/** A `state` that is no state of risk, such as `active`, is that of the alert. */
function withoutLifecycle(row: unknown): unknown {
  return isFields(row) && readState(row.state)?.word !== undefined ? { ...row, state: null } : row;
}

interface AlertEpisode {
  readonly symbol: string;
  /** Of the row, and of its transitions, oldest first. */
  readonly ids: readonly string[];
  readonly startedAt: number;
  /** null: it is active. */
  readonly endedAt: number | null;
}

/** An episode that reached High Risk; null for any other row. */
function episodeOf(row: unknown, vocabulary: Vocabulary): AlertEpisode | null {
  if (!isFields(row) || row.started_at === undefined) return null;
  const [of, startedAt] = [symbol(row.symbol), instant(row.started_at) ?? timeOf(row)];
  const peak = readState(row.peak_state, ...statesOf(row));
  if (of === null || startedAt === null || peak?.state !== 2) return null;
  const transitions = Array.isArray(row.transitions) ? row.transitions.flatMap((id) => word(id) ?? []) : [];
  const ids = [word(row.event_id), ...transitions].filter((id) => id !== null);
  const endedAt = instant(row.ended_at);
  return {
    symbol: vocabulary.ownSymbol(of),
    ids,
    startedAt: Date.parse(startedAt),
    endedAt: endedAt === null ? null : Date.parse(endedAt),
  };
}
