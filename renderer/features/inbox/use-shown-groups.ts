// Renderer: which alerts the inbox lists, and which are one line: thirty rows fit a window.
import { useMemo } from 'react';
import { MAX_ALERTS } from '../../../shared/channels/state.ts';
import { bookOf } from '../../../shared/domain/holdings.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { useSnapshot } from '../../store/store.ts';
import type { ShownGroup } from './group-list.tsx';
import { endedAlerts, type InboxItem, type Tone, wholeOf } from './groups.ts';
import { symbolsOf } from './use-acts.ts';
import { useInbox } from './use-inbox.ts';

/** How many alerts of a group are listed before it is opened. */
const LISTED = 30;
/** How many ended alerts are listed, and how old they may be, ms. */
const ENDED = 8;
const ENDED_WITHIN = 30 * DAY_MS;

/**
 * The groups, empty ones left out.
 * @param toggled ids of line groups that are not as they would be: closed while something needs the user, else open
 * @param target ledger id of the item that the keys act on: it is listed, unless its group is one line
 */
export function useShownGroups(toggled: ReadonlySet<string>, target: number | null): readonly ShownGroup[] {
  const { needsYou, takenCare, suppressed, elevated, past } = useInbox();
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const oldest = useSnapshot(({ alerts }) => (alerts.length < MAX_ALERTS ? null : alerts[MAX_ALERTS - 1]));
  const from = Math.floor(useWorldMinute() / HOUR_MS) * HOUR_MS - ENDED_WITHIN;
  return useMemo(() => {
    const book = bookOf(lists);
    const isListed = ({ alert }: InboxItem, index: number, most: number): boolean =>
      index < most || alert.ledger_id === target;
    const isCalm = needsYou.length === 0;
    const shown = (id: string, name: string, tone: Tone, items: readonly InboxItem[], line?: string): ShownGroup[] => {
      if (items.length === 0) return [];
      const isOpen = line === undefined || toggled.has(id) !== isCalm;
      const listed = items.filter(
        (item, index) => isOpen && (toggled.has(wholeOf(id)) || isListed(item, index, LISTED)),
      );
      const others = items.filter((item) => !listed.includes(item)).map(({ alert }) => alert.transition.symbol);
      const isNotMine = book.size > 0 && !others.some((symbol) => book.has(symbol));
      const more = isOpen && others.length > 0 ? { more: texts.inbox.alsoNeeding(others.length, isNotMine) } : {};
      return [{ id, name, tone, items: listed, ...(line === undefined ? {} : { line }), ...more }];
    };
    const namesOf = (items: readonly InboxItem[]): string[] => symbolsOf(items.map(({ alert }) => alert));
    const snoozed = takenCare.filter(({ outcome }) => outcome.kind === 'snoozed');
    const handled = texts.inbox.handled(namesOf(takenCare.filter((item) => !snoozed.includes(item))), namesOf(snoozed));
    const ended = endedAlerts(past, from);
    const endedListed = ended.filter((item, index) => isListed(item, index, ENDED));
    const isComplete = oldest == null || Date.parse(oldest.transition.occurred_at) <= from;
    const newest = texts.inbox.newestOf(endedListed.length, isComplete ? ended.length : null);
    const past30 = { id: 'past', name: texts.inbox.past, tone: 'past', items: endedListed } as const;
    return [
      ...shown('needsYou', texts.inbox.needsYou, 'open', needsYou),
      ...shown('suppressed', texts.alerts.groups.suppressed ?? '', 'done', suppressed),
      ...shown('takenCare', texts.alerts.groups.taken_care ?? '', 'done', takenCare, handled),
      ...shown('elevated', texts.inbox.elevated, 'now', elevated, texts.inbox.elevatedLine(namesOf(elevated))),
      ...(ended.length > 0
        ? [{ ...past30, more: newest }]
        : isCalm
          ? [{ ...past30, none: texts.inbox.noneEnded }]
          : []),
    ];
  }, [needsYou, takenCare, suppressed, elevated, past, lists, oldest, from, toggled, target]);
}
