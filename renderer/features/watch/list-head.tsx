// Renderer: the head of the watchlist: choice of the list, its menu, the field for new symbols.
import { type ChangeEvent, useRef, useState } from 'react';
import { addSection, freeId, positionOf } from '../../../shared/domain/watchlist-edits.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useListEdits, useShowList } from '../../store/list-edits.ts';
import { COLUMNS, preferences, usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLine, SubMenu } from '../../ui/menu.tsx';
import { closeHoldings, openHoldings, useAreHoldingsOpen } from './holdings-open.ts';
import { AddSymbols, AskName, HoldingsDialog } from './list-dialogs.ts';
import { loadListFiles, saveList } from './save-list.ts';
import { SymbolItems } from './symbol-menu.tsx';
import { ViewBar } from './view-bar.tsx';

const LARGEST_FILE = 1_000_000;

type Prompt = 'new-list' | 'list-name' | 'new-section' | null;

export function ListHead({ list }: { list: Watchlist }) {
  const [prompt, setPrompt] = useState<Prompt>(null);
  const hasHoldings = useAreHoldingsOpen();
  const [adding, setAdding] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  return (
    <div className="head wl-head">
      <h2 className="spoken">{list.name}</h2>
      <Menu
        trigger={
          <button type="button" className="btn quiet wl-name" aria-label={texts.lists.menu(list.name)}>
            <span className="ell">{list.name}</span>
            <Icon name="down" size={11} />
          </button>
        }
      >
        <ListMenu list={list} onAsk={setPrompt} onImport={() => file.current?.click()} />
      </Menu>
      <ImportField input={file} />
      <IconButton
        icon="add"
        label={texts.lists.add}
        hasTitle
        aria-expanded={adding}
        ref={add}
        onClick={() => setAdding(!adding)}
      />
      <ViewBar list={list} />
      {adding && (
        <AddSymbols
          list={list}
          onClose={() => {
            setAdding(false);
            add.current?.focus();
          }}
        />
      )}
      {hasHoldings && <HoldingsDialog list={list} onClose={closeHoldings} />}
      {prompt !== null && <Ask prompt={prompt} list={list} onClose={() => setPrompt(null)} />}
    </div>
  );
}

