// Renderer: the groups of the inbox, each with name, columns and items; one tab stop.
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import { bookOf } from '../../../shared/domain/holdings.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useSnapshot } from '../../store/store.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useRovingFocus } from '../../ui/list/use-roving-focus.ts';
import { type InboxItem as Item, type Tone, wholeOf } from './groups.ts';
import { InboxItem } from './inbox-item.tsx';

export interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly tone: Tone;
  readonly items: readonly Item[];
  /** The group is this one line, which opens it. */
  readonly line?: string;
  /** A button below the items: what else there is. */
  readonly more?: string;
  /** Text for an empty group. */
  readonly none?: string;
}

interface GroupListProps {
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
  /** Opens a group that is one line, or closes it; with `wholeOf` shows what else a group has. */
  readonly onOpen?: (group: string) => void;
}

export function GroupList({ groups, chosen = null, target = null, now, before, between, onOpen }: GroupListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const hasBook = useSnapshot(({ watchlists }) => bookOf(watchlists).size > 0);
  const order = useMemo(
    () => groups.flatMap(({ items }) => items.map(({ alert }) => String(alert.ledger_id))),
    [groups],
  );
  const { tabStop, handlers } = useRovingFocus({ order, current: null, scroll });
  useRestoredFocus(groups, scroll);
  return (
    <div className={hasBook ? 'scroll with-stake' : 'scroll'} ref={scroll} {...handlers}>
      {before}
      {groups.map(({ id, name, tone, items, line, more, none }, position) => {
        return (
          <div key={id}>
            <section aria-label={name}>
              {line === undefined ? (
                <GroupHead name={name} tone={tone} count={items.length} />
              ) : (
                <h3>
                  <button
                    type="button"
                    className="alert-line"
                    aria-expanded={items.length > 0}
                    title={line}
                    onClick={() => onOpen?.(id)}
                  >
                    {tone === 'now' ? <Glyph name={1} /> : <Icon name="check" />} <span className="ell">{line}</span>{' '}
                    <Icon name={items.length > 0 ? 'up' : 'down'} />
                  </button>
                </h3>
              )}
              <ul>
                {items.map((item) => {
                  const { ledger_id: ledgerId, transition } = item.alert;
                  return (
                    <li
                      key={transition.event_id}
                      className={`alert ${tone} state-${transition.to_state}${ledgerId === chosen ? ' chosen' : ''}`}
                      data-row={ledgerId}
                    >
                      <InboxItem
                        {...{ item, tone, now }}
                        isChosen={ledgerId === chosen}
                        keys={ledgerId === target}
                        isTabStop={String(ledgerId) === tabStop}
                      />
                    </li>
                  );
                })}
              </ul>
              {items.length === 0 && none !== undefined && <p className="empty">{none}</p>}
              {more !== undefined && (
                <button type="button" className="alert-line" onClick={() => onOpen?.(wholeOf(id))}>
                  {more}
                </button>
              )}
            </section>
            {position === 0 && between}
          </div>
        );
      })}
    </div>
  );
}

const { breach, stake, since, was, followed } = texts.inbox.columns;

/** The name of a group, in the columns of its rows. */
function GroupHead({ name, tone, count }: Pick<ShownGroup, 'name' | 'tone'> & { readonly count: number }) {
  const columns = tone === 'open' ? [breach, stake, since] : tone === 'past' ? [was, followed] : [];
  return (
    <h3 className={`group alert-columns ${tone}`}>
      <span className="alert-group">
        {name} <span className="spoken">{count}</span>
      </span>
      {columns.map((column) => (
        <span key={column} className={column === stake ? 'stake' : undefined} aria-hidden="true">
          {column}
        </span>
      ))}
    </h3>
  );
}

/**
 * An item that moved to another group is another element: focuses its same button, or its first one; those of the
 * item below it, where it is no longer listed.
 */
function useRestoredFocus(groups: readonly ShownGroup[], scroll: RefObject<HTMLElement | null>): void {
  // Where the focus was before these groups came.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each list of groups.
  const before = useMemo(() => {
    const button = document.activeElement;
    const row = scroll.current?.contains(button) === true ? button?.closest<HTMLElement>('[data-row]') : null;
    return row == null || button === null ? null : { row, below: row.nextElementSibling, text: button.textContent };
  }, [groups]);
  useLayoutEffect(() => {
    if (before === null || document.activeElement !== document.body) return;
    const own = scroll.current?.querySelector(`[data-row="${before.row.dataset.row}"]`) ?? before.below;
    const buttons = [...(own?.querySelectorAll('button') ?? [])];
    const button = buttons.find(({ textContent }) => textContent === before.text) ?? buttons[0];
    button?.focus({ preventScroll: true });
  }, [before, scroll]);
}
