// Test harness: the statements and rows of a SQLite database, to be compared with another one's.
import type { Database } from 'better-sqlite3';

export interface SqliteContent {
  readonly version: number;
  /** By type and name, without comments, white space and quotes: a renamed table keeps none of them as written. */
  readonly statements: Readonly<Record<string, string>>;
  readonly rows: Readonly<Record<string, readonly unknown[]>>;
}

export function contentOf(db: Database): SqliteContent {
  const parts = db
    .prepare<[], { type: string; name: string; sql: string }>(
      'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name',
    )
    .all();
  const tables = parts.filter(({ type }) => type === 'table').map(({ name }) => name);
  return {
    version: Number(db.pragma('user_version', { simple: true })),
    statements: Object.fromEntries(parts.map(({ type, name, sql }) => [`${type} ${name}`, plain(sql)])),
    rows: Object.fromEntries(tables.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()])),
  };
}

const plain = (sql: string): string => sql.replaceAll(/--.*$/gm, '').replaceAll(/["'\s]/g, '');
