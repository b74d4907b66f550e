// Renderer: the views of the watchlist as segments: all, near the breach, mine; the last one is a menu of others.
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useListView } from '../../store/list-edits.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuChoice } from '../../ui/menu.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { viewChoices } from './list-views.ts';

const { views: text } = texts.lists;

export function ViewBar({ list }: { list: Watchlist }) {
  const rows = useSnapshot((snapshot) => snapshot.rows);
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const [view, show] = useListView();
  const { first, groups } = viewChoices(list, view, rows, lists);
  const other = groups.flatMap(({ choices }) => choices).find(({ value }) => value === view);
  return (
    <SegmentedControl label={text.label} options={first} value={view} onChange={show}>
      <Menu
        align="end"
        trigger={
          <button type="button" aria-pressed={other !== undefined}>
            {other?.label ?? text.more} <Icon name="down" size={10} />
          </button>
        }
      >
        {groups.map(({ kind, choices }) => (
          <MenuChoice key={kind} label={text.kinds[kind]} value={view} options={choices} onChange={show} />
        ))}
      </Menu>
    </SegmentedControl>
  );
}
