// Main, core: key/value metadata that must survive a restart.
import type { Database } from 'better-sqlite3';

/**
 * baseline: world time before which the log that is read for the first time is the past.
 * caught_up: "yes" once that log has been read to its end.
 * connected_until: world time of the last sign of life while all was well.
 * proven_event: the last event but one that was surely in its place in the service's list; empty: before the oldest. Reading goes on from there
 *   after the stream broke.
 * downtime_from, downtime_until, downtime_cause: the downtime that the user has not acknowledged; downtime_from is empty once he has.
 * outage: the current one, as JSON; empty: there is none.
 * self_test: the one under way, or the last one, as JSON.
 * proven_until, proven_until_here: up to when the service's own list proved that nothing is missing; by the world's clock and by this computer's.
 */
export type MetadataKey =
  | 'baseline'
  | 'caught_up'
  | 'connected_until'
  | 'proven_until'
  | 'proven_until_here'
  | 'proven_event'
  | 'downtime_from'
  | 'downtime_until'
  | 'downtime_cause'
  | 'outage'
  | 'self_test';

export interface MetadataStore {
  get(name: MetadataKey): string | null;
  set(name: MetadataKey, value: string): void;
}

export function createMetadataStore(db: Database): MetadataStore {
  const read = db.prepare<[string], { value: string }>('SELECT value FROM metadata WHERE name = ?');
  const write = db.prepare(
    'INSERT INTO metadata (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    get: (name) => read.get(name)?.value ?? null,
    set: (name, value) => void write.run(name, value),
  };
}