function ListMenu({
  list,
  onAsk,
  onImport,
}: {
  list: Watchlist;
  onAsk: (prompt: Prompt) => void;
  onImport: () => void;
}) {
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const hidden = usePreference((preference) => preference.hidden);
  const sort = usePreference((preference) => preference.sort);
  const edits = useListEdits();
  const show = useShowList();
  return (
    <>
      <MenuChoice
        label={texts.lists.show}
        value={list.id}
        options={lists.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={show}
      />
      <MenuLine />
      <SelectedSymbol list={list} />
      <MenuItem onSelect={() => onAsk('new-list')}>{texts.lists.newList}</MenuItem>
      <MenuItem onSelect={() => onAsk('list-name')}>{texts.lists.renameList}</MenuItem>
      <MenuItem onSelect={() => onAsk('new-section')}>{texts.lists.newSection}</MenuItem>
      <MenuItem onSelect={openHoldings}>{texts.lists.holdings.menu}</MenuItem>
      <MenuItem
        disabled={lists.length < 2}
        onSelect={() =>
          edits.replace((all) => all.filter((each) => each.id !== list.id), texts.lists.listDeleted(list.name))
        }
      >
        {texts.lists.deleteList(list.name)}
      </MenuItem>
      <MenuItem onSelect={edits.undo} hint="Ctrl Z">
        {texts.lists.undo}
      </MenuItem>
      <MenuLine />
      {sort !== null && <MenuItem onSelect={preferences.clearSort}>{texts.lists.ownOrder}</MenuItem>}
      <SubMenu label={texts.lists.columns}>
        {COLUMNS.map((column) => (
          <MenuCheck key={column} checked={!hidden.includes(column)} onChange={() => preferences.toggleColumn(column)}>
            {texts.lists.columnNames[column]}
          </MenuCheck>
        ))}
      </SubMenu>
      <MenuLine />
      <MenuItem onSelect={onImport}>{texts.lists.importFile}</MenuItem>
      <MenuItem onSelect={() => void saveList(list, 'csv', edits.say)}>{texts.lists.exportCsv}</MenuItem>
      <MenuItem onSelect={() => void saveList(list, 'txt', edits.say)}>{texts.lists.exportTxt}</MenuItem>
    </>
  );
}

/** Actions on the chosen symbol, without dragging or shortcuts. */
function SelectedSymbol({ list }: { list: Watchlist }) {
  const symbol = useSnapshot((snapshot) => snapshot.selected);
  if (symbol === null || positionOf(list, symbol) === null) return null;
  return (
    <>
      <SymbolItems list={list} symbol={symbol} />
      <MenuLine />
    </>
  );
}

interface AskProps {
  readonly prompt: Exclude<Prompt, null>;
  readonly list: Watchlist;
  readonly onClose: () => void;
}

function Ask({ prompt, list, onClose }: AskProps) {
  const edits = useListEdits();
  const show = useShowList();
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  if (prompt === 'list-name')
    return (
      <AskName
        heading={texts.lists.renameList}
        label={texts.lists.listName}
        value={list.name}
        onAnswer={(name) => edits.edit(list, (now) => ({ ...now, name }), texts.lists.listRenamed(name))}
        onClose={onClose}
      />
    );
  if (prompt === 'new-section')
    return (
      <AskName
        heading={texts.lists.newSection}
        label={texts.lists.sectionName}
        onAnswer={(name) =>
          edits.edit(list, (now) => addSection(now, name, now.sections.length - 1), texts.lists.sectionAdded(name))
        }
        onClose={onClose}
      />
    );
  return (
    <AskName
      heading={texts.lists.newList}
      label={texts.lists.newListName}
      onAnswer={async (name) => {
        const id = freeId(lists, name);
        const made: Watchlist = { id, name, sections: [{ name: texts.lists.firstSection, symbols: [] }] };
        const saved = await edits.replace((all) => [...all, made], texts.lists.listAdded(name));
        if (saved.ok) show(id);
        return saved;
      }}
      onClose={onClose}
    />
  );
}

function ImportField({ input }: { input: { readonly current: HTMLInputElement | null } }) {
  const edits = useListEdits();
  const show = useShowList();
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const field = event.currentTarget;
    const chosen = field.files?.[0];
    if (chosen === undefined) return;
    if (chosen.size > LARGEST_FILE) {
      edits.say(texts.lists.importTooLarge(chosen.name));
      return;
    }
    const [bytes, files] = await Promise.all([chosen.arrayBuffer(), loadListFiles(edits.say)]);
    // Allows choosing the same file again.
    field.value = '';
    if (files === null) return;
    const text = files.decodeList(new Uint8Array(bytes));
    const { sections, symbols, unread, beyond } = files.readList(text, texts.lists.firstSection);
    if (symbols === 0) {
      edits.say(texts.lists.importEmpty(chosen.name));
      return;
    }
    const name = chosen.name.replace(/\.[^.]*$/, '').slice(0, 80) || chosen.name;
    const id = freeId(lists, name);
    // Holdings need a header with a column of weights or quantities.
    const held = files.holdingsIn(text);
    const rows = [...(held?.rows ?? [])];
    // A row of the list that is not held has no amount.
    const left = (held?.left ?? []).flatMap(({ name }) => (name.includes(' ') ? [name] : []));
    const message = [
      texts.lists.imported(name, symbols, unread, { beyond, most: files.MAX_SYMBOLS }),
      ...(held === null
        ? []
        : [
            texts.lists.holdings.imported(
              rows.length,
              left,
              held.notes.map(({ name }) => name),
            ),
          ]),
      ...(held === null || held.beyond === 0 ? [] : [texts.lists.holdings.beyond(held.beyond, rows.length)]),
    ].join(' ');
    const made = {
      id,
      name,
      sections,
      ...(held === null || rows.length === 0 ? {} : { holdings: { unit: held.unit, rows } }),
    };
    const { ok } = await edits.replace((all) => [...all, made], message);
    if (ok) show(id);
  };
  return (
    <input
      ref={input}
      type="file"
      hidden
      accept=".csv,.txt,text/csv,text/plain"
      aria-label={texts.lists.importFile}
      onChange={(event) => void read(event)}
    />
  );
}
