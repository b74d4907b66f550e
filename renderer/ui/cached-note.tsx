// Renderer: a note on data from this computer's archive, with the time of its reception.

import { shortTimestamp } from '../../shared/text/format.ts';
import { texts } from '../../shared/text/texts.ts';
import { usePreference } from '../store/preferences.ts';
import { useSnapshot } from '../store/store.ts';
import './cached-note.css';

/** @param at this computer's time of reception, ISO; absent: the data is live, and nothing is shown */
export function CachedNote({ at }: { at: string | undefined }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useSnapshot((snapshot) => snapshot.anchoredAt);
  if (at === undefined) return null;
  return (
    <output className="cached-note" title={texts.archive.cachedWhy}>
      {texts.archive.cachedAt(shortTimestamp(Date.parse(at), zone, now))}
    </output>
  );
}
