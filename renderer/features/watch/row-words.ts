// Renderer, pure: what a row of the watchlist says: to the eye cell by cell, to a screen reader as one name.
import type { Row } from '../../../shared/channels/state.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Face } from '../../store/select.ts';
import { en } from '../../text/en.ts';
import { change, span, spokenSpan, wholePercent } from '../../text/format.ts';
import type { GlyphName } from '../../ui/glyph.tsx';

export const regimeOf = (row: Row | undefined): string | null => row?.signal?.regime ?? row?.regime ?? null;

export function glyphOf(face: Face): GlyphName {
  if (face.kind === 'state') return face.state;
  return face.kind === 'regime_only' || face.kind === 'none' || (face.kind === 'blind' && face.was === null) ? 'none' : 'unknown';
}

/** The word in the State column, except for a state that is seen, which has its own mark-up. */
export function wordOf(face: Exclude<Face, { kind: 'state' }>): string {
  switch (face.kind) {
    case 'blind':
      return face.was === null ? en.blind.regimeOnly : en.blind.was(face.was);
    case 'regime_only':
      return en.watch.regime;
    case 'none':
      return en.watch.notCovered;
    case 'stale':
    case 'unknown':
      return en.watch.unknown;
  }
}

/** @param worldNow ms of world time, for how long the state lasts; @param now ms of this computer's, for how long ago it was heard */
export function rowName(symbol: string, row: Row | undefined, face: Face, worldNow: number, now: number): string {
  const parts: string[] = [];
  const signal = row?.signal ?? null;
  if (face.kind === 'state' && signal !== null) {
    parts.push(stateLabel(face.state), en.watch.rowSince(spokenSpan(worldNow - Date.parse(signal.since))));
    if (signal.confidence !== null) parts.push(en.watch.rowConfidence(wholePercent(signal.confidence)));
    if (signal.change_pct !== null) parts.push(en.watch.rowChange(change(signal.change_pct)));
  } else if (face.kind === 'stale' && row?.heard_at != null)
    parts.push(en.watch.rowStale(spokenSpan(now - Date.parse(row.heard_at)), face.was));
  else if (face.kind === 'regime_only') parts.push(en.watch.rowRegimeOnly(regimeLabel(regimeOf(row) ?? en.watch.unknown)));
  else if (face.kind !== 'state') parts.push(wordOf(face));
  return en.watch.rowName(symbol, parts);
}

/** How long ago this was heard: "0.4 s", or the word for not at all. */
export const ageOf = (row: Row | undefined, now: number): string => (row?.heard_at == null ? '' : span(now - Date.parse(row.heard_at)));
