// Renderer: the table of positions, one row per symbol, typed or pasted.
// Enter goes to the next field, arrows to another row.
import { type ClipboardEvent, type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import {
  type FieldError,
  type UseFormSetError,
  useFieldArray,
  useFormContext,
  useFormState,
  useWatch,
} from 'react-hook-form';
import { MAX_HOLDINGS } from '../../../shared/domain/holdings.ts';
import { texts } from '../../../shared/text/texts.ts';
import { afterPress, focusFirst } from '../../ui/form/fields.tsx';
import { FieldProblem } from '../../ui/form/form.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { TableHead } from '../../ui/table/table-head.tsx';
import { BLANK, draftOf, type HoldingsDraft, isBlank, readText } from './holdings-file.ts';
import type { WrittenRow } from './position-row.ts';
import type { Sheet } from './position-sheet.ts';

const { holdings: text } = texts.lists;
type Cell = keyof WrittenRow;
const CELLS = { weight: ['symbol', 'amount'], quantity: ['symbol', 'amount', 'cost', 'currency'] } as const;

/** Shows how many pasted or imported holdings were left out, once the table is checked. */
export function showBeyond({ setError }: { setError: UseFormSetError<HoldingsDraft> }, beyond: number): void {
  if (beyond > 0) setError('root', { type: 'beyond', message: text.beyond(beyond, MAX_HOLDINGS) });
}

/** The fields `rows` of the form around it. @param onSheet a table with a header was pasted */
export function HoldingsTable({ onSheet }: { readonly onSheet: (sheet: Sheet) => void }) {
  const { control, getValues, trigger, setError } = useFormContext<HoldingsDraft>();
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'rows' });
  const unit = useWatch({ control, name: 'unit' });
  const { errors } = useFormState({ control, name: 'rows' });
  const cells = CELLS[unit];
  const body = useRef<HTMLTableSectionElement>(null);
  /** The row that gets the focus once it is drawn. */
  const next = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the rows, before the next key arrives.
  useLayoutEffect(() => {
    if (next.current !== null) focusCell(body.current, next.current, 0);
    next.current = null;
  }, [fields]);

  const add = (): void => {
    if (fields.length >= MAX_HOLDINGS) return;
    next.current = fields.length;
    append(BLANK, { shouldFocus: false });
  };
  const removeRow = (index: number): void => {
    next.current = Math.max(0, Math.min(index, fields.length - 2));
    remove(index);
    // The table always has a row to type into.
    if (fields.length === 1) append(BLANK, { shouldFocus: false });
  };
  const goTo = (index: number, column: number): void => {
    focusCell(body.current, index, column)?.select();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, index: number, column: number): void => {
    const isLast = index === fields.length - 1;
    if (event.key === 'ArrowUp') goTo(index - 1, column);
    else if (event.key === 'ArrowDown') goTo(index + 1, column);
    else if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    else if (isLast && isBlank(getValues(`rows.${index}`)))
      event.currentTarget.form?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    else if (column < cells.length - 1) goTo(index, column + 1);
    else if (isLast) add();
    else goTo(index + 1, 0);
    event.preventDefault();
  };
  /** Several lines, or a symbol with its amount, become rows; anything else is pasted into the field. */
  const onPaste = (event: ClipboardEvent<HTMLInputElement>, index: number): void => {
    const pasted = event.clipboardData.getData('text');
    if (!/\S\s*[\n\t,; ]\s*\S/.test(pasted)) return;
    event.preventDefault();
    const read = readText(pasted, getValues('unit'));
    if ('names' in read) {
      onSheet(read);
      return;
    }
    const { rows } = draftOf(read.holdings, read.unread);
    const known = getValues('rows');
    const isReplaced = known[index] === undefined || isBlank(known[index]);
    const all = known.toSpliced(isReplaced ? index : index + 1, isReplaced ? 1 : 0, ...rows);
    next.current = Math.min(index + rows.length, MAX_HOLDINGS) - Number(isReplaced);
    replace(all.slice(0, MAX_HOLDINGS));
    // Marks invalid rows at once.
    const beyond = read.beyond + Math.max(0, all.length - MAX_HOLDINGS);
    void trigger().then(() => showBeyond({ setError }, beyond));
  };
  return (
    <div className="wl-held">
      <table className="table" aria-label={text.table}>
        <TableHead
          columns={[
            ...cells.map((cell) => ({ name: NAMES[cell](unit) })),
            { name: text.remove, isSpoken: true, className: 'wl-held-do' },
          ]}
        />
        <tbody ref={body}>
          {fields.map(({ id }, index) => (
            <HoldingRow
              key={id}
              index={index}
              unit={unit}
              problems={errors.rows?.[index]}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
              onRemove={removeRow}
            />
          ))}
        </tbody>
      </table>
      <button type="button" className="btn line" disabled={fields.length >= MAX_HOLDINGS} onClick={add}>
        {text.add}
      </button>
    </div>
  );
}

const NAMES: Readonly<Record<Cell, (unit: HoldingsDraft['unit']) => string>> = {
  symbol: () => text.symbol,
  amount: (unit) => text.amount[unit],
  cost: () => text.cost,
  currency: () => text.currency,
};

/**
 * Focuses at once. The form's own `setFocus` waits for a timer, and a key typed meanwhile would land in the
 * wrong field.
 */
function focusCell(body: HTMLTableSectionElement | null, index: number, column: number): HTMLInputElement | null {
  const field = body?.rows.item(index)?.querySelectorAll('input').item(column) ?? null;
  field?.focus();
  return field;
}

interface HoldingRowProps {
  readonly index: number;
  readonly unit: HoldingsDraft['unit'];
  readonly problems: Partial<Record<Cell, FieldError>> | undefined;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>, index: number, column: number) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>, index: number) => void;
  readonly onRemove: (index: number) => void;
}

function HoldingRow({ index, unit, problems, onKeyDown, onPaste, onRemove }: HoldingRowProps) {
  const { control, register } = useFormContext<HoldingsDraft>();
  const id = useId();
  const symbol = useWatch({ control, name: `rows.${index}.symbol` });
  const number = index + 1;
  return (
    <tr>
      {CELLS[unit].map((cell, column) => {
        // Not controlled: thousands of cells that follow each key are slow.
        const { onBlur, ...field } = register(`rows.${index}.${cell}`);
        const problem = problems?.[cell]?.message;
        const cellId = `${id}-${cell}`;
        return (
          <td key={cell}>
            <input
              {...field}
              {...focusFirst(index === 0 && column === 0)}
              className="field"
              aria-label={text.cellOf(NAMES[cell](unit), number)}
              aria-invalid={problem !== undefined}
              aria-describedby={problem === undefined ? undefined : `${cellId}-problem`}
              autoComplete="off"
              spellCheck={false}
              inputMode={cell === 'amount' || cell === 'cost' ? 'decimal' : 'text'}
              maxLength={cell === 'currency' ? 3 : 40}
              onBlur={(event) =>
                afterPress(() => {
                  if (event.target.isConnected) void onBlur(event);
                })
              }
              onKeyDown={(event) => onKeyDown(event, index, column)}
              {...(column === 0 ? { onPaste: (event) => onPaste(event, index) } : {})}
            />
            <FieldProblem id={cellId}>{problem}</FieldProblem>
          </td>
        );
      })}
      <td className="wl-held-do">
        <IconButton
          icon="close"
          label={text.removeRow(symbol.trim() === '' ? text.removeNumber(number) : symbol)}
          onClick={() => onRemove(index)}
        />
      </td>
    </tr>
  );
}
