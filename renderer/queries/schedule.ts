// Renderer: what is due for a symbol, by the lists of the service.
import { useMemo } from 'react';
import { type ScheduleView, scheduleOf } from '../../shared/channels/scheduled.ts';
import {
  type DueEvent,
  dueWithin,
  isCovered,
  lastDayOf,
  SCHEDULED_KINDS,
  type ScheduledKind,
} from '../../shared/domain/scheduled-events.ts';
import { useServices } from '../services.ts';
import { useSymbolCalendar } from '../store/symbol-calendar.ts';
import { useChannelQuery } from './use-channel-query.ts';

export interface Due {
  readonly events: readonly DueEvent[];
  /** Kinds of which no list says that nothing else is due. */
  readonly unknown: readonly ScheduledKind[];
  /** Lists that could not be read. */
  readonly unread: readonly string[];
  /** Whether there is a list at all; null: not read yet. */
  readonly hasLists: boolean | null;
}

/** null: not read yet, or it was never. */
export const useSchedule = (): ScheduleView | null => useChannelQuery('scheduled.read', {}).data ?? null;

export const unreadIn = (schedule: Pick<ScheduleView, 'sources'> | null): readonly string[] =>
  schedule?.sources.flatMap(({ name, error }) => (error === null ? [] : name)) ?? [];

/** @param at world ms @param within sessions ahead */
export function useDue(symbol: string, at: number, within: number): Due {
  const schedule = useSchedule();
  const calendar = useSymbolCalendar(symbol);
  const { clock } = useServices();
  return useMemo(() => {
    const question = { symbol, calendar, at, within };
    const last = lastDayOf(question);
    const isUnknown = (kind: ScheduledKind): boolean =>
      schedule === null || !isCovered(scheduleOf(schedule), [kind], last, clock.now());
    return {
      events: dueWithin(schedule?.events ?? [], question),
      unknown: SCHEDULED_KINDS.filter((kind) => kind !== 'other' && isUnknown(kind)),
      unread: unreadIn(schedule),
      hasLists: schedule === null ? null : schedule.sources.length > 0,
    };
  }, [schedule, symbol, calendar, at, within, clock]);
}
