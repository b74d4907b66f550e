// Renderer: the current state of a symbol, as glyph and label, for pages that mention it.

import type { RowSignal } from '../../shared/channels/state.ts';
import { type State, writtenState } from '../../shared/domain/states.ts';
import { texts } from '../../shared/text/texts.ts';
import { useIsOffline } from '../store/connection-status.ts';
import { type SymbolView, symbolViewOf } from '../store/select.ts';
import { useSnapshot } from '../store/store.ts';
import type { GlyphName } from './glyph.tsx';

export interface CurrentState {
  readonly glyph: GlyphName;
  readonly label: string;
  /** null where unknown. */
  readonly state: State | null;
  readonly signal: RowSignal | null;
}

export function useCurrentState(symbol: string): CurrentState {
  const row = useSnapshot((snapshot) => snapshot.rows[symbol]);
  const view = symbolViewOf(row, useIsOffline());
  const state = view.kind === 'state' ? view.state : null;
  return {
    glyph: state ?? (view.kind === 'none' || view.kind === 'regime_only' ? 'none' : 'unknown'),
    label: row === undefined ? texts.news.notWatched : labelOf(view, row.signal),
    state,
    signal: row?.signal ?? null,
  };
}

function labelOf(view: SymbolView, signal: RowSignal | null): string {
  if (view.kind === 'state') return writtenState(view.state, signal?.state_word);
  if (view.kind === 'regime_only') return texts.common.outage.regimeOnly;
  if (view.kind === 'none') return texts.watchlist.notCovered;
  const was = view.kind === 'unknown' ? null : view.was;
  return was === null ? texts.watchlist.unknown : texts.common.outage.was(was);
}
