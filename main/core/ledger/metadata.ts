// Main, core: key/value metadata that must survive a restart.
import type { Database } from 'better-sqlite3';

/**
 * baseline: world time before which a log that is read for the first time is history.
 * caught_up: "yes" after that log was read to its end.
 * connected_until: world time of the last sign of life while connected.
 * proven_event: the last event but one with a certain position in the service's list; empty: before the
 * oldest. Back-fill continues from there after the stream broke.
 * downtime_from, downtime_until, downtime_cause: the downtime that the user has not acknowledged;
 * downtime_from is empty after that.
 * outage: the current one, as JSON; empty: none.
 * self_test: the current or last one, as JSON.
 * proven_until, proven_until_here: the instant up to which the service's list proved completeness, by the
 * world's clock and by this computer's.
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
