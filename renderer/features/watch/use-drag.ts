// Renderer: drags rows of the watchlist; Alt with an arrow key and the menu do the same.
import { type DragEvent, useState } from 'react';
import { moveSymbol, positionOf } from '../../../shared/domain/watchlist-edits.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';

export interface DragRows {
  readonly dragged: string | null;
  readonly drop: Drop | null;
  /** Handlers of the element that contains the rows. */
  readonly handlers: {
    readonly onDragStart: (event: DragEvent) => void;
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragEnd: () => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

export function useDrag(
  list: Watchlist,
  onMoved: (symbol: string, change: (list: Watchlist) => Watchlist) => void,
): DragRows {
  const [dragged, setDragged] = useState<string | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const end = (): void => {
    setDragged(null);
    setDrop(null);
  };
  return {
    dragged,
    drop,
    handlers: {
      onDragStart(event) {
        const symbol = rowOf(event)?.dataset.row;
        if (symbol === undefined || positionOf(list, symbol) === null) return;
        event.dataTransfer.setData('text/plain', symbol);
        event.dataTransfer.effectAllowed = 'move';
        setDragged(symbol);
      },
      onDragOver(event) {
        const next = dragged === null ? null : dropAt(event);
        if (next === null) return;
        event.preventDefault();
        if (JSON.stringify(next) !== JSON.stringify(drop)) setDrop(next);
      },
      onDragEnd: end,
      onDrop(event) {
        const at = dropAt(event);
        event.preventDefault();
        if (dragged !== null && at !== null) onMoved(dragged, (now) => landed(now, dragged, at));
        end();
      },
    },
  };
}

const rowOf = (event: DragEvent): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('tr') : null;

function dropAt(event: DragEvent): Drop | null {
  const row = rowOf(event);
  if (row?.dataset.section !== undefined) return { section: Number(row.dataset.section) };
  if (row?.dataset.row === undefined) return null;
  const { top, height } = row.getBoundingClientRect();
  return { symbol: row.dataset.row, below: event.clientY > top + height / 2 };
}

/** The position where a dragged row would land: at a row's upper or lower edge, or first in a section. */
export type Drop = { readonly symbol: string; readonly below: boolean } | { readonly section: number };

/** The list after the drop. */
export function landed(list: Watchlist, symbol: string, at: Drop): Watchlist {
  if ('section' in at) return moveSymbol(list, symbol, { section: at.section, index: 0 });
  if (at.symbol === symbol) return list;
  const from = positionOf(list, symbol);
  const target = positionOf(list, at.symbol);
  if (from === null || target === null) return list;
  // Positions do not count the moved row.
  const shift = from.section === target.section && from.index < target.index ? -1 : 0;
  return moveSymbol(list, symbol, { section: target.section, index: target.index + shift + (at.below ? 1 : 0) });
}
