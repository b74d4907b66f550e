// Main, core: stores the state of a price condition for each rule and symbol, across restarts.

import { type PriceState, PriceStateSchema } from '../../../shared/settings/price-conditions.ts';
import type { Connection } from '../files/connection.ts';

/** A rule and one of its symbols. */
export interface PriceWatch {
  readonly rule: string;
  readonly symbol: string;
}

export interface PriceStateStore {
  /** States by `idOf`, without unreadable ones: their conditions start without a state. */
  all(): Map<string, PriceState>;
  put(watch: PriceWatch, state: PriceState): void;
  /** Removes every state except these. */
  keep(ids: ReadonlySet<string>): void;
}

/** Unambiguous: neither a rule's id nor a symbol has a space. */
export const idOf = ({ rule, symbol }: PriceWatch): string => `${rule} ${symbol}`;

export function createPriceStateStore(db: Connection): PriceStateStore {
  const read = db.prepare<[], { id: string; state: string }>('SELECT id, state FROM price_states');
  const write = db.prepare(
    'INSERT INTO price_states (id, rule, symbol, state) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
  );
  const drop = db.prepare('DELETE FROM price_states WHERE id NOT IN (SELECT value FROM json_each(?))');
  return {
    all: () =>
      new Map(
        read.all().flatMap(({ id, state }) => {
          const parsed = stateOf(state);
          return parsed === null ? [] : [[id, parsed] as const];
        }),
      ),
    put: (watch, state) => void write.run(idOf(watch), watch.rule, watch.symbol, JSON.stringify(state)),
    keep: (ids) => void drop.run(JSON.stringify([...ids])),
  };
}

function stateOf(text: string): PriceState | null {
  try {
    return PriceStateSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
