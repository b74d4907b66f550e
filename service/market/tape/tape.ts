// Service, market, tape: the append-only record of all price data received.
// Rows are bars, corporate actions, operator decisions and faults, each with its feed and time of receipt.
// The engine's prices are a function of these rows.
// The rows are in a file of their own, or, on a node of a cluster, in tables of the replicated store.
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import { type BarList, BarSeries } from '../bar-series.ts';
import {
  actionKey,
  type BarActionIndex,
  type BarActions,
  barActionsOn,
  indexBarActions,
  isAboutBars,
  keyWithoutClose,
  listedBars,
  missingIn,
  presentActions,
  type Statuses,
  statusesOf,
  statusOn,
  WITHDRAWN,
} from './bar-actions.ts';
import { type Merge, mergeBars } from './merge-bars.ts';
import { createMinuteTape, type FeedReceipt, type MinuteTape, WEEK_MS } from './minutes.ts';
import { withDecidedPrice } from './record-decision.ts';
import { ACTION_KINDS, OPERATOR, type TapeAction } from './tape-action.ts';
import { openDatabase, openReadOnly, type TapeDatabase } from './tape-database.ts';

/** A fault found when bars are inspected; recorded for people, and never used to derive prices. */
export interface TapeFault {
  readonly kind: 'gap' | 'quarantine' | 'disagreement';
  readonly symbol: string;
  readonly date: string;
  readonly note: string;
}

export interface Tape {
  /** Bars of each symbol, oldest first: the newest revision of each date. */
  readonly bars: ReadonlyMap<string, BarList>;
  /** Bars of a symbol before its delisting; undefined: `bars` has none. */
  listed(symbol: string): BarList | undefined;
  /** Actions and decisions that apply to the bar of a date, including those dated between `after` and it. */
  barActions(symbol: string, date: string, after?: string): BarActions | null;
  /** Halts, resumptions and delistings of a symbol, by date. */
  statuses(symbol: string): readonly TapeAction[];
  /** Newest trading status or delisting of a symbol up to a date, or null. */
  status(symbol: string, date: string): TapeAction | null;
  /** The operator's decisions in force. */
  decisions(): readonly TapeAction[];
  /** The actions in force that a feed reported. */
  actionsOf(feed: string): readonly TapeAction[];
  /** Whether a feed has reported a split or a dividend of any symbol. */
  reportsSplits(feed: string): boolean;
  /** Increments when `barActions` or `listed` may answer differently. */
  actionsVersion(symbol: string): number;
  /** Increments with every change of past bars: a correction, a filled gap, an action, a decision. */
  version(): number;
  /** First changed date of each symbol since a version; '' means all dates. */
  changedSince(version: number): Map<string, string>;
  /**
   * Adds the new and the changed bars in one transaction.
   * @param whole whether to withdraw the dates of these symbols that are missing in `bars`
   * @returns the number of rows written
   */
  record(bars: ReadonlyMap<string, BarList>, receipt: FeedReceipt, whole: boolean): number;
  /**
   * Adds the new actions in one transaction.
   * @param whole whether to withdraw this feed's actions missing in `actions`. Default: false
   * @returns the number of rows written
   */
  recordActions(actions: readonly TapeAction[], receipt: FeedReceipt, whole?: boolean): number;
  /** Adds the faults not recorded yet. @returns the added faults */
  recordFaults(faults: readonly TapeFault[], receipt: FeedReceipt): readonly TapeFault[];
  /** Marks all closed bars of a symbol as changed. */
  markChanged(symbol: string): void;
  /** Intraday bars of feeds, and the start of the history requested from them. */
  readonly minutes: MinuteTape;
  /** Reads rows added by other processes or nodes. @returns whether bars or actions changed */
  refresh(): boolean;
  close(): void;
}

const ActionRowSchema = z.object({
  feed: z.string(),
  receivedAt: z.number(),
  revision: z.number(),
  kind: z.enum(ACTION_KINDS),
  symbol: z.string(),
  date: z.string(),
  factor: z.number().nullable(),
  close: z.number().nullable(),
  amount: z.number().nullable(),
  note: z.string().nullable(),
});
const ACTIONS_AFTER_SQL = `SELECT feed, received_at AS receivedAt, revision, kind, symbol, date, factor, close, amount, note
  FROM tape WHERE tape_seq > ? AND kind NOT IN ('bar', 'withdrawn', 'gap', 'quarantine', 'disagreement') ORDER BY tape_seq`;
const BARS_AFTER_SQL = `SELECT kind, symbol, date, revision, open, high, low, close, volume
  FROM tape WHERE tape_seq > ? AND kind IN ('bar', 'withdrawn') ORDER BY symbol, date, tape_seq`;
