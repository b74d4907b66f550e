// Renderer: the views of the watchlist as segments: all, near the breach, mine; the last one is a menu of others.
import { useShallow } from 'zustand/react/shallow';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useListView } from '../../store/list-edits.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuChoice } from '../../ui/menu.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { choiceGroups, chosenLabel, firstChoices } from './list-views.ts';

const { views: text } = texts.lists;

export function ViewBar({ list }: { list: Watchlist }) {
  const [view, show] = useListView();
  // Compared by value: most pushes change no number.
  const first = useSnapshot(useShallow(({ rows, watchlists }) => firstChoices(list, view, rows, watchlists)));
  const other = useSnapshot(({ rows }) => chosenLabel(list, view, rows));
  return (
    <SegmentedControl
      label={text.label}
      options={Object.entries(first).map(([value, label]) => ({ value, label }))}
      value={view}
      onChange={show}
    >
      <Menu
        align="end"
        trigger={
          <button type="button" aria-pressed={other !== null}>
            {other ?? text.more} <Icon name="down" size={10} />
          </button>
        }
      >
        <MenuGroups list={list} view={view} show={show} />
      </Menu>
    </SegmentedControl>
  );
}

/** Mounted while the menu is open, so that its numbers are counted only then. */
function MenuGroups({ list, view, show }: { list: Watchlist; view: string; show: (view: string) => void }) {
  const rows = useSnapshot((snapshot) => snapshot.rows);
  return choiceGroups(list, view, rows).map(({ kind, choices }) => (
    <MenuChoice key={kind} label={text.kinds[kind]} value={view} options={choices} onChange={show} />
  ));
}
