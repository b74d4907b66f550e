// Main, core: the table `metadata` of a SQLite file: named values that survive a restart.
import type { Connection } from './connection.ts';

export interface Metadata<Name extends string> {
  get(name: Name): string | null;
  set(name: Name, value: string): void;
}

export function createMetadata<Name extends string>(db: Connection): Metadata<Name> {
  const select = db.prepare<[string], { value: string }>('SELECT value FROM metadata WHERE name = ?');
  const upsert = db.prepare(
    'INSERT INTO metadata (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    get: (name) => select.get(name)?.value ?? null,
    set: (name, value) => void upsert.run(name, value),
  };
}
