// Renderer: the states of a briefing's symbols at publication and now.
import { createContext, useContext } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import type { GlyphName } from '../../ui/glyph.tsx';
import { useCurrentState } from '../../ui/use-current-state.ts';

/** The states of the open briefing, for components within its text. */
export const StatesThen = createContext<BriefingDetail['states_then']>([]);

export interface ThenNow {
  readonly thenGlyph: GlyphName;
  readonly nowGlyph: GlyphName;
  readonly thenWord: string;
  readonly nowWord: string;
  /** The state differs from that at publication. */
  readonly changed: boolean;
}

export function useThenNow(symbol: string): ThenNow {
  const then = useContext(StatesThen).find((each) => each.symbol === symbol)?.state ?? null;
  const now = useCurrentState(symbol);
  const zone = usePreference((preference) => preference.zone);
  const worldNow = useWorldNow();
  const changed = now.state !== null && then !== null && now.state !== then;
  const began = now.signal?.since ?? null;
  const since = changed && began !== null ? shortTimestamp(Date.parse(began), zone, worldNow) : null;
  return {
    thenGlyph: then ?? 'unknown',
    nowGlyph: now.glyph,
    thenWord: then === null ? texts.briefings.notKnown : stateLabel(then),
    nowWord: since === null ? now.label : texts.briefings.sinceAt(now.label, since),
    changed,
  };
}