const FAULTS_AFTER_SQL = `SELECT kind, symbol, date
  FROM tape WHERE tape_seq > ? AND kind IN ('gap', 'quarantine', 'disagreement')`;

/**
 * Opens or creates a tape.
 * @param place path of its file; null: in memory, without SQLite; nothing survives
 * @throws StoreError when the file is another program's
 */
export function openTape(place: string | TapeDatabase | null): Tape {
  if (typeof place !== 'string') return new StoredTape(place);
  const database = openDatabase(place);
  const atomic = (work: () => void): void => database.transaction(work).immediate();
  return new StoredTape({ database, atomic, minutesMs: WEEK_MS }, () => database.close());
}

/** Opens a tape for reading: its file, or the copy of a store that has one. */
export function readTape(file: string): Tape {
  const database = openReadOnly(file);
  return new StoredTape({ database, atomic: () => undefined, minutesMs: WEEK_MS }, () => database.close());
}

/** Actions in force of an existing tape, for a process that reads the bars elsewhere. */
export function readActions(file: string): TapeAction[] {
  const database = openReadOnly(file);
  try {
    return readActionRows(database);
  } finally {
    database.close();
  }
}

interface BarRow extends Bar {
  readonly kind: 'bar' | 'withdrawn';
  readonly symbol: string;
  readonly revision: number;
}

class StoredTape implements Tape {
  readonly bars = new Map<string, BarList>();
  readonly minutes: MinuteTape;
  /** Newest revision by symbol and date, for dates with several rows. */
  readonly #revisions = new Map<string, number>();
  #actions: TapeAction[] = [];
  /** The newest row that memory has, with all before it. */
  #readTo = 0;
  /** The same, within a transaction. */
  #writtenTo = 0;
  #barActions: BarActionIndex = new Map();
  readonly #actionsVersions = new Map<string, number>();
  #statuses: Statuses = new Map();
  /** Changes in order; a version is a position in this list. */
  readonly #changed: { readonly symbol: string; readonly date: string }[] = [];
  readonly #storage: TapeDatabase | null;
  readonly #insert: (row: Record<string, unknown>) => void;
  readonly #faults = new Set<string>();
  readonly #end: () => void;

  constructor(storage: TapeDatabase | null, end: () => void = () => undefined) {
    this.#storage = storage;
    this.#end = end;
    this.minutes = createMinuteTape(storage);
    const database = storage?.database;
    const statement = database?.prepare(
      `INSERT INTO tape (kind, symbol, date, feed, received_at, revision, open, high, low, close, volume, factor, amount, note)
       VALUES (@kind, @symbol, @date, @feed, @receivedAt, @revision, @open, @high, @low, @close, @volume, @factor, @amount, @note)`,
    );
    const none = {
      ...{ open: null, high: null, low: null, close: null, volume: null },
      factor: null,
      amount: null,
      note: null,
    };
    this.#insert = (row) => {
      const added = Number(statement?.run({ ...none, ...row }).lastInsertRowid);
      // Rows of others in between are read with the next refresh.
      if (added === this.#writtenTo + 1) this.#writtenTo = added;
    };
    if (database !== undefined) this.#load(database);
  }

  version(): number {
    return this.#changed.length;
  }

  changedSince(version: number): Map<string, string> {
    const earliest = new Map<string, string>();
    for (const { symbol, date } of this.#changed.slice(version)) {
      const known = earliest.get(symbol);
      if (known === undefined || date < known) earliest.set(symbol, date);
    }
    return earliest;
  }

