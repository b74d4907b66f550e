// Main, core: the current signal of each watched symbol, from polls and from later stream events.
import type { Row, RowSignal } from '../../shared/channels/state.ts';
import { type Claim, isSameClaim } from '../../shared/domain/claims.ts';
import { stateName } from '../../shared/domain/states.ts';
import type { Transition } from '../../shared/wire/records.ts';

export interface RowTable {
  /** Sets the symbols, in order; one that is followed no longer counts as changed. Returns whether the set changed. */
  keep(symbols: readonly string[]): boolean;
  symbols(): readonly string[];
  /** Restores the rows of the last run, shown as cached until the service answers. */
  recall(rows: readonly Row[]): void;
  /**
   * Applies a poll. Rows that a later transition already moved keep their state. `askedAt`: world time, for signals
   * that do not say their own.
   */
  polled(signals: readonly RowSignal[], receivedAt: string, askedAt?: string): void;
  /** The service has a regime for this symbol, and no signal. */
  regimeOnly(symbol: string, regime: string, receivedAt: string, quote?: Row['quote']): void;
  /** The service does not cover this symbol. */
  notCovered(symbol: string, receivedAt: string): void;
  /** `isTimeAssumed`: the service did not say when, so the row does not either. */
  moved(transition: Transition, receivedAt: string, isTimeAssumed?: boolean): void;
  regime(symbol: string, regime: string, receivedAt: string): void;
  /** Flags exactly these signals as stale. */
  setStale(stale: readonly string[]): void;
  /** Percent, as last received for the symbol and claim, in this run or the one before; null if never. */
  baseRate(symbol: string, claim: Claim | undefined): number | null;
  /** undefined: it is not followed. */
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
          stale: false,
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
      put({ ...row, regime, signal: row.signal === null ? null : { ...row.signal, regime }, received_at: receivedAt });
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

/** Of a symbol that was never received, or is followed no longer: windows show it as unknown. */
export const unknownRow = (symbol: string): Row => withoutSignal(symbol, 'unknown', null);

const withoutSignal = (symbol: string, coverage: Row['coverage'], receivedAt: string | null): Row => ({
  ...{ symbol, coverage, signal: null, regime: null },
  ...{ received_at: receivedAt, stale: false },
});

/** A base rate is that of the claim, whatever the state: so it is known when the state changes. */
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
  readonly transition: Transition;
  /** When its state began; null: the service did not say. */
  readonly enteredAt: string | null;
}

/** The signal after a transition that is newer than it. */
const afterMove = (signal: RowSignal, { transition, enteredAt }: Move, baseRate: RowTable['baseRate']): RowSignal => ({
  ...signal,
  state: transition.to_state,
  state_name: stateName(transition.to_state),
  confidence: transition.confidence,
  confidence_of: transition.confidence_of,
  note: transition.note,
  since: enteredAt,
  regime: transition.regime ?? signal.regime,
  // Another claim has another base rate; if it was never received, the next poll brings it.
  base_rate: isSameClaim(signal, transition) ? signal.base_rate : baseRate(signal.symbol, transition.confidence_of),
  decided_at: enteredAt,
  // That decision was this one.
  next_decision_at: isLater(signal.next_decision_at, enteredAt) ? signal.next_decision_at : null,
});

const isLater = (at: string | null, than: string | null): boolean =>
  at !== null && than !== null && Date.parse(at) > Date.parse(than);
