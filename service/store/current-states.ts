// Service, store: the announced state of each symbol, so that a restart continues from it.
// Written in the transaction of the event that announces it.
import type { Database } from 'better-sqlite3';
import type { State } from '../../shared/domain/states.ts';

/** Times in world ms. */
export interface CurrentState {
  readonly symbol: string;
  /** Date of the last evaluated closed bar; null before the first. */
  readonly day: string | null;
  readonly state: State;
  readonly since: number;
  /** End of the hold of a triggered state. */
  readonly holdDownUntil: number | null;
  readonly regime: string | null;
  readonly regimeSince: number | null;
  readonly regimeHoldDownUntil: number | null;
  /** Date of the price in question on which the state rests; null: it rests on none. */
  readonly restsOn: string | null;
}

export interface CurrentStateStore {
  all(): CurrentState[];
  /** The states of these symbols; omits symbols without a state. */
  of(symbols: Iterable<string>): CurrentState[];
  write(currentStates: Iterable<CurrentState>): void;
}

export function openCurrentStates(database: Database): CurrentStateStore {
  const select = `SELECT symbol, day, state, since, hold_down_until AS holdDownUntil, regime, regime_since AS regimeSince,
       regime_hold_down_until AS regimeHoldDownUntil, rests_on AS restsOn FROM current_states`;
  const all = database.prepare<[], CurrentState>(select);
  const one = database.prepare<[string], CurrentState>(`${select} WHERE symbol = ?`);
  const put = database.prepare<[CurrentState]>(
    `INSERT OR REPLACE INTO current_states (symbol, day, state, since, hold_down_until, regime, regime_since, regime_hold_down_until, rests_on)
     VALUES (:symbol, :day, :state, :since, :holdDownUntil, :regime, :regimeSince, :regimeHoldDownUntil, :restsOn)`,
  );
  return {
    all: () => all.all(),
    of: (symbols) => [...symbols].flatMap((symbol) => one.get(symbol) ?? []),
    write(currentStates) {
      for (const current of currentStates) put.run(current);
    },
  };
}
