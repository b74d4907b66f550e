// Renderer: what a symbol of a briefing was when it was published, and what it is now.
import { createContext, useContext } from 'react';
import type { BriefingReading } from '../../../shared/channels/archive.ts';
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import { usePreference } from '../../store/preferences.ts';
import { type Face, faceOf } from '../../store/select.ts';
import { useBlind, useWorldNow } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { moment } from '../../text/format.ts';
import type { GlyphName } from '../../ui/glyph.tsx';

/** The states of the briefing that is read, for what lies within its text. */
export const StatesThen = createContext<BriefingReading['states_then']>([]);

export interface ThenNow {
  readonly thenGlyph: GlyphName;
  readonly nowGlyph: GlyphName;
  readonly thenWord: string;
  readonly nowWord: string;
  /** It is another state now than it was then. */
  readonly changed: boolean;
}

export function useThenNow(symbol: string): ThenNow {
  const then = useContext(StatesThen).find((each) => each.symbol === symbol)?.state ?? null;
  const row = useBoard((board) => board.rows[symbol]);
  const zone = usePreference((preference) => preference.zone);
  const worldNow = useWorldNow();
  const face = faceOf(row, useBlind());
  const state = face.kind === 'state' ? face.state : null;
  const changed = state !== null && then !== null && state !== then;
  const since = changed && row?.signal != null ? moment(Date.parse(row.signal.since), zone, worldNow) : null;
  return {
    thenGlyph: then ?? 'unknown',
    nowGlyph: state ?? (face.kind === 'none' || face.kind === 'regime_only' ? 'none' : 'unknown'),
    thenWord: then === null ? en.briefings.notKnown : stateLabel(then),
    nowWord: since === null ? wordOf(face, row === undefined) : en.briefings.sinceAt(stateLabel(state as State), since),
    changed,
  };
}

function wordOf(face: Face, isStranger: boolean): string {
  if (isStranger) return en.briefings.notWatched;
  if (face.kind === 'state') return stateLabel(face.state);
  if (face.kind === 'regime_only') return en.blind.regimeOnly;
  if (face.kind === 'none') return en.watch.notCovered;
  const was = face.kind === 'unknown' ? null : face.was;
  return was === null ? en.watch.unknown : en.blind.was(was);
}
