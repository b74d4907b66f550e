// Renderer: the head of the watchlist: choice of the list, its menu, and the field that adds symbols.
import { type ChangeEvent, type FormEvent, useId, useRef, useState } from 'react';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { addSection, addSymbols, freeId, positionOf, removeSymbol } from '../../../shared/domain/watchlist-edits.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { lazyModules } from '../../lazy-modules.ts';
import { useListEdits } from '../../store/list-edits.ts';
import { COLUMNS, GROUPINGS, preferences, usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { AskName } from '../../ui/ask-name.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLine, SubMenu } from '../../ui/menu.tsx';
import { csvBlob, fileStem, saveFile, textBlob } from '../../ui/save-file.ts';
import type { ListFormat } from './list-file.ts';
import { useMoves } from './use-moves.ts';

const LARGEST_FILE = 1_000_000;

const listFiles = lazyModules.add(() => import('./list-file.ts'));

/** Loads the code for list files; reports a failure and returns null. */
async function loadListFiles(say: (message: string) => void) {
  await listFiles.load();
  const loading = listFiles.read();
  if (loading.status === 'ready') return loading.code;
  say(en.lazy.dialogFailed(en.lazy.listFiles));
  return null;
}

type Prompt = 'new-list' | 'list-name' | 'new-section' | null;

export function ListHead({ list }: { list: Watchlist }) {
  const [prompt, setPrompt] = useState<Prompt>(null);
  const [adding, setAdding] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  return (
    <div className="head wl-head">
      <h2 className="spoken">{list.name}</h2>
      <Menu
        trigger={
          <button type="button" className="btn quiet wl-name" aria-label={en.lists.menu(list.name)} ref={button}>
            <span className="ell">{list.name}</span>
            <Icon name="down" size={11} />
          </button>
        }
      >
        <ListMenu list={list} onAsk={setPrompt} onImport={() => file.current?.click()} />
      </Menu>
      <ImportField input={file} />
      <button
        type="button"
        className="btn quiet right"
        aria-expanded={adding}
        ref={add}
        onClick={() => setAdding(!adding)}
      >
        <Icon name="add" />
        {en.lists.add}
      </button>
      {adding && (
        <AddField
          list={list}
          onClose={() => {
            setAdding(false);
            add.current?.focus();
          }}
        />
      )}
      {prompt !== null && <Ask prompt={prompt} list={list} returnTo={button} onClose={() => setPrompt(null)} />}
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
  const grouping = usePreference((preference) => preference.grouping);
  const hidden = usePreference((preference) => preference.hidden);
  const sort = usePreference((preference) => preference.sort);
  const edits = useListEdits();
  const save = async (format: ListFormat): Promise<void> => {
    const text = (await loadListFiles(edits.say))?.writeList(list, format);
    if (text === undefined) return;
    saveFile(`${fileStem(list.name)}.${format}`, format === 'csv' ? csvBlob(text) : textBlob(text));
  };
  return (
    <>
      <MenuChoice
        label={en.lists.show}
        value={list.id}
        options={lists.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={preferences.showList}
      />
      <MenuLine />
      <SelectedSymbol list={list} />
      <MenuItem onSelect={() => onAsk('new-list')}>{en.lists.newList}</MenuItem>
      <MenuItem onSelect={() => onAsk('list-name')}>{en.lists.renameList}</MenuItem>
      <MenuItem onSelect={() => onAsk('new-section')}>{en.lists.newSection}</MenuItem>
      <MenuItem
        disabled={lists.length < 2}
        onSelect={() =>
          edits.replace((all) => all.filter((each) => each.id !== list.id), en.lists.listDeleted(list.name))
        }
      >
        {en.lists.deleteList(list.name)}
      </MenuItem>
      <MenuItem onSelect={edits.undo} hint="Ctrl Z">
        {en.lists.undo}
      </MenuItem>
      <MenuLine />
      <MenuChoice
        label={en.lists.groupBy}
        value={grouping}
        options={GROUPINGS.map((value) => ({ value, label: en.lists.groupings[value] }))}
        onChange={preferences.setGrouping}
      />
      {sort !== null && <MenuItem onSelect={preferences.clearSort}>{en.lists.ownOrder}</MenuItem>}
      <SubMenu label={en.lists.columns}>
        {COLUMNS.map((column) => (
          <MenuCheck key={column} checked={!hidden.includes(column)} onChange={() => preferences.toggleColumn(column)}>
            {en.lists.columnNames[column]}
          </MenuCheck>
        ))}
      </SubMenu>
      <MenuLine />
      <MenuItem onSelect={onImport}>{en.lists.importFile}</MenuItem>
      <MenuItem onSelect={() => void save('csv')}>{en.lists.exportCsv}</MenuItem>
      <MenuItem onSelect={() => void save('txt')}>{en.lists.exportTxt}</MenuItem>
    </>
  );
}

/** Actions on the chosen symbol, without dragging or shortcuts. */
function SelectedSymbol({ list }: { list: Watchlist }) {
  const symbol = useSnapshot((snapshot) => snapshot.selected);
  const edits = useListEdits();
  const moves = useMoves(list);
  if (symbol === null || positionOf(list, symbol) === null) return null;
  return (
    <>
      <MenuItem onSelect={() => moves.step(symbol, -1)} hint="Alt ↑">
        {en.lists.symbolUp(symbol)}
      </MenuItem>
      <MenuItem onSelect={() => moves.step(symbol, 1)} hint="Alt ↓">
        {en.lists.symbolDown(symbol)}
      </MenuItem>
      {list.sections.length > 1 && (
        <SubMenu label={en.lists.symbolTo(symbol)}>
          {list.sections.map(({ name }, section) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a section.
            <MenuItem key={section} onSelect={() => moves.toSection(symbol, section)}>
              {name}
            </MenuItem>
          ))}
        </SubMenu>
      )}
      <MenuItem
        onSelect={() => edits.edit(list, (now) => removeSymbol(now, symbol), en.lists.removed(symbol))}
        hint="Del"
      >
        {en.lists.removeSymbol(symbol)}
      </MenuItem>
      <MenuLine />
    </>
  );
}

interface AskProps {
  readonly prompt: Exclude<Prompt, null>;
  readonly list: Watchlist;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
}

function Ask({ prompt, list, returnTo, onClose }: AskProps) {
  const edits = useListEdits();
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  if (prompt === 'list-name')
    return (
      <AskName
        heading={en.lists.renameList}
        label={en.lists.listName}
        value={list.name}
        returnTo={returnTo}
        onAnswer={(name) => edits.edit(list, (now) => ({ ...now, name }), en.lists.listRenamed(name))}
        onClose={onClose}
      />
    );
  if (prompt === 'new-section')
    return (
      <AskName
        heading={en.lists.newSection}
        label={en.lists.sectionName}
        returnTo={returnTo}
        onAnswer={(name) =>
          edits.edit(list, (now) => addSection(now, name, now.sections.length - 1), en.lists.sectionAdded(name))
        }
        onClose={onClose}
      />
    );
  return (
    <AskName
      heading={en.lists.newList}
      label={en.lists.newListName}
      returnTo={returnTo}
      onAnswer={(name) => {
        const id = freeId(lists, name);
        const made: Watchlist = { id, name, sections: [{ name: en.lists.firstSection, symbols: [] }] };
        if (edits.replace((all) => [...all, made], en.lists.listAdded(name))) preferences.showList(id);
      }}
      onClose={onClose}
    />
  );
}

function ImportField({ input }: { input: { readonly current: HTMLInputElement | null } }) {
  const edits = useListEdits();
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const field = event.currentTarget;
    const chosen = field.files?.[0];
    if (chosen === undefined) return;
    if (chosen.size > LARGEST_FILE) {
      edits.say(en.lists.importTooLarge(chosen.name));
      return;
    }
    const [bytes, files] = await Promise.all([chosen.arrayBuffer(), loadListFiles(edits.say)]);
    // Allows choosing the same file again.
    field.value = '';
    if (files === null) return;
    const { sections, symbols, unread, beyond } = files.readList(
      files.decodeList(new Uint8Array(bytes)),
      en.lists.firstSection,
    );
    if (symbols === 0) {
      edits.say(en.lists.importEmpty(chosen.name));
      return;
    }
    const name = chosen.name.replace(/\.[^.]*$/, '').slice(0, 80) || chosen.name;
    const id = freeId(lists, name);
    const message = en.lists.imported(name, symbols, unread, { beyond, most: files.MOST_SYMBOLS });
    if (edits.replace((all) => [...all, { id, name, sections }], message)) preferences.showList(id);
  };
  return (
    <input
      ref={input}
      type="file"
      hidden
      accept=".csv,.txt,text/csv,text/plain"
      aria-label={en.lists.importFile}
      onChange={(event) => void read(event)}
    />
  );
}

/** Adds to the section of the chosen symbol, else to the first. Stays open for the next symbol. */
function AddField({ list, onClose }: { list: Watchlist; onClose: () => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const cure = useId();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const edits = useListEdits();
  const section = (selected === null ? null : positionOf(list, selected)?.section) ?? 0;
  const name = list.sections[section]?.name ?? en.lists.firstSection;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const tokens = text.split(/[\s,;]+/).filter((word) => word !== '');
    const wrong = tokens.filter((word) => !isSymbol(normalizeSymbol(word)));
    setProblem(wrong.length > 0 ? en.lists.noSymbol(wrong) : '');
    if (wrong.length > 0) return;
    const held = new Set(symbolsOf(list));
    const symbols = [...new Set(tokens.map(normalizeSymbol))];
    const fresh = symbols.filter((symbol) => !held.has(symbol));
    if (fresh.length > 0)
      edits.edit(list, (now) => addSymbols(now, fresh, section, en.lists.firstSection), en.lists.added(fresh, name));
    else if (symbols.length > 0) edits.say(en.lists.alreadyListed(symbols));
    setText('');
  };
  return (
    <form className="wl-add" onSubmit={submit}>
      <input
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the user asked for this field.
        autoFocus
        aria-label={en.lists.addTo(name)}
        placeholder={en.lists.addHint}
        value={text}
        aria-invalid={problem !== ''}
        aria-describedby={cure}
        onChange={(event) => {
          setText(event.target.value);
          setProblem('');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <button type="submit" className="btn line">
        {en.lists.add}
      </button>
      <button type="button" className="btn quiet square" aria-label={en.close} onClick={onClose}>
        <Icon name="close" />
      </button>
      <span id={cure} className="field-cure" aria-live="polite">
        {problem}
      </span>
    </form>
  );
}
