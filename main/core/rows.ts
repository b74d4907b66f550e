// Main, core: the current signal of each watched symbol, from polls and later events.
import type { RecordedTransition, Row, RowSignal } from '../../shared/channels/state.ts';
import { type Claim, isSameClaim } from '../../shared/domain/claims.ts';
import { stateName } from '../../shared/domain/states.ts';

export interface RowTable {
  /** Sets the symbols, in order; a removed symbol counts as changed. Returns false when nothing changed. */
  keep(symbols: readonly string[]): boolean;
  symbols(): readonly string[];
  /** Restores the rows of the last run, shown as cached until the service answers. */
  recall(rows: readonly Row[]): void;
  /**
   * Applies a poll. Rows that a later transition already moved keep their state; a stale row stays stale until
   * `setStale`, since its new signal may be as old. `askedAt`: world time of signals without their own time.
   */
  polled(signals: readonly RowSignal[], receivedAt: string, askedAt?: string): void;
  /** The service has a regime for this symbol, and no signal. */
  regimeOnly(symbol: string, regime: string, receivedAt: string, quote?: Row['quote']): void;
  /** The service does not cover this symbol. */
  notCovered(symbol: string, receivedAt: string): void;
  /** Applies a transition. `isTimeAssumed`: the service gave no time, so the row shows none. */
  moved(transition: RecordedTransition, receivedAt: string, isTimeAssumed?: boolean): void;
  regime(symbol: string, regime: string, receivedAt: string): void;
  /** Flags these signals as stale, and all others as current. */
  setStale(stale: readonly string[]): void;
  /**
   * Base rate last received for the symbol and claim, in this run or the previous one, percent; null: never.
   */
  baseRate(symbol: string, claim: Claim | undefined): number | null;
  /** undefined: the symbol is not watched. */
  get(symbol: string): Row | undefined;
  all(): Row[];
  /** Symbols changed since the last call. */
  takeChanged(): string[];
}

export function createRowTable(): RowTable {
  let order: readonly string[] = [];
  const rows = new Map<string, Row>();
  const changed = new Set<string>();
  const latest = new Map<string, Move>();
  const baseRates = createBaseRates();
  /** World time of the signal's record, or of the request that brought it. */
  const asOf = new Map<string, string>();

  const put = (row: Row): void => {
    rows.set(row.symbol, row);
    changed.add(row.symbol);
  };

  return {
    keep(symbols) {
      if (symbols.length === order.length && symbols.every((symbol, index) => symbol === order[index])) return false;
      order = [...symbols];
      const tracked = new Set(symbols);
      for (const symbol of rows.keys()) {
        if (tracked.has(symbol)) continue;
        rows.delete(symbol);
        changed.add(symbol);
      }
      for (const symbol of symbols) if (!rows.has(symbol)) put(unknownRow(symbol));
      return true;
    },
    symbols: () => order,
    recall(recalled) {
      for (const row of recalled) {
        if (rows.get(row.symbol)?.received_at !== null || row.received_at === null) continue;
        if (row.signal !== null) baseRates.learn(row.signal);
        put({ ...row, stale: row.signal !== null });
      }
    },
    polled(signals, receivedAt, askedAt = receivedAt) {
      for (const signal of signals) {
        const row = rows.get(signal.symbol);
        if (row === undefined) continue;
        baseRates.learn(signal);
        const last = latest.get(signal.symbol);
        const at = signal.updated_at ?? askedAt;
        asOf.set(signal.symbol, at);
        const isOlder =
          last !== undefined && last.transition.to_state !== signal.state && at < last.transition.occurred_at;
        const entered = last?.transition.to_state === signal.state ? last.enteredAt : null;
        put({
          ...row,
          coverage: 'full',
          signal: isOlder ? afterMove(signal, last, baseRates.of) : { ...signal, since: signal.since ?? entered },
          regime: signal.regime ?? row.regime,
          received_at: receivedAt,
        });
      }
    },
    regimeOnly(symbol, regime, receivedAt, quote) {
      if (rows.has(symbol))
        put({
          ...withoutSignal(symbol, 'regime_only', receivedAt),
          regime,
          ...(quote === undefined ? {} : { quote }),
        });
    },
    notCovered(symbol, receivedAt) {
      const row = rows.get(symbol);
      if (row !== undefined && row.coverage !== 'none') put(withoutSignal(symbol, 'none', receivedAt));
    },
    moved(transition, receivedAt, isTimeAssumed = false) {
      const last = latest.get(transition.symbol);
      if (last !== undefined && last.transition.occurred_at > transition.occurred_at) return;
      const move: Move = { transition, enteredAt: isTimeAssumed ? null : transition.occurred_at };
      latest.set(transition.symbol, move);
      const row = rows.get(transition.symbol);
      if (row?.signal == null) return;
      const at = row.signal.updated_at ?? asOf.get(transition.symbol);
      if (at !== undefined && at > transition.occurred_at) return;
      put({ ...row, signal: afterMove(row.signal, move, baseRates.of), received_at: receivedAt, stale: false });
    },
    regime(symbol, regime, receivedAt) {
      const row = rows.get(symbol);
      if (row === undefined || row.regime === regime) return;
      const signal = row.signal === null ? null : { ...row.signal, ...regimeOf(row.signal, regime) };
      put({ ...row, regime, signal, received_at: receivedAt });
    },
    setStale(stale) {
      const found = new Set(stale);
      for (const row of rows.values())
        if (row.stale !== found.has(row.symbol)) put({ ...row, stale: found.has(row.symbol) });
    },
    baseRate: baseRates.of,
    get: (symbol) => rows.get(symbol),
    all: () => order.flatMap((symbol) => rows.get(symbol) ?? []),
    takeChanged() {
      const taken = [...changed];
      changed.clear();
      return taken;
    },
  };
}

