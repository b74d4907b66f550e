// Service, signals: episodes out of Normal that began before the log, and records of episodes.
import type { AlertEpisode } from '../../shared/wire/alerts.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { type Episode, episodeId } from '../store/episodes.ts';
import { percent } from './drafts.ts';
import type { EventIds } from './event-id.ts';
import { noteOf } from './notes.ts';
import type { StateDetector } from './state-detector.ts';
import { lastRow, type Track } from './track.ts';

/**
 * The episode of a symbol at `instant` (world ms), from its closes; null in Normal. It begins with the first
 * close out of Normal, or with the current state if the last close was Normal.
 */
export function presentEpisode(
  detector: StateDetector,
  ids: EventIds,
  track: Track,
  instant: number,
): Omit<Episode, 'endedAt' | 'transitions'> | null {
  const { instrument, current, recent } = track;
  const present = detector.present(track, instant);
  if (instrument.regimeOnly || current === null || current.state === 0 || present === null) return null;
  let startedAt = current.since;
  let peak = current.state;
  const days = recent.some(({ reading }) => reading.state === 0) ? recent : track.days;
  for (let index = days.length - 1; index >= 0; index--) {
    const row = days[index];
    if (row === undefined || row.reading.state === 0) break;
    startedAt = Math.min(startedAt, row.closedAt);
    if (row.reading.state > peak) peak = row.reading.state;
  }
  const closing = present.reading === lastRow(track)?.reading;
  return {
    id: episodeId(ids.of(startedAt, 0, 'episode', instrument.symbol)),
    symbol: instrument.symbol,
    assetClass: instrument.assetClass,
    startedAt,
    peak,
    regime: current.regime,
    confidence: percent(detector.confidence(track, present.reading)),
    claim: present.reading.claim,
    note: noteOf(track, present.reading, closing),
  };
}

export const episodeRecord = (episode: Episode): AlertEpisode => ({
  id: episode.id,
  symbol: episode.symbol,
  asset_class: episode.assetClass,
  peak_state: episode.peak,
  state_name: episode.peak === 2 ? 'high_risk' : 'elevated',
  started_at: timestamp(episode.startedAt),
  // Otherwise its id is that of its first transition.
  began_before_log: episode.transitions[0] === undefined || episodeId(episode.transitions[0]) !== episode.id,
  ended_at: episode.endedAt === null ? null : timestamp(episode.endedAt),
  duration_seconds: episode.endedAt === null ? null : Math.round((episode.endedAt - episode.startedAt) / 1000),
  active: episode.endedAt === null,
  transitions: [...episode.transitions],
  regime: episode.regime,
  confidence: episode.confidence,
  ...(episode.claim === null ? {} : { confidence_of: episode.claim }),
  note: episode.note,
});
