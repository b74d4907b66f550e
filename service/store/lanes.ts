// Service, store: the node of a cluster that sends the deliveries of each lane.
import type { Database } from 'better-sqlite3';

export interface LaneStore {
  /** Node that holds the lane, or null. */
  holder(lane: number): string | null;
  take(lane: number, node: string): void;
}

export function openLanes(database: Database): LaneStore {
  const holder = database.prepare<[number], string>('SELECT holder FROM lanes WHERE lane = ?').pluck();
  const take = database.prepare<[number, string]>(
    'INSERT INTO lanes (lane, holder) VALUES (?, ?) ON CONFLICT (lane) DO UPDATE SET holder = excluded.holder',
  );
  return {
    holder: (lane) => holder.get(lane) ?? null,
    take: (lane, node) => void take.run(lane, node),
  };
}