/** The row of a symbol that was never received or is no longer watched: windows show it as unknown. */
export const unknownRow = (symbol: string): Row => withoutSignal(symbol, 'unknown', null);

const withoutSignal = (symbol: string, coverage: Row['coverage'], receivedAt: string | null): Row => ({
  ...{ symbol, coverage, signal: null, regime: null },
  ...{ received_at: receivedAt, stale: false },
});

/** Base rates by symbol and claim. They do not depend on the state, so they are known when it changes. */
function createBaseRates() {
  const rates = new Map<string, number>();
  const keyOf = (symbol: string, claim: Claim | undefined): string => `${symbol} ${claim ?? 'event'}`;
  return {
    of: (symbol: string, claim: Claim | undefined): number | null => rates.get(keyOf(symbol, claim)) ?? null,
    learn({ symbol, base_rate, confidence_of }: RowSignal): void {
      if (base_rate !== null) rates.set(keyOf(symbol, confidence_of), base_rate);
    },
  };
}

interface Move {
  readonly transition: RecordedTransition;
  /** Start of the state; null: the service gave no time. */
  readonly enteredAt: string | null;
}

/** The signal with a newer transition applied. */
const afterMove = (signal: RowSignal, { transition, enteredAt }: Move, baseRate: RowTable['baseRate']): RowSignal => ({
  ...signal,
  state: transition.to_state,
  state_name: stateName(transition.to_state),
  state_word: transition.state_word,
  confidence: transition.confidence,
  confidence_of: transition.confidence_of,
  note: transition.note,
  since: enteredAt,
  ...regimeOf(signal, transition.regime ?? signal.regime),
  // A different claim has a different base rate; if unknown, the next poll brings it.
  base_rate: isSameClaim(signal, transition) ? signal.base_rate : baseRate(signal.symbol, transition.confidence_of),
  decided_at: enteredAt,
  // The announced decision was this transition.
  next_decision_at: isLater(signal.next_decision_at, enteredAt) ? signal.next_decision_at : null,
});

/** When another regime was decided, the next poll says. */
const regimeOf = (signal: RowSignal, regime: string | null): Pick<RowSignal, 'regime' | 'regime_as_of'> => ({
  regime,
  regime_as_of: regime === signal.regime ? signal.regime_as_of : undefined,
});

const isLater = (at: string | null, than: string | null): boolean =>
  at !== null && than !== null && Date.parse(at) > Date.parse(than);
