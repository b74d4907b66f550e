// Renderer: announces High Risk, outages and their ends to screen readers, one at a time, once.
import { useEffect, useState } from 'react';
import { chanceOf } from '../../../shared/domain/fall-chance.ts';
import { chanceFigure, clockTime, times } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { nextSpoken } from '../../store/announcements.ts';
import { preferences } from '../../store/preferences.ts';
import { riskOrderOf } from '../../store/risk-order.ts';
import type { Announcement, CoreSnapshot } from '../../store/state.ts';
import { useApp, useAppStore } from '../../store/store.ts';

/** How long an announcement stays in the region, ms: long enough for a screen reader to notice. */
const ANNOUNCEMENT_MS = 1500;

export function Speaker() {
  const { clock, ingest } = useServices();
  const store = useAppStore();
  const next = useApp((state) => state.announcements[0]);
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (next === undefined) return;
    const spoken = nextSpoken(store.getState().announcements);
    setMessage(textFor(next, spoken, store.getState().snapshot));
    return clock.after(ANNOUNCEMENT_MS, () => {
      // Cleared, so that an equal message is announced again.
      setMessage('');
      ingest({ kind: 'spoken', ids: spoken.map(({ id }) => id) });
    });
  }, [next, store, clock, ingest]);
  return (
    <div className="spoken" aria-live="assertive" role="alert">
      {message}
    </div>
  );
}

function textFor(next: Announcement, spoken: readonly Announcement[], snapshot: CoreSnapshot | null): string {
  const alerts = spoken.flatMap((each) => (each.kind === 'high_risk' ? [each.alert] : []));
  const order = snapshot === null ? null : riskOrderOf(snapshot);
  const [worst] = alerts.toSorted((a, b) => order?.compare(a.transition, b.transition) ?? 0);
  return worst === undefined || alerts.length === 1
    ? messageFor(next)
    : texts.common.spoken.burst(alerts.length, worst.transition.symbol);
}

function messageFor(announcement: Announcement): string {
  if (announcement.kind === 'online') return texts.common.spoken.online;
  if (announcement.kind === 'outage' && announcement.cause.code === 'service.starting')
    return textOf(announcement.cause);
  if (announcement.kind === 'outage')
    return texts.common.spoken.outage(
      clockTime(announcement.since, preferences.read().zone),
      textOf(announcement.cause),
    );
  const { symbol, to_state: state, note, in_question: question } = announcement.alert.transition;
  if (question === 'open') return texts.common.spoken.inQuestion(symbol);
  const chance = chanceOf({ ...announcement.alert.transition, state, base_rate: announcement.baseRate });
  if (chance?.isHeld === true) return texts.common.spoken.held(symbol, chanceFigure(chance.percent), note);
  return texts.common.spoken.highRisk(
    symbol,
    chance === null ? null : chanceFigure(chance.percent),
    chance?.timesUsual == null ? null : times(chance.timesUsual),
  );
}
