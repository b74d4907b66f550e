// Renderer: the heading of a group of rows: name, symbols per state, menu of a section.
import { memo, useMemo, useState } from 'react';
import { sectionMatcher } from '../../../shared/domain/matchers.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { moveSection, removeSection, renameSection } from '../../../shared/domain/watchlist-edits.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { useListEdits } from '../../store/list-edits.ts';
import { symbolViewOf, tally } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { SilenceItems } from '../mutes/index.ts';
import { AskName } from './list-dialogs.ts';
import type { ListItem } from './list-order.ts';

interface SectionHeadProps {
  readonly list: Watchlist;
  readonly head: Extract<ListItem, { kind: 'head' }>;
  readonly cells: number;
  /** Position in the whole grid, from 1. */
  readonly index: number;
  /** A dragged row would land first in this section. */
  readonly isDrop: boolean;
}

export const SectionHead = memo(function SectionHead({ list, head, cells, index, isDrop }: SectionHeadProps) {
  return (
    <tr className={isDrop ? 'wl-head-row drop-below' : 'wl-head-row'} aria-rowindex={index} data-section={head.section}>
      <th className="wl-section" colSpan={cells} scope="rowgroup">
        <div>
          <span className="ell">{head.name}</span>
          <Tally symbols={head.symbols} />
          <SectionMenu list={list} section={head.section} name={head.name} symbols={head.symbols} />
        </div>
      </th>
    </tr>
  );
});

interface SectionMenuProps {
  readonly list: Watchlist;
  readonly section: number;
  readonly name: string;
  readonly symbols: readonly string[];
}

function SectionMenu({ list, section, name, symbols }: SectionMenuProps) {
  const [renaming, setRenaming] = useState(false);
  const edits = useListEdits();
  const last = list.sections.length - 1;
  const matchers = useMemo(() => [sectionMatcher(list.id, name)], [list.id, name]);
  return (
    <>
      <Menu align="end" trigger={<IconButton icon="more" className="wl-more" label={texts.lists.menuFor(name)} />}>
        {symbols.length > 0 && (
          <>
            <SilenceItems matchers={matchers} what={name} />
            <MenuLine />
          </>
        )}
        <MenuItem onSelect={() => setRenaming(true)}>{texts.lists.renameSection}</MenuItem>
        <MenuItem
          disabled={section === 0}
          onSelect={() => edits.edit(list, (now) => moveSection(now, section, -1), texts.lists.sectionMoved(name))}
        >
          {texts.lists.sectionUp}
        </MenuItem>
        <MenuItem
          disabled={section === last}
          onSelect={() => edits.edit(list, (now) => moveSection(now, section, 1), texts.lists.sectionMoved(name))}
        >
          {texts.lists.sectionDown}
        </MenuItem>
        <MenuItem
          disabled={last === 0}
          onSelect={() => edits.edit(list, (now) => removeSection(now, section), texts.lists.sectionRemoved(name))}
        >
          {texts.lists.removeSection}
        </MenuItem>
      </Menu>
      {renaming && (
        <AskName
          heading={texts.lists.menuFor(name)}
          label={texts.lists.sectionName}
          value={name}
          onAnswer={(given) =>
            edits.edit(list, (now) => renameSection(now, section, given), texts.lists.sectionRenamed(given))
          }
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  );
}

function Tally({ symbols }: { symbols: readonly string[] }) {
  const rows = useSnapshot((snapshot) => snapshot.rows);
  const isOffline = useIsOffline();
  if (isOffline) return <span className="tally">{texts.common.outage.notKnown}</span>;
  return (
    <span className="tally">
      {tally(symbols.map((symbol) => symbolViewOf(rows[symbol], isOffline))).map(({ state, count }) => (
        <span className="tally-part" key={state}>
          <Glyph name={state} size={10} />
          {count}
          <span className="spoken">{stateLabel(state)}</span>
        </span>
      ))}
    </span>
  );
}
