// Renderer: what became of an alert, in words: one table for the list, the inbox and the files.
import { useCallback } from 'react';
import { usePreference } from '../../store/preferences.ts';
import { useWorldMinute } from '../../store/sight.ts';
import { alerts as words } from '../../text/alerts.ts';
import { lasting, moment, type Zone } from '../../text/format.ts';
import type { Outcome } from './outcome.ts';

export function useOutcomeWords(): (outcome: Outcome) => string {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  return useCallback((outcome) => outcomeWords(outcome, zone, now), [zone, now]);
}

function outcomeWords(outcome: Outcome, zone: Zone, now: number): string {
  switch (outcome.kind) {
    case 'needs_you':
      return words.outcome.needs_you;
    case 'acknowledged':
      return words.outcome.acknowledged(moment(Date.parse(outcome.at), zone, now));
    case 'snoozed': {
      const { until, until_at: at } = outcome.mute;
      const left =
        at !== null
          ? words.left(lasting(Date.parse(at) - now))
          : until === 'change'
            ? words.untilChange
            : words.untilNormal;
      return words.outcome.snoozed(left);
    }
    case 'held':
      return words.outcome.held(outcome.reason);
    case 'came_and_went':
      return outcome.told ? words.outcome.came : outcome.before ? words.outcome.before : words.outcome.cameUntold;
    case 'back':
      return words.outcome.back;
    case 'unwatched':
      return words.outcome.unwatched;
    case 'not_asked': {
      if (outcome.miss === 'before_first_sight') return words.outcome.before;
      const miss = outcome.miss === null ? undefined : words.misses[outcome.miss];
      return miss ?? words.outcome.noRule;
    }
  }
}
