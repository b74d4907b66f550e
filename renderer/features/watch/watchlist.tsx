// Renderer: the watchlist: what the trader watches, and which symbol the other panels speak of. One tab stop; arrows or J and K move.
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { useServices } from '../../services.ts';
import { useBlind } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { isTyping } from '../../ui/is-typing.ts';
import { SectionRows } from './section-rows.tsx';
import './watchlist.css';

interface WatchlistProps {
  /** Called when a symbol was opened, to bring its chart to the keyboard. */
  readonly onOpen: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

export function WatchlistPanel({ onOpen }: WatchlistProps) {
  const list = useBoard((board) => board.watchlists[0]);
  const selected = useBoard((board) => board.selected);
  const blind = useBlind();
  const table = useRef<HTMLTableElement>(null);
  const step = useSteps(table);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if ((event.key === 'j' || event.key === 'k') && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)) {
        if (table.current?.contains(document.activeElement) !== true) step(STEPS[event.key] ?? 0);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [step]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = STEPS[event.key];
    if (by !== undefined) step(by);
    else if (event.key === 'Home') step(Number.NEGATIVE_INFINITY);
    else if (event.key === 'End') step(Number.POSITIVE_INFINITY);
    else if (event.key === 'Enter') onOpen();
    else return;
    event.preventDefault();
  };
  if (list === undefined) return <section className="panel watchlist" />;
  return (
    <section className={`panel watchlist${blind ? ' unseen' : ''}`} aria-label={en.watch.lists}>
      <div className="head">
        <h2>{list.name}</h2>
      </div>
      <div className="scroll">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is what a table is whose rows are chosen. */}
        <table className="table wl-table" role="grid" aria-label={list.name} aria-readonly="true" ref={table} onKeyDown={onKeyDown}>
          <thead>
            <tr>
              <th className="wl-mark">
                <span className="spoken">{en.watch.state}</span>
              </th>
              <th className="wl-sym">{en.watch.symbol}</th>
              <th className="wl-spark">{en.watch.spark}</th>
              <th className="num wl-change">{en.watch.change}</th>
              <th className="wl-state">{en.watch.state}</th>
              <th className="num wl-since">{en.watch.since}</th>
              <th className="num wl-conf" title={en.watch.confidenceWhole}>
                {en.watch.confidence}
              </th>
              <th className="num wl-age">{en.watch.age}</th>
            </tr>
          </thead>
          {list.sections.map((section) => (
            <SectionRows key={section.name} section={section} stop={stopOf(selected, list)} />
          ))}
        </table>
        {list.sections.every((section) => section.symbols.length === 0) && <p className="empty">{en.watch.empty}</p>}
      </div>
    </section>
  );
}

/** The list's tab stop: the chosen symbol, else the first. */
function stopOf(selected: string | null, list: { readonly sections: readonly { readonly symbols: readonly string[] }[] }): string | null {
  const symbols = list.sections.flatMap((section) => section.symbols);
  return selected !== null && symbols.includes(selected) ? selected : (symbols[0] ?? null);
}

/** Moves the keyboard and the choice by so many rows from where the keyboard is, or else from the chosen row. */
function useSteps(table: { readonly current: HTMLTableElement | null }): (by: number) => void {
  const { intents } = useServices();
  return useCallback(
    (by) => {
      const rows = [...(table.current?.querySelectorAll<HTMLElement>('tr[data-symbol]') ?? [])];
      const focused = rows.findIndex((row) => row.contains(document.activeElement));
      const from = focused === -1 ? rows.findIndex((row) => row.ariaSelected === 'true') : focused;
      const row = rows[Math.max(0, Math.min(rows.length - 1, from + by))];
      if (row === undefined) return;
      row.focus();
      row.scrollIntoView({ block: 'nearest' });
      if (row.dataset.symbol !== undefined && row.ariaSelected !== 'true') intents.select(row.dataset.symbol);
    },
    [table, intents],
  );
}
