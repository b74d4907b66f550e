// Renderer: the inbox is one stop of the tab key, the buttons of one item; arrows, Home and End go to the others.
import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Entry, indexOfItem, itemFrom } from './inbox-entries.ts';

interface RovingFocus {
  /** Ledger id of the item where the keyboard was last, else of the first; null: there is none. */
  readonly tabStop: number | null;
  readonly setTabStop: (id: number) => void;
}

export function useRovingFocus(entries: readonly Entry[]): RovingFocus {
  const [last, setTabStop] = useState<number | null>(null);
  const tabStop = useMemo(() => itemFrom(entries, last, 0), [entries, last]);
  return { tabStop, setTabStop };
}

interface Options {
  readonly entries: readonly Entry[];
  /** Where the tab key stops is drawn from then on. */
  readonly setTabStop: (id: number) => void;
  /** Brings the entry of this index into view, wherever it is. */
  readonly reveal: (index: number) => void;
  readonly scroll: RefObject<HTMLElement | null>;
}

/** For the element that holds the items. */
interface Handlers {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function useItemKeys({ entries, setTabStop, reveal, scroll }: Options): Handlers {
  /** The item that has the focus as soon as it is drawn. */
  const pendingFocus = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (pendingFocus.current !== null) buttonOf(pendingFocus.current, scroll.current)?.focus({ preventScroll: true });
    pendingFocus.current = null;
  });
  return {
    onFocus({ target }) {
      const id = ledgerOf(target);
      if (id !== null) setTabStop(id);
    },
    onKeyDown(event) {
      const by = STEPS[event.key];
      const { target } = event;
      if (
        by === undefined ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.shiftKey
      )
        return;
      // Menu and dialog of an item have the same keys for themselves.
      if (!(target instanceof HTMLButtonElement) || target.closest('dialog, [role="menu"]') !== null) return;
      const from = ledgerOf(target);
      const to = itemFrom(entries, from, by);
      if (from === null || to === null) return;
      event.preventDefault();
      reveal(indexOfItem(entries, to));
      const button = buttonOf(to, scroll.current);
      button?.focus({ preventScroll: true });
      if (button !== null) return;
      pendingFocus.current = to;
      setTabStop(to);
    },
  };
}

const buttonOf = (id: number, scroll: HTMLElement | null): HTMLElement | null =>
  scroll?.querySelector<HTMLElement>(`[data-ledger="${id}"] > button`) ?? null;

function ledgerOf(element: Element): number | null {
  const id = element.closest<HTMLElement>('[data-ledger]')?.dataset.ledger;
  return id === undefined ? null : Number(id);
}
