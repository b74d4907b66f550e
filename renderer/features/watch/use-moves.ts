// Renderer: moves a symbol within its list and announces its new position.
import { useMemo } from 'react';
import { moveSymbol, positionOf, stepSymbol } from '../../../shared/domain/watchlist-edits.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useListEdits, useListView } from '../../store/list-edits.ts';
import { usePreference } from '../../store/preferences.ts';

export interface Moves {
  /** Moves a symbol up or down by one position. */
  step(symbol: string, by: -1 | 1): void;
  /** Moves a symbol to the end of a section. */
  toSection(symbol: string, section: number): void;
  by(symbol: string, change: (list: Watchlist) => Watchlist): void;
}

/** Reports whether all rows are shown, in the trader's order, so that they can be moved. */
export function useIsOwnOrder(): boolean {
  const isSorted = usePreference(({ sort }) => sort !== null);
  const [view] = useListView();
  return view === 'all' && !isSorted;
}

export function useMoves(list: Watchlist): Moves {
  const isOwnOrder = useIsOwnOrder();
  const edits = useListEdits();
  return useMemo(() => {
    const by = (symbol: string, change: (list: Watchlist) => Watchlist): void => {
      if (!isOwnOrder) {
        edits.say(texts.lists.ownOrderOnly);
        return;
      }
      const next = change(list);
      const position = positionOf(next, symbol);
      const section = position === null ? undefined : next.sections[position.section];
      if (position === null || section === undefined) return;
      void edits.edit(
        list,
        change,
        texts.lists.moved(symbol, section.name, position.index + 1, section.symbols.length),
      );
    };
    return {
      by,
      step: (symbol, direction) => by(symbol, (now) => stepSymbol(now, symbol, direction)),
      toSection: (symbol, section) =>
        by(symbol, (now) => moveSymbol(now, symbol, { section, index: now.sections[section]?.symbols.length ?? 0 })),
    };
  }, [edits, list, isOwnOrder]);
}
