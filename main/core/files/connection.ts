// Main, core: what a store needs of a SQLite database: statements, prepared once.
import type { RunResult } from 'better-sqlite3';

export interface Statement<Given extends unknown[], Row> {
  run(...given: Given): RunResult;
  get(...given: Given): Row | undefined;
  all(...given: Given): Row[];
  /** From now on, a row is the value of its first column. */
  pluck(): Statement<Given, Row>;
}

/** A database of better-sqlite3 is one. */
export interface Connection {
  prepare<Given extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): Given extends unknown[] ? Statement<Given, Row> : Statement<[Given], Row>;
}
