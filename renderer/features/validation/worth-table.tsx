// Renderer, validation: what acting on High Risk brought, by symbol; the drawings repeat the numbers beside them.
import type { WorthRecord } from '../../../shared/channels/worth.ts';
import { type Difference, findingOf, type Worth } from '../../../shared/domain/worth.ts';
import { count, DASH } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { intervalText, points, wholeShare } from '../../../shared/text/worth-text.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { recordView } from './record-view.ts';

const text = texts.worth;

interface Row {
  /** null: the list. */
  readonly symbol: string | null;
  readonly worth: WorthRecord['rows'][number]['worth'];
}
type Kind = 'gain' | 'cut';

interface WorthTableProps {
  readonly record: WorthRecord;
  readonly chosen: string | null;
  /** The list has more symbols than are computed. */
  readonly isCut: boolean;
}

export function WorthTable({ record: { list, rows }, chosen, isCut }: WorthTableProps) {
  const all: readonly Row[] = list === null ? rows : [{ symbol: null, worth: list }, ...rows];
  const known = all.flatMap(({ worth }) => (typeof worth === 'string' ? [] : [worth]));
  const columns: readonly Column<Row>[] = [
    {
      name: text.columns.symbol,
      isRowHead: true,
      className: 'worth-symbol',
      cell: ({ symbol }) => symbol ?? text.list,
    },
    { name: text.columns.alerts, className: 'num', cell: ({ worth }) => figure(worth, ({ alerts }) => count(alerts)) },
    { name: text.columns.out, className: 'num', cell: ({ worth }) => figure(worth, ({ out }) => wholeShare(out)) },
    differenceColumn('gain', known),
    differenceColumn('cut', known),
  ];
  return (
    <div className="panel">
      <ScrollRegion className="scroll" label={text.tableName}>
        <Table
          caption={text.tableName}
          className="worth-table"
          columns={columns}
          rows={all}
          keyOf={({ symbol }) => symbol ?? ''}
          rowClass={({ symbol }) => (symbol === null ? 'worth-list' : '')}
          choice={{
            isChosen: ({ symbol }) => symbol === chosen,
            onChoose: ({ symbol }) => recordView.set({ symbol }),
          }}
        />
      </ScrollRegion>
      <Summary rows={rows} isCut={isCut} />
    </div>
  );
}

const figure = (worth: Row['worth'], of: (worth: Worth) => string): string =>
  typeof worth === 'string' ? DASH : of(worth);

function differenceColumn(kind: Kind, known: readonly Worth[]): Column<Row> {
  const bounds = known.flatMap(({ [kind]: { value, interval, random } }) => [
    value,
    ...(interval === null ? [] : [interval.low, interval.high]),
    ...(random === null ? [] : [random.median]),
  ]);
  const scale = { low: Math.min(0, ...bounds), high: Math.max(0, ...bounds) };
  return {
    name: text.columns[kind],
    className: 'worth-difference',
    cellClass: ({ worth }) => (typeof worth !== 'string' && findingOf(worth[kind]) !== 'unclear' ? 'md' : 't2'),
    cell: ({ worth }) =>
      typeof worth === 'string' ? (
        kind === 'gain' && text.gaps[worth]
      ) : (
        <span className="worth-cell">
          <Plot of={worth[kind]} scale={scale} hasRandom={kind === 'cut'} />
          <span className="num">{points(worth[kind].value)}</span>
          <span className="spoken"> ({intervalText(worth[kind])})</span>
        </span>
      ),
  };
}

interface PlotProps {
  readonly of: Difference;
  readonly scale: { readonly low: number; readonly high: number };
  readonly hasRandom: boolean;
}

function Plot({ of: { value, interval, random }, scale, hasRandom }: PlotProps) {
  const x = (at: number): number => 4 + (92 * (at - scale.low)) / Math.max(1e-9, scale.high - scale.low);
  return (
    <svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <path d={`M${x(0)} 0V20`} className="zero" />
      {interval !== null && <path d={`M${x(interval.low)} 10H${x(interval.high)}`} className="line" />}
      {hasRandom && random !== null && <path d={`M${x(random.median)} 3V17`} className="random" />}
      <path d={`M${x(value)} 10h.01`} className="dot" />
    </svg>
  );
}

/** How many symbols won and lost, beside how many would by chance alone. */
function Summary({ rows, isCut }: Pick<WorthRecord, 'rows'> & Pick<WorthTableProps, 'isCut'>) {
  const known = rows.flatMap(({ symbol, worth }) => (typeof worth === 'string' ? [] : [{ symbol, ...worth }]));
  const those = (kind: Kind, finding: 'better' | 'worse'): string[] =>
    known.filter((row) => findingOf(row[kind]) === finding).map(({ symbol }) => symbol);
  if (known.length === 0) return null;
  const cut = known.filter((row) => row.cut.value > 0).length;
  const gained = known.filter((row) => row.gain.value > 0).length;
  return (
    <p className="validation-foot">
      {text.summary(cut, known.length, those('cut', 'better').length, gained)},{' '}
      {text.surely(those('gain', 'better'), those('gain', 'worse'))}. {text.byChance(Math.round(known.length / 20))}
      {isCut && ` ${text.first(rows.length)}`}
    </p>
  );
}
