// Renderer: the dialog in which the holdings of a list are typed, pasted or imported, and exported.
import { type ChangeEvent, useId, useRef, useState } from 'react';
import { HOLDING_UNITS, type Holdings } from '../../../shared/domain/holdings.ts';
import { addSymbols } from '../../../shared/domain/watchlist-edits.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useListEdits } from '../../store/list-edits.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { csvBlob, fileStem, saveFile } from '../../ui/save-file.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { holdingsCsv, readHoldings, writeHoldings } from './holdings-file.ts';

const { holdings: text } = texts.lists;
const LARGEST_FILE = 1_000_000;

interface HoldingsDialogProps {
  readonly list: Watchlist;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
}

export function HoldingsDialog({ list, returnTo, onClose }: HoldingsDialogProps) {
  const id = useId();
  const edits = useListEdits();
  const [unit, setUnit] = useState<Holdings['unit']>(list.holdings?.unit ?? 'weight');
  const [typed, setTyped] = useState(list.holdings === undefined ? '' : writeHoldings(list.holdings));
  const file = useRef<HTMLInputElement>(null);
  const { holdings, unread } = readHoldings(typed, unit);
  const take = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const field = event.currentTarget;
    const chosen = field.files?.[0];
    if (chosen === undefined) return;
    if (chosen.size > LARGEST_FILE) edits.say(texts.lists.importTooLarge(chosen.name));
    else {
      const content = await chosen.text();
      setTyped(content);
      setUnit(readHoldings(content, unit).holdings.unit);
    }
    field.value = '';
  };
  const save = (): void => {
    const { rows } = holdings;
    edits.edit(
      list,
      (now) => {
        const { holdings: _before, ...bare } = now;
        if (rows.length === 0) return bare;
        const held = rows.map(({ symbol }) => symbol);
        // What is held is watched, or its state would not be known.
        const all = addSymbols(bare, held, bare.sections.length - 1, texts.lists.firstSection);
        return { ...all, holdings };
      },
      rows.length === 0 ? text.removed(list.name) : text.saved(list.name, rows.length),
    );
    onClose();
  };
  return (
    <Dialog heading={text.heading(list.name)} className="wl-holdings" returnTo={returnTo} onClose={onClose}>
      <p className="t2">{text.intro}</p>
      <SegmentedControl
        label={text.unit}
        value={holdings.unit}
        options={HOLDING_UNITS.map((value) => ({ value, label: text.units[value] }))}
        onChange={setUnit}
      />
      <div className="form-field">
        <label htmlFor={id}>{text.lines}</label>
        <textarea
          id={id}
          className="field mono"
          rows={12}
          spellCheck={false}
          placeholder={text.hint}
          aria-invalid={unread.length > 0}
          aria-describedby={`${id}-read`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p id={`${id}-read`} className={unread.length > 0 ? 'problem' : 't3'} role="status">
          {unread.length > 0 ? text.unread(unread) : text.read(holdings.rows.length)}
        </p>
      </div>
      <input
        ref={file}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        hidden
        onChange={(event) => void take(event)}
      />
      <div className="row">
        <button type="button" className="btn" onClick={() => file.current?.click()}>
          {text.importFile}
        </button>
        <button
          type="button"
          className="btn"
          disabled={holdings.rows.length === 0}
          onClick={() => saveFile(`${fileStem(list.name)}-holdings.csv`, csvBlob(holdingsCsv(holdings)))}
        >
          {text.exportFile}
        </button>
        <button type="button" className="btn quiet right" onClick={onClose}>
          {text.cancel}
        </button>
        <button type="button" className="btn primary" disabled={unread.length > 0} onClick={save}>
          {text.save}
        </button>
      </div>
    </Dialog>
  );
}
