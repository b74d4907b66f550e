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
}

export interface CurrentStateStore {
  all(): CurrentState[];
  write(currentStates: Iterable<CurrentState>): void;
}

interface Row {
  readonly symbol: string;
  readonly day: string | null;
  readonly state: State;
  readonly since: number;
  readonly hold_down_until: number | null;
  readonly regime: string | null;
  readonly regime_since: number | null;
  readonly regime_hold_down_until: number | null;
}

export function openCurrentStates(database: Database): CurrentStateStore {
  const all = database.prepare<[], Row>('SELECT * FROM current_states');
  const put = database.prepare<[Row]>(
    `INSERT INTO current_states (symbol, day, state, since, hold_down_until, regime, regime_since, regime_hold_down_until)
     VALUES (:symbol, :day, :state, :since, :hold_down_until, :regime, :regime_since, :regime_hold_down_until)
     ON CONFLICT (symbol) DO UPDATE SET day = :day, state = :state, since = :since, hold_down_until = :hold_down_until,
       regime = :regime, regime_since = :regime_since, regime_hold_down_until = :regime_hold_down_until`,
  );
  return {
    all: () =>
      all.all().map((row) => ({
        symbol: row.symbol,
        day: row.day,
        state: row.state,
        since: row.since,
        holdDownUntil: row.hold_down_until,
        regime: row.regime,
        regimeSince: row.regime_since,
        regimeHoldDownUntil: row.regime_hold_down_until,
      })),
    write(currentStates) {
      for (const current of currentStates) {
        put.run({
          symbol: current.symbol,
          day: current.day,
          state: current.state,
          since: current.since,
          hold_down_until: current.holdDownUntil,
          regime: current.regime,
          regime_since: current.regimeSince,
          regime_hold_down_until: current.regimeHoldDownUntil,
        });
      }
    },
  };
}
