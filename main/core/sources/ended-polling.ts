// Main, core: polls watched symbols whose prices ended, which /snapshot omits by default.
import type { Client } from '../../../client/client.ts';
import type { RowSignal } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { LATER } from './regime-polling.ts';

export interface EndedPolling {
  /**
   * @param missing symbols without a row in /snapshot
   * @returns their last signals, where the service still has one
   */
  poll(missing: readonly string[]): Promise<readonly RowSignal[]>;
}

export interface EndedPollingDeps {
  readonly clock: Clock;
  readonly client: Pick<Client, 'page'>;
  readonly readSignals: (rows: readonly unknown[]) => readonly RowSignal[];
}

/** Polling interval of a symbol, ms: once its prices continue, /snapshot has it. */
const CADENCE = HOUR_MS;

export function createEndedPolling({ clock, client, readSignals }: EndedPollingDeps): EndedPolling {
  const known = new Map<string, { readonly dueAt: number; readonly signal: RowSignal | null }>();
  const lastOf = (symbols: readonly string[]): RowSignal[] =>
    symbols.flatMap((symbol) => known.get(symbol)?.signal ?? []);
  return {
    async poll(missing) {
      const symbols = missing.filter((symbol) => clock.now() >= (known.get(symbol)?.dueAt ?? 0));
      if (symbols.length > 0) {
        const answer = await client.page('snapshot', { query: { limit: 100, symbols, include: ['stale'] } });
        if (!answer.ok && LATER.has(answer.error.kind)) return lastOf(missing);
        // A service that refuses the parameter has no such symbols.
        const found = new Map(
          answer.ok ? readSignals(answer.value.rows).map((signal) => [signal.symbol, signal] as const) : [],
        );
        const dueAt = clock.now() + CADENCE;
        for (const symbol of symbols) known.set(symbol, { dueAt, signal: found.get(symbol) ?? null });
      }
      return lastOf(missing);
    },
  };
}
