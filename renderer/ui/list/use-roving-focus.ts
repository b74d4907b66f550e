// Renderer: roving focus: makes a list one tab stop, moves in it by keys, never loses its focus.
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isCommand } from '../shortcuts/registry.ts';

/** Further keys of a row: `Enter`, ` `, `Delete`, `Alt+ArrowUp`. `go` moves the focus to a row. */
export type RowKeys = Readonly<Record<string, (row: string, event: KeyboardEvent, go: (row: string) => void) => void>>;

interface Options {
  /** Keys of the rows from top to bottom. The element of a row bears its key as `data-row`. */
  readonly order: readonly string[];
  /** The chosen or open row; null: none. */
  readonly current: string | null;
  /** Called when a key moves to a row. */
  readonly onMove?: (row: string) => void;
  /** Scrolls to a row, which may not be drawn yet. */
  readonly reveal?: (row: string) => void;
  /** Contains the rows. */
  readonly scroll: RefObject<HTMLElement | null>;
  /** Rows of a PageDown or PageUp. */
  readonly pageRows?: number;
  readonly keys?: RowKeys | undefined;
}

export interface RovingFocus {
  /** The row of the tab stop: the row that the keyboard moved to, else the current row, else the first. */
  readonly tabStop: string | null;
  /** Moves down by a number of rows, at most to the end. Without a current row, to the first. */
  readonly step: (by: number) => void;
  /** Handlers of the element that contains the rows. */
  readonly handlers: {
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: (event: FocusEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };
const ENDS: Readonly<Record<string, number>> = { Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY };
const PAGES: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1 };

export function useRovingFocus({ order, current, onMove, reveal, scroll, pageRows = 0, keys }: Options): RovingFocus {
  /** The row that the keyboard moved to; null once it is the current one. */
  const [keyboardRow, setKeyboardRow] = useState<string | null>(null);
  const { setFocused, focus, handlers: focusHandlers } = useKeptFocus(scroll, setKeyboardRow);
  if (keyboardRow !== null && keyboardRow === current) setKeyboardRow(null);
  const known = [keyboardRow, current].find((row) => row !== null && order.includes(row)) ?? null;
  const tabStop = known ?? order[0] ?? null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another row became current elsewhere.
  useEffect(() => {
    if (scroll.current?.contains(document.activeElement) !== true) setKeyboardRow(null);
  }, [current, scroll]);

  const go = useCallback(
    (row: string): void => {
      setFocused(row);
      setKeyboardRow(row);
      reveal?.(row);
      onMove?.(row);
      focus();
    },
    [setFocused, focus, reveal, onMove],
  );
  const step = useCallback(
    (by: number): void => {
      const from = known === null ? (Number.isFinite(by) ? Number.NEGATIVE_INFINITY : 0) : order.indexOf(known);
      const row = order[Math.max(0, Math.min(order.length - 1, from + by))];
      if (row !== undefined) go(row);
    },
    [order, known, go],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowOfKey(event);
    if (row === null || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    const name = event.altKey ? `Alt+${event.key}` : event.key;
    const act = keys?.[name];
    const by = stepOf(event, pageRows);
    if (act !== undefined) act(row, event, go);
    else if (by !== null) step(by);
    else return;
    event.preventDefault();
  };
  return { tabStop, step, handlers: { ...focusHandlers, onKeyDown } };
}

function stepOf(event: KeyboardEvent, pageRows: number): number | null {
  const { key, altKey, nativeEvent } = event;
  if (altKey) return null;
  if (PAGES[key] !== undefined) return pageRows === 0 ? null : PAGES[key] * pageRows;
  const by = STEPS[key];
  return ENDS[key] ?? (by === undefined || (key.length === 1 && !isCommand(nativeEvent)) ? null : by);
}

/**
 * A row keeps the focus when rows are reordered, and gets it if it is drawn only after the keyboard moved to
 * it.
 */
function useKeptFocus(scroll: RefObject<HTMLElement | null>, onRow: (row: string) => void) {
  /** The row that has the focus, or is to have it. */
  const focused = useRef<string | null>(null);
  const isPending = useRef(false);
  const focus = useCallback((): void => {
    const target = focused.current === null ? null : stopIn(scroll.current, focused.current);
    if (target === null) return;
    isPending.current = false;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest' });
  }, [scroll]);
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (focused.current !== null && (isPending.current || isLost)) focus();
  });
  useEffect(() => {
    // A click beside the list leaves it.
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && scroll.current?.contains(target) === true)) focused.current = null;
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [scroll]);
  return {
    focus,
    setFocused: useCallback((row: string): void => {
      focused.current = row;
      isPending.current = true;
    }, []),
    handlers: {
      onFocus({ target }: FocusEvent): void {
        if (isPending.current) return;
        const row = target.closest<HTMLElement>('[data-row]');
        focused.current = row === target ? (row.dataset.row ?? null) : null;
        if (row?.dataset.row !== undefined) onRow(row.dataset.row);
      },
      onBlur({ relatedTarget }: FocusEvent): void {
        if (relatedTarget !== null && !isPending.current) focused.current = null;
      },
    },
  };
}

/** The focusable element of a row: the row itself, or its first button. */
function stopIn(list: HTMLElement | null, row: string): HTMLElement | null {
  const element = list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`) ?? null;
  return element === null || element.hasAttribute('tabindex') ? element : element.querySelector('button');
}

/** The row of a key event; null if a field, a menu or a button of a focusable row handles the key. */
function rowOfKey({ target }: KeyboardEvent): string | null {
  if (!(target instanceof HTMLElement)) return null;
  const row = target.closest<HTMLElement>('[data-row]');
  const isOwn = row === target || (row?.hasAttribute('tabindex') === false && target.matches('button'));
  return isOwn && target.closest('dialog, [role="menu"]') === null ? (row?.dataset.row ?? null) : null;
}
