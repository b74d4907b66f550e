// Renderer: the dialog of my book: the positions of a list in a table, their import and export.
import { type ChangeEvent, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { HOLDING_UNITS, type Holdings, MAX_HOLDINGS } from '../../../shared/domain/holdings.ts';
import { addSymbols } from '../../../shared/domain/watchlist-edits.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type Saved, useListEdits } from '../../store/list-edits.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SegmentedField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, type SchemaForm, showInvalid, useSchemaForm } from '../../ui/form/form.tsx';
import { csvBlob, fileStem, saveFile } from '../../ui/save-file.ts';
import {
  draftOf,
  type HoldingsDraft,
  holdingsCsv,
  holdingsSchema,
  isBlank,
  readText,
  totalOf,
} from './holdings-file.ts';
import { HoldingsImport } from './holdings-import.tsx';
import { HoldingsTable, showBeyond } from './holdings-table.tsx';
import { decodeList } from './list-file.ts';
import type { Sheet } from './position-sheet.ts';
import './holdings.css';

const { holdings: text } = texts.lists;
const LARGEST_FILE = 1_000_000;
const NOTHING: Holdings = { unit: 'quantity', rows: [] };

interface HoldingsDialogProps {
  readonly list: Watchlist;
  readonly onClose: () => void;
}

export function HoldingsDialog({ list, onClose }: HoldingsDialogProps) {
  const edits = useListEdits();
  const form = useSchemaForm(holdingsSchema, {
    defaultValues: draftOf(list.holdings ?? NOTHING),
  });
  const [read, setRead] = useState<{ readonly sheet: Sheet; readonly isPasted: boolean } | null>(null);
  /** The rows that stay beside those of a table: pasted, they are added, unless their amounts are of another kind. */
  const staying = (unit: Holdings['unit']) => {
    const known = form.getValues('rows').filter((row) => !isBlank(row));
    return { known, kept: read?.isPasted === true && unit === form.getValues('unit') ? known : [] };
  };
  const replace = ({ unit, rows }: HoldingsDraft, beyond: number, replaced = 0): void => {
    form.setValue('unit', unit);
    form.setValue('rows', rows, { shouldDirty: true });
    // Marks invalid rows at once.
    void form.trigger().then(() => {
      if (replaced > 0) form.setError('root', { type: 'replaced', message: text.replaced(replaced) });
      showBeyond(form, beyond);
    });
  };
  const save = (holdings: Holdings): Promise<Saved> => {
    const { rows } = holdings;
    return edits.edit(
      list,
      (now) => {
        const { holdings: _before, ...bare } = now;
        if (rows.length === 0) return bare;
        const held = rows.map(({ symbol }) => symbol);
        // Adds held symbols to the list, or their states would not be known.
        const all = addSymbols(bare, held, bare.sections.length - 1, texts.lists.firstSection);
        return { ...all, holdings };
      },
      rows.length === 0 ? text.removed(list.name) : text.saved(list.name, rows.length),
    );
  };
  if (read !== null)
    return (
      <Dialog heading={text.heading(list.name)} className="wl-holdings" onClose={() => setRead(null)}>
        <HoldingsImport
          sheet={read.sheet}
          replaces={(unit) => staying(unit).known.length - staying(unit).kept.length}
          onBack={() => setRead(null)}
          onUse={(unit, { rows, beyond }) => {
            const all = [...staying(unit).kept, ...draftOf({ unit, rows: [...rows] }).rows];
            const over = Math.max(0, all.length - MAX_HOLDINGS);
            replace({ unit, rows: all.slice(0, MAX_HOLDINGS) }, beyond + over);
            setRead(null);
          }}
        />
      </Dialog>
    );
  return (
    <Dialog heading={text.heading(list.name)} className="wl-holdings" onClose={onClose}>
      <Form form={form} onInvalid={showInvalid(form, text.invalid)} onSubmit={save} onAccepted={onClose}>
        <p className="t2">{text.intro}</p>
        <SegmentedField
          control={form.control}
          name="unit"
          label={text.unit}
          options={HOLDING_UNITS.map((value) => ({ value, label: text.units[value] }))}
        />
        <HoldingsTable onSheet={(sheet) => setRead({ sheet, isPasted: true })} />
        <Total />
        <DialogActions cancel={text.cancel} submit={text.save} onClose={onClose}>
          <Files
            form={form}
            list={list.name}
            onRead={(found) =>
              'names' in found
                ? setRead({ sheet: found, isPasted: false })
                : replace(
                    draftOf(found.holdings, found.unread),
                    found.beyond,
                    staying(found.holdings.unit).known.length,
                  )
            }
          />
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The number of positions and the sum of their weights, or the problem of the whole form. */
function Total() {
  const { control, formState } = useFormContext<HoldingsDraft>();
  const [unit, rows] = useWatch({ control, name: ['unit', 'rows'] });
  const { count, sum } = totalOf(rows);
  const problem = formState.errors.root?.message;
  return (
    <p className={problem === undefined ? 't3' : 'form-problem'} role="status">
      {problem ?? text.total(count, unit === 'weight' ? texts.book.quantity(sum) : null)}
    </p>
  );
}

interface FilesProps {
  readonly form: SchemaForm<HoldingsDraft, Holdings>;
  readonly list: string;
  readonly onRead: (read: ReturnType<typeof readText>) => void;
}

function Files({ form, list, onRead }: FilesProps) {
  const file = useRef<HTMLInputElement>(null);
  const typed = useWatch({ control: form.control });
  const held = holdingsSchema.safeParse(typed);
  const take = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const field = event.currentTarget;
    const chosen = field.files?.[0];
    if (chosen === undefined) return;
    if (chosen.size > LARGEST_FILE) form.setError('root', { type: 'size', message: text.tooLarge(chosen.name) });
    else onRead(readText(decodeList(new Uint8Array(await chosen.arrayBuffer())), form.getValues('unit')));
    field.value = '';
  };
  return (
    <>
      <input
        ref={file}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        hidden
        aria-label={text.importFile}
        onChange={(event) => void take(event)}
      />
      <button type="button" className="btn" onClick={() => file.current?.click()}>
        {text.importFile}
      </button>
      <button
        type="button"
        className="btn wl-holdings-export"
        disabled={!held.success || held.data.rows.length === 0}
        onClick={() => held.success && saveFile(`${fileStem(list)}-holdings.csv`, csvBlob(holdingsCsv(held.data)))}
      >
        {text.exportFile}
      </button>
    </>
  );
}
