// Renderer: the groups of the inbox, each with name, columns and items in view; one tab stop.
import { Fragment, type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useSnapshot } from '../../store/store.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useRovingFocus } from '../../ui/list/use-roving-focus.ts';
import { type Entry, entriesOf, indexOfItem, itemIds, type ShownGroup } from './inbox-entries.ts';
import { InboxItem } from './inbox-item.tsx';
import { useInboxVirtualizer } from './use-inbox-virtualizer.ts';

interface GroupListProps {
  /** The same object while its content is equal. */
  readonly groups: readonly ShownGroup[];
  /** Ledger id of the item whose card is open. */
  readonly chosen?: number | null;
  /** Ledger id of the item that the keys act on. */
  readonly target?: number | null;
  /** World time for relative times, ms. */
  readonly now: number;
  /** Above the first group. */
  readonly before?: ReactNode;
  /** Below the first group. */
  readonly between?: ReactNode;
  /** Opens a group that is one line, or closes it; or shows what else a group has. */
  readonly onOpen?: ((group: string) => void) | undefined;
}

/** A drawn entry. */
interface DrawnEntry {
  readonly entry: Entry;
  readonly index: number;
  /** Height of the undrawn entries above it, px. */
  readonly gap: number;
}

export function GroupList(props: GroupListProps) {
  const { groups, chosen = null, target = null, now, before, between, onOpen } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const hasLoss = useSnapshot(({ watchlists }) => watchlists.some(({ holdings }) => holdings !== undefined));
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
  const { drawn, gapBelow, measure, reveal } = useInboxVirtualizer(entries, { target: chosen, tabStop }, scroll);
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
    <div className={hasLoss ? 'scroll with-loss' : 'scroll'} ref={scroll} {...focus.handlers}>
      {beside('before', before)}
      {groups.map((group, position) => (
        <Fragment key={group.id}>
          <Group
            group={group}
            shown={shown.filter(({ entry }) => 'group' in entry && entry.group === position)}
            {...{ chosen, target, tabStop, now, measure, onOpen }}
          />
          {position === 0 && beside('between', between)}
        </Fragment>
      ))}
      <div style={{ height: gapBelow }} />
    </div>
  );
}

interface GroupProps extends Pick<GroupListProps, 'now' | 'onOpen'> {
  readonly group: ShownGroup;
  readonly shown: readonly DrawnEntry[];
  readonly chosen: number | null;
  readonly target: number | null;
  /** Ledger id of the item where the tab key stops. */
  readonly tabStop: number | null;
  readonly measure: (element: HTMLElement | null) => void;
}

function Group({ group, shown, chosen, target, tabStop, now, measure, onOpen }: GroupProps) {
  const { id, name, tone, items, columns = [], line, more, none } = group;
  const [head, ...below] = shown;
  if (head === undefined) return null;
  const open = (): void => onOpen?.(id);
  return (
    <section aria-label={name} style={{ marginTop: head.gap }}>
      <h3 className={`group alert-columns ${tone}`} ref={measure} data-index={head.index}>
        {line === undefined ? (
          <>
            <span className="alert-group">
              {name} <span className="spoken">{items.length}</span>
            </span>
            {columns.map((column, index) => (
              <span key={column} className={columns.length === 3 && index === 1 ? 'loss' : ''} aria-hidden="true">
                {column}
              </span>
            ))}
          </>
        ) : (
          <button type="button" className="alert-line" aria-expanded={items.length > 0} title={line} onClick={open}>
            {tone === 'now' ? <Glyph name={1} /> : <Icon name="check" />} <span className="ell">{line}</span>{' '}
            <Icon name={items.length > 0 ? 'up' : 'down'} />
          </button>
        )}
      </h3>
      {items.length > 0 && (
        <ul>
          {below.map(({ entry, index, gap }) => {
            if (entry.kind !== 'item') return null;
            const { ledger_id: ledgerId, transition } = entry.item.alert;
            const isChosen = ledgerId === chosen;
            return (
              <li
                key={entry.key}
                ref={measure}
                className={`alert ${tone} state-${transition.to_state}${isChosen ? ' chosen' : ''}`}
                data-row={ledgerId}
                data-index={index}
                aria-posinset={entry.position}
                aria-setsize={items.length}
                style={{ marginTop: gap }}
              >
                <InboxItem
                  item={entry.item}
                  {...{ tone, now, isChosen }}
                  keys={ledgerId === target}
                  isTabStop={ledgerId === tabStop}
                />
              </li>
            );
          })}
        </ul>
      )}
      {below
        .filter(({ entry }) => entry.kind === 'none' || entry.kind === 'more')
        .map(({ entry, index, gap }) => (
          <p
            key={entry.kind}
            className={entry.kind === 'more' ? 'alert-more' : 'empty'}
            ref={measure}
            data-index={index}
            style={{ marginTop: gap }}
          >
            {entry.kind === 'none' ? (
              none
            ) : (
              <button type="button" className="alert-line ell" onClick={open}>
                {more}
              </button>
            )}
          </p>
        ))}
    </section>
  );
}