  listed(symbol: string): BarList | undefined {
    const bars = this.bars.get(symbol);
    return bars && listedBars(this.#statuses, symbol, bars);
  }

  barActions(symbol: string, date: string, after?: string): BarActions | null {
    return barActionsOn(this.#barActions, symbol, date, after);
  }

  decisions(): readonly TapeAction[] {
    return this.#actions.filter(({ feed }) => feed === OPERATOR);
  }

  reportsSplits(feed: string): boolean {
    return this.#actions.some((one) => one.feed === feed && (one.kind === 'split' || one.kind === 'dividend'));
  }

  actionsOf(feed: string): readonly TapeAction[] {
    return this.#actions.filter((one) => one.feed === feed);
  }

  actionsVersion(symbol: string): number {
    return this.#actionsVersions.get(symbol) ?? 0;
  }

  statuses(symbol: string): readonly TapeAction[] {
    return this.#statuses.get(symbol) ?? [];
  }

  status(symbol: string, date: string): TapeAction | null {
    return statusOn(this.#statuses, symbol, date);
  }

  record(bars: ReadonlyMap<string, BarList>, receipt: FeedReceipt, whole: boolean): number {
    const merges = new Map<string, Merge>();
    for (const [symbol, given] of bars) {
      const merge = mergeBars(this.bars.get(symbol) ?? [], given, whole);
      if (merge !== null) merges.set(symbol, merge);
    }
    const revisions = new Map<string, number>();
    let written = 0;
    const insert = (kind: string, symbol: string, bar: Bar): void => {
      const revision = this.#nextRevision(symbol, bar.date);
      if (revision > 0) revisions.set(keyOf(symbol, bar.date), revision);
      this.#insert({ kind, symbol, ...bar, ...receipt, revision });
      written += 1;
    };
    this.#atomic(() => {
      for (const [symbol, { bars, changed, withdrawn }] of merges) {
        for (const index of changed) insert('bar', symbol, bars.at(index) as Bar);
        for (const bar of withdrawn) insert('withdrawn', symbol, bar);
      }
    });
    for (const [key, revision] of revisions) this.#revisions.set(key, revision);
    for (const [symbol, { bars, revisedFrom }] of merges) this.#setBars(symbol, bars, revisedFrom);
    return written;
  }

  recordActions(actions: readonly TapeAction[], receipt: FeedReceipt, whole = false): number {
    const gone = whole ? missingIn(actions, this.#actions, receipt.feed) : [];
    const present = this.#actions.filter((one) => !gone.includes(one));
    const known = new Set(present.flatMap((one) => [actionKey(one), keyWithoutClose(one)]));
    const isNew = (one: TapeAction): boolean => !known.has(actionKey(one));
    // Dividends of one date are recorded together, because one answer contains all of them.
    const paid = new Set(actions.filter((one) => one.kind === 'dividend' && isNew(one)).map(dateKey));
    const added = actions
      .filter((one) => isNew(one) || (one.kind === 'dividend' && paid.has(dateKey(one))))
      .map((one) => ({ ...receipt, ...this.#withDecidedPrice(one) }));
    this.#atomic(() => {
      for (const one of gone) this.#insert({ ...one, ...receipt, revision: WITHDRAWN });
      for (const one of added) this.#insert({ ...one, revision: 0 });
    });
    const changed = [...gone, ...added];
    if (changed.length > 0) this.#setActions([...present, ...added], changed);
    return changed.length;
  }

  recordFaults(faults: readonly TapeFault[], receipt: FeedReceipt): readonly TapeFault[] {
    const added = faults.filter(({ kind, symbol, date }) => !this.#faults.has(`${kind} ${keyOf(symbol, date)}`));
    this.#atomic(() => {
      for (const one of added) this.#insert({ ...one, ...receipt, revision: 0 });
    });
    for (const { kind, symbol, date } of added) this.#faults.add(`${kind} ${keyOf(symbol, date)}`);
    return added;
  }

  markChanged(symbol: string): void {
    this.#changed.push({ symbol, date: '' });
  }

  refresh(): boolean {
    if (this.#storage === null) return false;
    const { database } = this.#storage;
    const after = this.#readTo;
    this.#readTo = newestRow(database);
    if (this.#readTo === after) return false;
    const areBarsChanged = this.#readBars(database, after);
    this.#readFaults(database, after);
    if (database.prepare(`${ACTIONS_AFTER_SQL} LIMIT 1`).get(after) === undefined) return areBarsChanged;
    const actions = readActionRows(database);
    const [known, present] = [this.#actions, actions].map((list) => new Set(list.map(rowKey)));
    const changed = [
      ...actions.filter((one) => known?.has(rowKey(one)) === false),
      ...this.#actions.filter((one) => present?.has(rowKey(one)) === false),
    ];
    if (changed.length > 0) this.#setActions(actions, changed);
    return areBarsChanged || changed.length > 0;
  }

  close(): void {
    this.#end();
  }

  /** Reads the bars after a row. @returns whether any differs from memory */
  #readBars(database: Database, after: number): boolean {
    let areChanged = false;
    const rows = database.prepare<[number], BarRow>(BARS_AFTER_SQL).all(after);
    for (const [symbol, ofSymbol] of Map.groupBy(rows, (row) => row.symbol)) {
      // The last row of a date is the newest.
      const last = new Map(ofSymbol.map((row) => [row.date, row]));
      const arrived: Bar[] = [];
      const gone = new Set<string>();
      for (const { kind, symbol: _, revision, ...bar } of last.values()) {
        if (revision > 0) this.#revisions.set(keyOf(symbol, bar.date), revision);
        if (kind === 'bar') arrived.push(bar);
        else gone.add(bar.date);
      }
      const before = [...(this.bars.get(symbol) ?? [])];
      const kept = before.filter(({ date }) => !gone.has(date));
      const removed = before.find(({ date }) => gone.has(date))?.date ?? null;
      const merge = mergeBars(kept, arrived, false);
      if (merge === null && removed === null) continue;
      areChanged = true;
      const { bars, revisedFrom } = merge ?? { bars: BarSeries.of(kept), revisedFrom: null };
      this.#setBars(symbol, bars, [revisedFrom, removed].filter((date) => date !== null).sort()[0] ?? null);
    }
    return areChanged;
  }

  #readFaults(database: Database, after: number): void {
    const rows = database.prepare<[number], { kind: string; symbol: string; date: string }>(FAULTS_AFTER_SQL);
    for (const { kind, symbol, date } of rows.iterate(after)) this.#faults.add(`${kind} ${keyOf(symbol, date)}`);
  }

  #setBars(symbol: string, bars: BarList, revisedFrom: string | null): void {
    if (bars.length === 0) this.bars.delete(symbol);
    else this.bars.set(symbol, bars);
    if (revisedFrom !== null) this.#changed.push({ symbol, date: revisedFrom });
  }

  #withDecidedPrice(action: TapeAction): TapeAction {
    const bars = this.bars.get(action.symbol) ?? [];
    const index = countLeading(bars, ({ date }) => date < action.date);
    const [before, bar] = [index === 0 ? undefined : bars.at(index - 1), bars.at(index)];
    return withDecidedPrice(action, bar?.date === action.date ? bar : undefined, before);
  }

  #atomic(work: () => void): void {
    const atomic = this.#storage?.atomic ?? ((run: () => void) => run());
    atomic(() => {
      this.#writtenTo = this.#readTo;
      work();
    });
    this.#readTo = this.#writtenTo;
  }

