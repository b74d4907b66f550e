// Renderer: the actions on a symbol of the list: silence, rule, move and remove.
// They are also the menu of its row.
import { useEffect, useMemo } from 'react';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { removeSymbol } from '../../../shared/domain/watchlist-edits.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useListEdits } from '../../store/list-edits.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { Menu, MenuItem, MenuLine, SubMenu } from '../../ui/menu.tsx';
import { openNewRule, openPriceRule } from '../alert-rules/index.ts';
import { SilenceItems } from '../mutes/index.ts';
import { useMoves } from './use-moves.ts';

/** Items for an open menu. */
export function SymbolItems({ list, symbol }: { list: Watchlist; symbol: string }) {
  const edits = useListEdits();
  const moves = useMoves(list);
  const matchers = useMemo(() => symbolMatchers([symbol]), [symbol]);
  const zone = usePreference((preference) => preference.zone);
  const profile = useSnapshot((snapshot) => snapshot.profile.name);
  return (
    <>
      <SilenceItems matchers={matchers} what={symbol} />
      <MenuItem onSelect={() => openNewRule(zone, symbol)}>{texts.palette.newRuleFor(symbol)}</MenuItem>
      <MenuItem onSelect={() => openPriceRule(zone, profile, symbol)}>{texts.priceAlerts.add(symbol)}</MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => moves.step(symbol, -1)} hint="Alt ↑">
        {texts.lists.symbolUp(symbol)}
      </MenuItem>
      <MenuItem onSelect={() => moves.step(symbol, 1)} hint="Alt ↓">
        {texts.lists.symbolDown(symbol)}
      </MenuItem>
      {list.sections.length > 1 && (
        <SubMenu label={texts.lists.symbolTo(symbol)}>
          {list.sections.map(({ name }, section) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a section.
            <MenuItem key={section} onSelect={() => moves.toSection(symbol, section)}>
              {name}
            </MenuItem>
          ))}
        </SubMenu>
      )}
      <MenuItem
        onSelect={() => edits.edit(list, (now) => removeSymbol(now, symbol), texts.lists.removed(symbol))}
        hint="Del"
      >
        {texts.lists.removeSymbol(symbol)}
      </MenuItem>
    </>
  );
}

/** A row's menu, at the pointer or below the row. */
export interface RowMenuRequest {
  readonly symbol: string;
  readonly row: HTMLElement;
  /** px, from the window's corner. */
  readonly left: number;
  readonly top: number;
}

interface RowMenuProps {
  readonly list: Watchlist;
  readonly request: RowMenuRequest;
  readonly onClose: () => void;
}

export function RowMenu({ list, request: { symbol, row, left, top }, onClose }: RowMenuProps) {
  useEffect(() => () => row.focus(), [row]);
  return (
    <span className="wl-row-menu" style={{ left, top }}>
      <Menu
        open
        byKey
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        trigger={<button type="button" tabIndex={-1} aria-label={texts.lists.menuOf(symbol)} />}
      >
        <SymbolItems list={list} symbol={symbol} />
      </Menu>
    </span>
  );
}

/** The position of the menu for a row's context-menu event. An event from a key has no pointer position. */
export function rowMenuOf(event: { target: EventTarget; clientX: number; clientY: number }): RowMenuRequest | null {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('tr[data-row]') : null;
  const symbol = row?.dataset.row;
  if (row === null || symbol === undefined) return null;
  const box = row.getBoundingClientRect();
  const isPointed = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top;
  return {
    symbol,
    row,
    left: isPointed ? event.clientX : box.left + 40,
    top: isPointed ? event.clientY : box.bottom,
  };
}
