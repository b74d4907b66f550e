// Renderer: what a symbol of a briefing was when it was published, and what it is now.
import { createContext, useContext } from 'react';
import type { BriefingReading } from '../../../shared/channels/archive.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { en } from '../../text/en.ts';
import { moment } from '../../text/format.ts';
import type { GlyphName } from '../../ui/glyph.tsx';
import { useNowState } from '../../ui/use-now-state.ts';

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
  const now = useNowState(symbol);
  const zone = usePreference((preference) => preference.zone);
  const worldNow = useWorldNow();
  const changed = now.state !== null && then !== null && now.state !== then;
  const since = changed && now.signal !== null ? moment(Date.parse(now.signal.since), zone, worldNow) : null;
  return {
    thenGlyph: then ?? 'unknown',
    nowGlyph: now.glyph,
    thenWord: then === null ? en.briefings.notKnown : stateLabel(then),
    nowWord: since === null ? now.word : en.briefings.sinceAt(now.word, since),
    changed,
  };
}
