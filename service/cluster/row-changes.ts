// Service, cluster: records the rows that a transaction changes, and applies recorded ones.
// Rows name their columns, so that replicas of two versions, with different columns, can follow one journal.
import type { Database, Statement } from 'better-sqlite3';

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

/** The row after the change, the key of a deleted row, or several rows with their columns named once. */
export type RowChange =
  | readonly [table: string, row: Row]
  | readonly [table: string, row: null, key: Row]
  | readonly [table: string, row: null, key: null, rows: PackedRows];

interface PackedRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Tables of many rows a transaction. A version without them skips their changes, so it need not read packed rows. */
const PACKED = new Set(['tape', 'minutes']);

type SingleChange = readonly [table: string, row: Row] | readonly [table: string, row: null, key: Row];

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

export interface RowRecorder {
  /** Runs `work`. @returns its value and its changes, in order; rolls back when it throws */
  record<Result>(work: () => Result): { readonly value: Result; readonly changes: readonly RowChange[] };
  /** A nested transaction; its changes are discarded when it throws. */
  nested<Result>(work: () => Result): Result;
  /** Writes the changes of another replica. Call it within a transaction. */
  apply(changes: readonly RowChange[]): void;
}

const FUNCTION = 'barograph_changed';

/**
 * Records changes of every table by temporary triggers of this connection. A write outside of `record` and
 * `apply` is then an error, because other replicas would lack it.
 */
export function recordRows(database: Database): RowRecorder {
  const tables = new Map(tablesOf(database).map((table) => [table.name, table]));
  let changes: SingleChange[] | 'applying' | null = null;
  database.function(FUNCTION, { varargs: true }, (name: string, deleted: number, ...values: Value[]) => {
    if (changes === 'applying') return null;
    if (changes === null) throw new Error(`${name} was written outside of a transaction of the store`);
    const table = tables.get(name);
    if (table === undefined) throw new Error(`${name} is no table of the store`);
    const row = (columns: readonly string[]): Row =>
      Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]));
    changes.push(deleted === 1 ? [name, null, row(table.key)] : [name, row(table.columns)]);
    return null;
  });
  for (const table of tables.values()) watch(database, table);
  const writer = createWriter(database, tables);

  return {
    record(work) {
      const recorded: SingleChange[] = [];
      changes = recorded;
      try {
        const value = work();
        return { value, changes: packed(lastOf(recorded, tables)) };
      } finally {
        changes = null;
      }
    },
    nested(work) {
      if (!Array.isArray(changes)) throw new Error('there is no transaction of the store around this one');
      const before = changes.length;
      try {
        return work();
      } catch (error) {
        changes.length = before;
        throw error;
      }
    },
    apply(given) {
      changes = 'applying';
      try {
        for (const [name, row, key, { columns, rows } = { columns: [], rows: [] }] of given) {
          if (row !== null) writer([name, row]);
          else if (key !== null) writer([name, row, key]);
          for (const values of rows)
            writer([name, Object.fromEntries(columns.map((one, at) => [one, values[at] ?? null]))]);
        }
      } finally {
        changes = null;
      }
    },
  };
}

/** Rows of a table of many rows that follow one another, as one change. */
function packed(changes: readonly SingleChange[]): RowChange[] {
  const result: RowChange[] = [];
  for (let index = 0; index < changes.length; ) {
    const [name, first] = changes[index] as SingleChange;
    let end = index + 1;
    if (first !== null && PACKED.has(name)) while (changes[end]?.[0] === name && changes[end]?.[1] !== null) end += 1;
    if (end - index < 2) result.push(changes[index] as SingleChange);
    else {
      const columns = Object.keys(first ?? {});
      const rows = changes.slice(index, end).map(([, row]) => columns.map((column) => row?.[column] ?? null));
      result.push([name, null, null, { columns, rows }]);
    }
    index = end;
  }
  return result;
}

/**
 * A row that changed several times has its final values at the position of its first change, so that it
 * precedes rows that refer to it.
 */
function lastOf(changes: readonly SingleChange[], tables: ReadonlyMap<string, Table>): SingleChange[] {
  const last = new Map<string, SingleChange>();
  for (const change of changes) {
    const [name, row, deleted = row] = change;
    const key = tables.get(name)?.key.map((column) => deleted?.[column]);
    last.set(JSON.stringify([name, key]), change);
  }
  return [...last.values()];
}

function tablesOf(database: Database): Table[] {
  const names = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .pluck()
    .all();
  const columnsOf = database.prepare<[string], { name: string; pk: number }>(
    'SELECT name, pk FROM pragma_table_info(?)',
  );
  return names.map((name) => {
    const columns = columnsOf.all(name);
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
  });
}

function watch(database: Database, { name, columns, key }: Table): void {
  const call = (deleted: 0 | 1, row: 'OLD' | 'NEW', given: readonly string[]): string =>
    `SELECT ${FUNCTION}('${name}', ${deleted}, ${given.map((column) => `${row}.${column}`).join(', ')})`;
  const put = call(0, 'NEW', columns);
  const remove = call(1, 'OLD', key);
  const moved = key.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
  const trigger = (event: string, body: string): string =>
    `CREATE TEMP TRIGGER changed_${name}_${event} AFTER ${event} ON main.${name} BEGIN ${body}; END;`;
  database.exec(
    trigger('INSERT', put) + trigger('UPDATE', `${remove} WHERE ${moved}; ${put}`) + trigger('DELETE', remove),
  );
}

/**
 * Writes one change; ignores columns that this version does not have, and keeps those that the change lacks.
 */
function createWriter(database: Database, tables: ReadonlyMap<string, Table>): (change: SingleChange) => void {
  const statements = new Map<string, Statement<Value[]>>();
  const prepared = (sql: string): Statement<Value[]> => {
    const statement = statements.get(sql) ?? database.prepare<Value[]>(sql);
    statements.set(sql, statement);
    return statement;
  };
  return ([name, row, deleted]) => {
    const table = tables.get(name);
    if (table === undefined) return;
    if (row === null) {
      const where = table.key.map((column) => `${column} = ?`).join(' AND ');
      prepared(`DELETE FROM ${name} WHERE ${where}`).run(...table.key.map((column) => deleted[column] ?? null));
      return;
    }
    const columns = table.columns.filter((column) => column in row);
    const rest = columns.filter((column) => !table.key.includes(column));
    const update =
      rest.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${rest.map((one) => `${one} = excluded.${one}`).join(', ')}`;
    prepared(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (${table.key.join(', ')}) ${update}`,
    ).run(...columns.map((column) => row[column] ?? null));
  };
}
