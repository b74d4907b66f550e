// Renderer: one group of the inbox: its name, how many, its items.
import { memo, type ReactNode } from 'react';
import type { InboxItem as Item } from './groups.ts';
import { InboxItem } from './inbox-item.tsx';

interface GroupProps {
  readonly name: string;
  readonly items: readonly Item[];
  readonly tone: 'open' | 'now' | 'done' | 'past' | 'was';
  /** Ledger id of the item that the keys act on. */
  readonly target?: number | null;
  readonly now: number;
  readonly children?: ReactNode;
}

export const Group = memo(function Group({ name, items, tone, now, target = null, children }: GroupProps) {
  return (
    <section aria-label={name}>
      <h3 className="group">
        {name} <span className="right">{items.length}</span>
      </h3>
      <ul>
        {items.map((item) => (
          <InboxItem key={item.alert.transition.event_id} item={item} tone={tone} now={now} keys={item.alert.ledger_id === target} />
        ))}
      </ul>
      {children}
    </section>
  );
});
