// Main, core: finds the transitions with which the present states of symbols began.
import type { Row } from '../../../shared/channels/state.ts';
import type { EntryRow, EntryStore } from './entries.ts';

/** Most transitions read per symbol since its state began. */
const MAX_READ = 20;

/** The values that decide which transition a symbol's state began with. */
export interface SymbolState {
  /** null: no signal is known. */
  readonly state: number | null;
  /** s; 0: not known. */
  readonly since: number;
}

export function stateOf({ signal }: Row): SymbolState {
  // A signal may lack the beginning of its state, or have one in the future.
  const stated = signal?.since ?? null;
  const isAhead = stated !== null && signal !== null && signal.updated_at !== null && stated > signal.updated_at;
  const since = stated === null || isAhead ? 0 : Math.floor(Date.parse(stated) / 1000);
  return { state: signal?.state ?? null, since };
}

/** The transitions into the current states other than Normal that this ledger has. */
export function activeEntries(rows: readonly Row[], entries: Pick<EntryStore, 'signalsOf'>): EntryRow[] {
  return rows.flatMap((row) => {
    const { state, since } = stateOf(row);
    if (state === 0) return [];
    const newest = entries.signalsOf(row.symbol, since, MAX_READ).at(-1);
    if (newest === undefined || newest.to_state === 0) return [];
    // Without a known signal, the ledger's last state is the current one.
    return state === null || newest.to_state === state ? [newest] : [];
  });
}
