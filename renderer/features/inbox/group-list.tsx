// Renderer: the groups of the inbox, each with name, count and items in view; one tab stop.
import { Fragment, type ReactNode, useCallback, useMemo, useRef } from 'react';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { usePreference } from '../../store/preferences.ts';
import { useRovingFocus } from '../../ui/list/use-roving-focus.ts';
import type { InboxItem as Item } from './groups.ts';
import { type Entry, entriesOf, indexOfItem, itemIds, type ShownGroup } from './inbox-entries.ts';
import { InboxItem } from './inbox-item.tsx';
import { useActs } from './use-acts.ts';
import { useInboxVirtualizer } from './use-inbox-virtualizer.ts';

interface GroupListProps {
  /** The same object while its content is equal. */
  readonly groups: readonly ShownGroup[];
  /** Ledger id of the item that the keys act on. */
  readonly target?: number | null;
  /** World time for relative times, ms. */
  readonly now: number;
  /** Above the first group. */
  readonly before?: ReactNode;
  /** Below the first group. */
  readonly between?: ReactNode;
}

/** A drawn entry. */
interface DrawnEntry {
  readonly entry: Entry;
  readonly index: number;
  /** Height of the undrawn entries above it, px. */
  readonly gap: number;
}

export function GroupList({ groups, target = null, now, before, between }: GroupListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => entriesOf(groups), [groups]);
  const order = useMemo(() => itemIds(entries).map(String), [entries]);
  const revealIndex = useRef<(index: number) => void>(() => undefined);
  const focus = useRovingFocus({
    order,
    current: null,
    reveal: useCallback((row: string) => revealIndex.current(indexOfItem(entries, Number(row))), [entries]),
    scroll,
  });
  const tabStop = focus.tabStop === null ? null : Number(focus.tabStop);
  const { drawn, gapBelow, measure, reveal } = useInboxVirtualizer(entries, { target, tabStop }, scroll);
  revealIndex.current = reveal;
  const shown = drawn.flatMap(({ index, gap }): DrawnEntry[] => {
    const entry = entries[index];
    return entry === undefined ? [] : [{ entry, index, gap }];
  });
  const beside = (kind: 'before' | 'between', node: ReactNode): ReactNode =>
    shown
      .filter(({ entry }) => entry.kind === kind)
      .map(({ index, gap }) => (
        <div key={kind} ref={measure} data-index={index} style={{ marginTop: gap }}>
          {node}
        </div>
      ));
  return (
    <div className="scroll" ref={scroll} {...focus.handlers}>
      {beside('before', before)}
      {groups.map((group, position) => (
        <Fragment key={group.id}>
          <Group
            group={group}
            shown={shown.filter(({ entry }) => 'group' in entry && entry.group === position)}
            {...{ target, tabStop, now, measure }}
          />
          {position === 0 && beside('between', between)}
        </Fragment>
      ))}
      <div style={{ height: gapBelow }} />
    </div>
  );
}

interface GroupProps {
  readonly group: ShownGroup;
  readonly shown: readonly DrawnEntry[];
  readonly target: number | null;
  /** Ledger id of the item where the tab key stops. */
  readonly tabStop: number | null;
  readonly now: number;
  readonly measure: (element: HTMLElement | null) => void;
}

function Group({
  group: { name, tone, items, all = items.length, isByConfidence = false, none },
  shown,
  target,
  tabStop,
  now,
  measure,
}: GroupProps) {
  const [head, ...below] = shown;
  if (head === undefined) return null;
  return (
    <section aria-label={name} style={{ marginTop: head.gap }}>
      <h3 className="group" ref={measure} data-index={head.index}>
        {name}{' '}
        {isByConfidence && (
          <span className="order" title={texts.inbox.byConfidenceWhy}>
            {texts.inbox.byConfidence}{' '}
          </span>
        )}
        <span className="right">{all > items.length ? texts.inbox.newestOf(items.length, all) : all}</span>
      </h3>
      {items.length > 0 && (
        <ul>
          {below.map(({ entry, index, gap }) => {
            if (entry.kind === 'notification')
              return (
                <li key={entry.key} ref={measure} className="alert-batch" data-index={index} style={{ marginTop: gap }}>
                  <NotificationHead items={entry.items} isAll={entry.items.length === items.length} now={now} />
                </li>
              );
            return (
              entry.kind === 'item' && (
                <li
                  key={entry.key}
                  ref={measure}
                  className={`alert ${tone} state-${entry.item.alert.transition.to_state}`}
                  data-row={entry.item.alert.ledger_id}
                  data-index={index}
                  aria-posinset={entry.position}
                  aria-setsize={items.length}
                  style={{ marginTop: gap }}
                >
                  <InboxItem
                    item={entry.item}
                    tone={tone}
                    now={now}
                    keys={entry.item.alert.ledger_id === target}
                    isTabStop={entry.item.alert.ledger_id === tabStop}
                  />
                </li>
              )
            );
          })}
        </ul>
      )}
      {below
        .filter(({ entry }) => entry.kind === 'none')
        .map(({ index, gap }) => (
          <p key="none" className="empty" ref={measure} data-index={index} style={{ marginTop: gap }}>
            {none}
          </p>
        ))}
    </section>
  );
}

interface NotificationHeadProps {
  /** At least two items. */
  readonly items: readonly Item[];
  /** No other item needs attention: the button in the head of the inbox is enough. */
  readonly isAll: boolean;
  /** World time, ms, to the minute. */
  readonly now: number;
}

/** The heading of the inbox items of one notification, with one button for all of them. */
function NotificationHead({ items, isAll, now }: NotificationHeadProps) {
  const acts = useActs();
  const zone = usePreference((preference) => preference.zone);
  const transitions = items.map(({ alert }) => alert.transition);
  const since = Math.min(...transitions.map(({ occurred_at: at }) => Date.parse(at)));
  const isHigh = transitions.every(({ to_state: state }) => state === 2);
  const name = texts.inbox.together(items.length, isHigh, shortTimestamp(since, zone, now));
  return (
    <>
      <h4>{name}</h4>
      {!isAll && (
        <button
          type="button"
          className="btn line"
          aria-label={texts.inbox.acknowledgeTogether(items.length, name)}
          onClick={() => acts.acknowledge(items.map(({ alert }) => alert))}
        >
          {texts.alerts.acts.acknowledgeOpen(items.length)}
        </button>
      )}
    </>
  );
}
