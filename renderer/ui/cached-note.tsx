// Renderer: says that what stands here was not received now, but read from this computer's archive, and when it was received.
import { usePreference } from '../store/preferences.ts';
import { useSnapshot } from '../store/store.ts';
import { archive } from '../text/archive.ts';
import { shortTimestamp } from '../text/format.ts';
import './cached-note.css';

/** @param at this computer's time when it was received, ISO; absent: it was received now, and nothing is said */
export function CachedNote({ at }: { at: string | undefined }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useSnapshot((snapshot) => snapshot.anchoredAt);
  if (at === undefined) return null;
  return (
    <output className="cached-note" title={archive.cachedWhy}>
      {archive.cachedAt(shortTimestamp(Date.parse(at), zone, now))}
    </output>
  );
}
