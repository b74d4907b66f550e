// Renderer: the table of holdings, one row per symbol, typed or pasted.
// Enter goes to the next field, arrows to another row.
import { type ClipboardEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { type UseFormSetError, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { MAX_HOLDINGS } from '../../../shared/domain/holdings.ts';
import { texts } from '../../../shared/text/texts.ts';
import { focusFirst, useTextInput } from '../../ui/form/fields.tsx';
import { FieldProblem } from '../../ui/form/form.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { TableHead } from '../../ui/table/table-head.tsx';
import { BLANK, draftOf, type HoldingsDraft, isBlank, readHoldings } from './holdings-file.ts';

const { holdings: text } = texts.lists;
type Cell = 'symbol' | 'amount';

/** Shows how many pasted or imported holdings were left out, once the table is checked. */
export function showBeyond({ setError }: { setError: UseFormSetError<HoldingsDraft> }, beyond: number): void {
  if (beyond > 0) setError('root', { type: 'beyond', message: text.beyond(beyond, MAX_HOLDINGS) });
}

/** The fields `rows` of the form around it. */
export function HoldingsTable() {
  const { control, getValues, trigger, setError } = useFormContext<HoldingsDraft>();
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'rows' });
  const unit = useWatch({ control, name: 'unit' });
  const body = useRef<HTMLTableSectionElement>(null);
  /** The row that gets the focus once it is drawn. */
  const next = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the rows, before the next key arrives.
  useLayoutEffect(() => {
    if (next.current !== null) focusCell(body.current, next.current, 'symbol');
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
  const goTo = (index: number, cell: Cell): void => {
    focusCell(body.current, index, cell)?.select();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, index: number, cell: Cell): void => {
    const isLast = index === fields.length - 1;
    if (event.key === 'ArrowUp') goTo(index - 1, cell);
    else if (event.key === 'ArrowDown') goTo(index + 1, cell);
    else if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    else if (isLast && isBlank(getValues(`rows.${index}`)))
      event.currentTarget.form?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    else if (cell === 'symbol') goTo(index, 'amount');
    else if (isLast) add();
    else goTo(index + 1, 'symbol');
    event.preventDefault();
  };
  /** Several lines, or a symbol with its amount, become rows; anything else is pasted into the field. */
  const onPaste = (event: ClipboardEvent<HTMLInputElement>, index: number): void => {
    const pasted = event.clipboardData.getData('text');
    if (!/\S\s*[\n\t,; ]\s*\S/.test(pasted)) return;
    const read = readHoldings(pasted, getValues('unit'));
    const { rows } = draftOf(read);
    event.preventDefault();
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
            { name: text.symbol },
            { name: text.amount[unit] },
            { name: text.remove, isSpoken: true, className: 'wl-held-do' },
          ]}
        />
        <tbody ref={body}>
          {fields.map(({ id }, index) => (
            <HoldingRow
              key={id}
              index={index}
              amountName={text.amount[unit]}
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

/**
 * Focuses at once. The form's own `setFocus` waits for a timer, and a key typed meanwhile would land in the
 * wrong field.
 */
function focusCell(body: HTMLTableSectionElement | null, index: number, cell: Cell): HTMLInputElement | null {
  const [symbol, amount] = body?.rows.item(index)?.querySelectorAll('input') ?? [];
  const field = (cell === 'symbol' ? symbol : amount) ?? null;
  field?.focus();
  return field;
}

interface HoldingRowProps {
  readonly index: number;
  readonly amountName: string;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>, index: number, cell: Cell) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>, index: number) => void;
  readonly onRemove: (index: number) => void;
}

function HoldingRow({ index, amountName, onKeyDown, onPaste, onRemove }: HoldingRowProps) {
  const { control } = useFormContext<HoldingsDraft>();
  const symbol = useTextInput({ control, name: `rows.${index}.symbol` });
  const amount = useTextInput({ control, name: `rows.${index}.amount` });
  const number = index + 1;
  const name = symbol.input.value.trim() === '' ? text.removeNumber(number) : symbol.input.value;
  return (
    <tr>
      <td>
        <input
          {...symbol.input}
          {...focusFirst(index === 0)}
          className="field"
          aria-label={text.symbolOf(number)}
          maxLength={40}
          onKeyDown={(event) => onKeyDown(event, index, 'symbol')}
          onPaste={(event) => onPaste(event, index)}
        />
        <FieldProblem id={symbol.id}>{symbol.problem}</FieldProblem>
      </td>
      <td>
        <input
          {...amount.input}
          className="field"
          aria-label={text.amountOf(amountName, number)}
          inputMode="decimal"
          maxLength={40}
          onKeyDown={(event) => onKeyDown(event, index, 'amount')}
        />
        <FieldProblem id={amount.id}>{amount.problem}</FieldProblem>
      </td>
      <td className="wl-held-do">
        <IconButton icon="close" label={text.removeRow(name)} onClick={() => onRemove(index)} />
      </td>
    </tr>
  );
}