  #nextRevision(symbol: string, date: string): number {
    const known = this.#revisions.get(keyOf(symbol, date));
    if (known !== undefined) return known + 1;
    const bars = this.bars.get(symbol) ?? [];
    return bars.at(countLeading(bars, (bar) => bar.date < date))?.date === date ? 1 : 0;
  }

  #setActions(actions: TapeAction[], added: readonly TapeAction[]): void {
    this.#actions = actions;
    this.#statuses = statusesOf(actions);
    // A market-wide stop sends hundreds of halts, which change no bar.
    const barActions = added.filter((one) => isAboutBars(this.#statuses, one));
    for (const { kind, symbol, date } of barActions) {
      this.#actionsVersions.set(symbol, this.actionsVersion(symbol) + 1);
      // A split adjusts earlier bars once the tape has a bar on or after its date.
      const isAhead = date > (this.bars.get(symbol)?.at(-1)?.date ?? '');
      const isLevel = kind === 'split' || kind === 'dividend';
      this.#changed.push({ symbol, date: isLevel && !isAhead ? '' : date });
    }
    if (barActions.length > 0 || added.length === 0) this.#barActions = indexBarActions(actions);
  }

  #load(database: Database): void {
    const select = database.prepare<[number], BarRow>(BARS_AFTER_SQL);
    let [of, bars]: [string, Bar[]] = ['', []];
    const keep = (): void => {
      if (bars.length > 0) this.bars.set(of, BarSeries.of(bars));
    };
    for (const row of select.iterate(0)) {
      const { kind, symbol, date, revision } = row;
      if (symbol !== of) {
        keep();
        [of, bars] = [symbol, []];
      }
      // The last row of a date is the newest.
      if (bars.at(-1)?.date === date) bars.pop();
      if (kind === 'bar') bars.push(row);
      if (revision > 0) this.#revisions.set(keyOf(symbol, date), revision);
    }
    keep();
    this.#readFaults(database, 0);
    this.#readTo = newestRow(database);
    this.#setActions(readActionRows(database), []);
  }
}

const keyOf = (symbol: string, date: string): string => `${symbol} ${date}`;

const rowKey = (action: TapeAction): string => `${action.feed} ${action.receivedAt} ${actionKey(action)}`;

const newestRow = (database: Database): number =>
  Number(database.prepare('SELECT max(tape_seq) FROM tape').pluck().get() ?? 0);

const dateKey = ({ symbol, date }: TapeAction): string => keyOf(symbol, date);

const readActionRows = (database: Database): TapeAction[] =>
  presentActions(
    database
      .prepare(ACTIONS_AFTER_SQL)
      .all(0)
      .map((row) => ActionRowSchema.parse(row)),
  );
