// Renderer: announces High Risk and outages to screen readers, one after the other, each once.
import { useEffect, useState } from 'react';
import { clockTime, times, wholePercent } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { preferences } from '../../store/preferences.ts';
import { isBelowBase } from '../../store/select.ts';
import type { Announcement } from '../../store/state.ts';
import { useApp } from '../../store/store.ts';

/** How long an announcement stays in the region, ms: long enough for a screen reader to notice. */
const HOLD = 1500;

export function Speaker() {
  const { clock, ingest } = useServices();
  const next = useApp((state) => state.announcements[0]);
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (next === undefined) return;
    setMessage(messageFor(next));
    return clock.after(HOLD, () => {
      // Cleared, so that an equal message is announced again.
      setMessage('');
      ingest({ kind: 'spoken', id: next.id });
    });
  }, [next, clock, ingest]);
  return (
    <div className="spoken" aria-live="assertive" role="alert">
      {message}
    </div>
  );
}

function messageFor(announcement: Announcement): string {
  if (announcement.kind === 'outage')
    return texts.common.spoken.outage(
      clockTime(announcement.since, preferences.read().zone),
      textOf(announcement.cause),
    );
  const { symbol, confidence, to_state: state, note } = announcement.alert.transition;
  const base = announcement.baseRate;
  if (confidence !== null && isBelowBase(state, confidence, base))
    return texts.common.spoken.belowBase(symbol, wholePercent(confidence), note);
  return texts.common.spoken.highRisk(
    symbol,
    confidence === null ? null : wholePercent(confidence),
    confidence === null || base === null || base === 0 ? null : times(confidence / base),
  );
}
