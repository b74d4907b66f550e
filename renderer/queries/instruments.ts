// Renderer: the instruments for searches: those of the service, and those in the window.
import { useMemo } from 'react';
import type { Row } from '../../shared/channels/state.ts';
import type { FindableInstrument } from '../../shared/domain/instrument-search.ts';
import { useSnapshot } from '../store/store.ts';
import { useChannelQuery } from './use-channel-query.ts';

export interface KnownInstruments {
  readonly all: readonly FindableInstrument[];
  get(symbol: string): FindableInstrument | undefined;
  /**
   * null: the service has not answered yet, or did not list all instruments. A symbol with only a regime is
   * covered.
   */
  isCovered(symbol: string): boolean | null;
}

export function useInstruments(): KnownInstruments {
  const { data } = useChannelQuery('instruments.read', {});
  const rows = useSnapshot((snapshot) => snapshot.rows);
  return useMemo(() => {
    const known = new Map<string, FindableInstrument>();
    for (const row of Object.values(rows)) if (row.coverage !== 'none') known.set(row.symbol, instrumentOf(row));
    for (const one of data?.instruments ?? []) known.set(one.symbol, one);
    return {
      all: [...known.values()],
      get: (symbol) => known.get(symbol),
      isCovered: (symbol) => {
        const coverage = rows[symbol]?.coverage ?? 'unknown';
        if (coverage !== 'unknown') return coverage !== 'none';
        if (data?.instruments.some((one) => one.symbol === symbol)) return true;
        return data?.is_whole === true ? false : null;
      },
    };
  }, [data, rows]);
}

const instrumentOf = ({ symbol, signal }: Row): FindableInstrument => ({
  symbol,
  name: signal?.name ?? null,
  asset_class: signal?.asset_class ?? null,
});
