// Main, core: compares the tables of a ledger's file with the tables of this version.
import Database from 'better-sqlite3';
import { LEDGER_VERSION } from './migrations.ts';
import { LEDGER_TABLES } from './tables.ts';

/** Columns by table, and the statements of the indexes by name. */
interface Schema {
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  readonly indexes: ReadonlyMap<string, string>;
}

let expected: Schema | null = null;

/** Names what a file of this version lacks: "the table events"; null: nothing, or the version is earlier. */
export function missingFrom(db: Database.Database): string | null {
  if (db.pragma('user_version', { simple: true }) !== LEDGER_VERSION) return null;
  const found = schemaOf(db).tables;
  for (const [table, columns] of expectedSchema().tables) {
    const present = found.get(table);
    if (present === undefined) return `the table ${table}`;
    for (const column of columns) if (!present.has(column)) return `the column ${column} of the table ${table}`;
  }
  return null;
}

/** Creates the missing indexes. @throws SqliteError when the rows violate a unique index */
export function restoreIndexes(db: Database.Database): void {
  const found = schemaOf(db).indexes;
  for (const [name, sql] of expectedSchema().indexes) if (!found.has(name)) db.exec(sql);
}

function expectedSchema(): Schema {
  if (expected !== null) return expected;
  const db = new Database(':memory:');
  db.exec(LEDGER_TABLES);
  expected = schemaOf(db);
  db.close();
  return expected;
}

function schemaOf(db: Database.Database): Schema {
  const columns = db
    .prepare<[], { tableName: string; name: string }>(
      `SELECT m.name AS tableName, c.name AS name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
       WHERE m.type = 'table'`,
    )
    .all();
  const tables = new Map(
    [...Map.groupBy(columns, ({ tableName }) => tableName)].map(([table, own]) => [
      table,
      new Set(own.map(({ name }) => name)),
    ]),
  );
  const indexes = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    )
    .all();
  return { tables, indexes: new Map(indexes.map(({ name, sql }) => [name, sql])) };
}
