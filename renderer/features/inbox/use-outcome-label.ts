// Renderer: the outcome of an alert as text, for list, inbox and files.
import { useCallback } from 'react';
import type { Outcome } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { alerts as messages } from '../../text/alerts.ts';
import { lasting, shortTimestamp, type Zone } from '../../text/format.ts';

export function useOutcomeLabel(): (outcome: Outcome) => string {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  return useCallback((outcome) => outcomeLabel(outcome, zone, now), [zone, now]);
}

function outcomeLabel(outcome: Outcome, zone: Zone, now: number): string {
  switch (outcome.kind) {
    case 'needs_you':
      return messages.outcome.needs_you;
    case 'acknowledged':
      return messages.outcome.acknowledged(shortTimestamp(Date.parse(outcome.at), zone, now));
    case 'snoozed': {
      const { until, until_at: at } = outcome.mute;
      const left =
        at !== null
          ? messages.left(lasting(Date.parse(at) - now))
          : until === 'change'
            ? messages.untilChange
            : messages.untilNormal;
      return messages.outcome.snoozed(left);
    }
    case 'suppressed':
      return messages.outcome.suppressed(outcome.reason);
    case 'came_and_went':
      return outcome.isNotified
        ? messages.outcome.came
        : outcome.isBaseline
          ? messages.outcome.before
          : messages.outcome.cameUnnotified;
    case 'back':
      return messages.outcome.back;
    case 'unwatched':
      return messages.outcome.unwatched;
    case 'unmatched': {
      if (outcome.miss === 'before_baseline') return messages.outcome.before;
      const miss = outcome.miss === null ? undefined : messages.misses[outcome.miss];
      return miss ?? messages.outcome.noRule;
    }
  }
}
