// Renderer: the import of a broker's table: its columns, a preview of five positions, and the rows left out.
import { useId, useMemo, useState } from 'react';
import { HOLDING_UNITS, MAX_HOLDINGS } from '../../../shared/domain/holdings.ts';
import { DASH } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { preferences, type SheetColumns } from '../../store/preferences.ts';
import { focusFirst } from '../../ui/form/fields.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { TableHead } from '../../ui/table/table-head.tsx';
import { type LeftRow, positionsIn, type Sheet, type SheetPositions } from './position-sheet.ts';

const { import: text, quantity: amountText } = texts.book;
const { holdings } = texts.lists;
const PREVIEWED = 5;
const FIRST_COLUMNS: SheetColumns = {
  ...{ symbol: 0, amount: 1, unit: 'quantity', cost: null, isCostTotal: false, currency: null, everyCurrency: '' },
};

interface HoldingsImportProps {
  readonly sheet: Sheet;
  /** The number of positions that go when those of the table, in this unit, are used. */
  readonly replaces: (unit: SheetColumns['unit']) => number;
  readonly onUse: (unit: SheetColumns['unit'], positions: SheetPositions) => void;
  readonly onBack: () => void;
}

/** Begins with the columns that the user chose for such a file before, else with those of its broker. */
export function HoldingsImport({ sheet, replaces, onUse, onBack }: HoldingsImportProps) {
  const [remembered] = useState(() => preferences.read().sheetColumns[sheet.key]);
  const [columns, setColumns] = useState(remembered ?? sheet.columns ?? FIRST_COLUMNS);
  const found = useMemo(() => positionsIn(sheet, columns), [sheet, columns]);
  const source = sheet.source ?? (remembered !== undefined ? text.remembered : sheet.columns && text.ownFile);
  return (
    <div className="wl-import">
      <p className="t2">
        {text.from(source)} {text.noPrice}
      </p>
      <Columns sheet={sheet} columns={columns} onChange={(change) => setColumns({ ...columns, ...change })} />
      <Preview columns={columns} found={found} />
      <p role="status">
        {text.found(found.rows.length, found.left.length, found.notes.length)}{' '}
        {found.beyond > 0 && holdings.beyond(found.beyond, MAX_HOLDINGS)}
      </p>
      <LeftRows rows={[...found.left, ...found.notes]} />
      <div className="dialog-actions">
        <button type="button" className="btn line" onClick={onBack}>
          {text.back}
        </button>
        <button
          type="button"
          className="btn primary"
          {...focusFirst(true)}
          disabled={found.rows.length === 0}
          onClick={() => {
            preferences.rememberSheet(sheet.key, columns);
            onUse(columns.unit, found);
          }}
        >
          {text.use(found.rows.length, replaces(columns.unit))}
        </button>
      </div>
    </div>
  );
}

interface ColumnsProps {
  readonly sheet: Sheet;
  readonly columns: SheetColumns;
  readonly onChange: (change: Partial<SheetColumns>) => void;
}

function Columns({ sheet: { names }, columns, onChange }: ColumnsProps) {
  const id = useId();
  const { unit, cost, isCostTotal, currency, everyCurrency } = columns;
  return (
    <fieldset className="wl-import-columns" aria-label={text.columns}>
      <Choice
        names={names}
        label={text.column.symbol}
        value={columns.symbol}
        onChoose={(symbol) => onChange({ symbol })}
      />
      <Choice
        names={names}
        label={text.column.amount}
        value={columns.amount}
        onChoose={(amount) => onChange({ amount })}
      />
      <SegmentedControl
        label={text.unit}
        options={HOLDING_UNITS.map((value) => ({ value, label: holdings.units[value] }))}
        value={unit}
        onChange={(value) => onChange({ unit: value })}
      />
      {unit === 'quantity' && (
        <>
          <OptionalChoice
            names={names}
            label={text.column.cost}
            value={cost}
            onChoose={(at) => onChange({ cost: at })}
          />
          <OptionalChoice
            names={names}
            label={text.column.currency}
            value={currency}
            onChoose={(at) => onChange({ currency: at })}
          />
          <SegmentedControl
            label={text.costIs}
            options={(['share', 'total'] as const).map((value) => ({ value, label: text.costs[value] }))}
            value={isCostTotal ? 'total' : 'share'}
            onChange={(value) => onChange({ isCostTotal: value === 'total' })}
          />
          {currency === null && (
            <label htmlFor={id}>
              {text.everyCurrency}
              <input
                id={id}
                className="field"
                maxLength={3}
                value={everyCurrency}
                onChange={(event) => onChange({ everyCurrency: event.target.value })}
              />
            </label>
          )}
        </>
      )}
    </fieldset>
  );
}

interface ChoiceProps<At> {
  readonly names: readonly string[];
  readonly label: string;
  readonly value: At;
  readonly onChoose: (at: At) => void;
}

const Choice = ({ names, label, value, onChoose }: ChoiceProps<number>) => (
  <OptionalChoice names={names} label={label} value={value} isNeeded onChoose={(at) => onChoose(at ?? value)} />
);

function OptionalChoice(props: ChoiceProps<number | null> & { readonly isNeeded?: boolean }) {
  const { names, label, value, isNeeded = false, onChoose } = props;
  const id = useId();
  return (
    <label htmlFor={id}>
      {label}
      <select
        id={id}
        className="field"
        value={value ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? null : Number(target.value))}
      >
        {!isNeeded && <option value="">{text.none}</option>}
        {names.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name.
          <option key={at} value={at}>
            {name === '' ? text.columnNumber(at + 1) : name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Preview({ columns: { unit }, found }: { readonly columns: SheetColumns; readonly found: SheetPositions }) {
  const hasMoney = unit === 'quantity';
  const heads = [holdings.symbol, holdings.amount[unit], ...(hasMoney ? [holdings.cost, holdings.currency] : [])];
  return (
    <table className="table" aria-label={text.preview}>
      <TableHead columns={heads.map((name, at) => ({ name, ...(at === 1 || at === 2 ? { className: 'num' } : {}) }))} />
      <tbody>
        {found.rows.slice(0, PREVIEWED).map(({ symbol, amount, cost, currency }) => (
          <tr key={symbol}>
            <td>{symbol}</td>
            <td className="num">{amountText(amount)}</td>
            {hasMoney && <td className="num">{cost === undefined ? DASH : amountText(cost)}</td>}
            {hasMoney && <td>{currency ?? DASH}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LeftRows({ rows }: { readonly rows: readonly LeftRow[] }) {
  if (rows.length === 0) return null;
  return (
    <ScrollRegion label={text.leftOut} className="wl-import-left">
      <ul>
        {rows.map(({ row, name, why }) => (
          <li key={`${row} ${why}`}>{text.row(row, name, why)}</li>
        ))}
      </ul>
    </ScrollRegion>
  );
}
