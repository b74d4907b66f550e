// Renderer: the watchlist's one tab stop, and the focus that stays with its symbol when rows change places.
import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useServices } from '../../services.ts';
import { useSnapshot } from '../../store/store.ts';

export interface RovingFocus {
  /** Where the keyboard is or goes, else the chosen symbol, else the first. */
  readonly tabStop: string | null;
  /** Chooses a symbol and takes the focus to its row, as soon as it is drawn. */
  readonly go: (symbol: string) => void;
  /** For the element that holds the rows. */
  readonly handlers: { readonly onFocus: (event: FocusEvent) => void; readonly onBlur: (event: FocusEvent) => void };
}

export function useRovingFocus(
  order: readonly string[],
  scroll: { readonly current: HTMLElement | null },
): RovingFocus {
  const { intents } = useServices();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const [going, setGoing] = useState<string | null>(null);
  /** The symbol whose row has the focus, or is to have it. */
  const focused = useRef<string | null>(null);
  const isFocusPending = useRef(false);
  if (going !== null && going === selected) setGoing(null);
  const tabStop = [going, selected].find((symbol) => symbol !== null && order.includes(symbol)) ?? order[0] ?? null;

  // A row that changes its place loses the focus to nobody; a row that is far away is drawn only now.
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (focused.current === null || !(isFocusPending.current || isLost)) return;
    const row = scroll.current?.querySelector<HTMLElement>(`tr[data-symbol="${CSS.escape(focused.current)}"]`);
    if (row == null) return;
    isFocusPending.current = false;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  });
  useEffect(() => {
    // Whoever clicks beside the list has left it.
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && scroll.current?.contains(target) === true)) focused.current = null;
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [scroll]);

  const go = useCallback(
    (symbol: string): void => {
      focused.current = symbol;
      isFocusPending.current = true;
      setGoing(symbol);
      intents.select(symbol);
    },
    [intents],
  );
  return {
    tabStop,
    go,
    handlers: {
      onFocus({ target }) {
        if (!isFocusPending.current)
          focused.current = target instanceof HTMLTableRowElement ? (target.dataset.symbol ?? null) : null;
      },
      onBlur({ relatedTarget }) {
        if (relatedTarget !== null && !isFocusPending.current) focused.current = null;
      },
    },
  };
}
