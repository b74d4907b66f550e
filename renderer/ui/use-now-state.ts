// Renderer: what a symbol is now, as a mark and a word, for pages that only mention it.

import { type State, stateLabel } from '../../shared/domain/states.ts';
import type { Signal } from '../../shared/wire/records.ts';
import { type Face, faceOf } from '../store/select.ts';
import { useBlind } from '../store/sight.ts';
import { useBoard } from '../store/store.ts';
import { en } from '../text/en.ts';
import type { GlyphName } from './glyph.tsx';

export interface NowState {
  readonly glyph: GlyphName;
  readonly word: string;
  /** null where it is not seen. */
  readonly state: State | null;
  readonly signal: Signal | null;
}

export function useNowState(symbol: string): NowState {
  const row = useBoard((board) => board.rows[symbol]);
  const face = faceOf(row, useBlind());
  const state = face.kind === 'state' ? face.state : null;
  return {
    glyph: state ?? (face.kind === 'none' || face.kind === 'regime_only' ? 'none' : 'unknown'),
    word: row === undefined ? en.news.notWatched : wordOf(face),
    state,
    signal: row?.signal ?? null,
  };
}

function wordOf(face: Face): string {
  if (face.kind === 'state') return stateLabel(face.state);
  if (face.kind === 'regime_only') return en.blind.regimeOnly;
  if (face.kind === 'none') return en.watch.notCovered;
  const was = face.kind === 'unknown' ? null : face.was;
  return was === null ? en.watch.unknown : en.blind.was(was);
}
