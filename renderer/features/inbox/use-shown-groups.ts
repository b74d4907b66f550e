// Renderer: which alerts the inbox lists, and which are one line: thirty rows fit a window.
import { useMemo } from 'react';
import { MAX_ALERTS } from '../../../shared/channels/state.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { useSnapshot } from '../../store/store.ts';
import type { ShownGroup } from './group-list.tsx';
import { endedAlerts, type InboxItem } from './groups.ts';
import { symbolsOf } from './use-acts.ts';
import { useInbox } from './use-inbox.ts';

/** How many alerts of a group are listed before it is opened. */
const LISTED = 30;
/** How many ended alerts are listed, and how old they may be, ms. */
const ENDED = 8;
const ENDED_WITHIN = 30 * DAY_MS;

/**
 * The groups, empty ones left out.
 * @param opened ids of opened groups
 * @param target ledger id of the item that the keys act on: it is listed, unless its group is one line
 */
export function useShownGroups(opened: ReadonlySet<string>, target: number | null): readonly ShownGroup[] {
  const { needsYou, takenCare, suppressed, elevated, past } = useInbox();
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const oldest = useSnapshot(({ alerts }) => (alerts.length < MAX_ALERTS ? null : alerts[MAX_ALERTS - 1]));
  const from = Math.floor(useWorldMinute() / HOUR_MS) * HOUR_MS - ENDED_WITHIN;
  return useMemo(() => {
    const mine = new Set(lists.flatMap(({ holdings }) => holdings?.rows.map(({ symbol }) => symbol) ?? []));
    const isListed = ({ alert }: InboxItem, index: number, most: number): boolean =>
      index < most || alert.ledger_id === target;
    const rows = (id: string, name: string, tone: 'open' | 'done', items: readonly InboxItem[]): ShownGroup => {
      const listed = items.filter((item, index) => opened.has(id) || isListed(item, index, LISTED));
      const others = items.filter((item) => !listed.includes(item)).map(({ alert }) => alert.transition.symbol);
      const isNotMine = mine.size > 0 && !others.some((symbol) => mine.has(symbol));
      const more = others.length === 0 ? {} : { more: texts.inbox.alsoNeeding(others.length, isNotMine) };
      return { id, name, tone, items: listed, ...more };
    };
    const line = (id: string, name: string, tone: 'now' | 'done', text: string, items: readonly InboxItem[]) =>
      items.length === 0 ? [] : [{ id, name, tone, line: text, items: opened.has(id) ? items : [] }];
    const namesOf = (items: readonly InboxItem[]): string[] => symbolsOf(items.map(({ alert }) => alert));
    const snoozed = takenCare.filter(({ outcome }) => outcome.kind === 'snoozed');
    const handled = texts.inbox.handled(namesOf(takenCare.filter((item) => !snoozed.includes(item))), namesOf(snoozed));
    const ended = endedAlerts(past, from);
    const endedListed = ended.filter((item, index) => isListed(item, index, ENDED));
    const isComplete = oldest == null || Date.parse(oldest.transition.occurred_at) <= from;
    return [
      rows('needsYou', texts.inbox.needsYou, 'open', needsYou),
      rows('suppressed', texts.alerts.groups.suppressed ?? '', 'done', suppressed),
      ...line('takenCare', texts.alerts.groups.taken_care ?? '', 'done', handled, takenCare),
      ...line('elevated', texts.inbox.elevated, 'now', texts.inbox.elevatedLine(namesOf(elevated)), elevated),
      {
        ...({ id: 'past', name: texts.inbox.past, tone: 'past', items: endedListed } as const),
        more: texts.inbox.newestOf(endedListed.length, isComplete ? ended.length : null),
      },
    ].filter(({ items, ...shown }) => items.length > 0 || 'line' in shown);
  }, [needsYou, takenCare, suppressed, elevated, past, lists, oldest, from, opened, target]);
}
