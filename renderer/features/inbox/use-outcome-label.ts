// Renderer: the outcome of an alert as text, for list, inbox and files.
import { useCallback } from 'react';
import { lasting, shortTimestamp, type Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Outcome } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';

export function useOutcomeLabel(): (outcome: Outcome) => string {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  return useCallback((outcome) => outcomeLabel(outcome, zone, now), [zone, now]);
}

function outcomeLabel(outcome: Outcome, zone: Zone, now: number): string {
  switch (outcome.kind) {
    case 'needs_you':
      return texts.alerts.outcome.needs_you;
    case 'acknowledged':
      return texts.alerts.outcome.acknowledged(shortTimestamp(Date.parse(outcome.at), zone, now), outcome.by ?? null);
    case 'snoozed': {
      const { until, until_at: at } = outcome.mute;
      const left =
        at !== null
          ? texts.alerts.left(lasting(Date.parse(at) - now))
          : until === 'change'
            ? texts.alerts.untilChange
            : texts.alerts.untilNormal;
      return texts.alerts.outcome.snoozed(left);
    }
    case 'suppressed':
      return texts.alerts.outcome.suppressed(outcome.reason);
    case 'came_and_went':
      return outcome.isNotified
        ? texts.alerts.outcome.came
        : outcome.isBaseline
          ? texts.alerts.outcome.before
          : texts.alerts.outcome.cameUnnotified;
    case 'back':
      return texts.alerts.outcome.back;
    case 'unwatched':
      return texts.alerts.outcome.unwatched;
    case 'unmatched': {
      if (outcome.miss === 'before_baseline') return texts.alerts.outcome.before;
      const miss = outcome.miss === null ? undefined : texts.alerts.misses[outcome.miss];
      return miss ?? texts.alerts.outcome.noRule;
    }
  }
}
