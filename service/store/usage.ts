// Service, store: the calls of each account by month.
import type { Database } from 'better-sqlite3';

/** `month` as 2026-03, UTC. */
export interface UsageStore {
  calls(account: string, month: string): number;
  add(account: string, month: string, calls: number): void;
}

export function openUsage(database: Database): UsageStore {
  const calls = database
    .prepare<[string, string], number>('SELECT calls FROM usage WHERE account = ? AND month = ?')
    .pluck();
  const add = database.prepare<[string, string, number]>(
    'INSERT INTO usage (account, month, calls) VALUES (?, ?, ?) ON CONFLICT (account, month) DO UPDATE SET calls = calls + excluded.calls',
  );
  return {
    calls: (account, month) => calls.get(account, month) ?? 0,
    add: (account, month, count) => void add.run(account, month, count),
  };
}
