// Renderer: the table of moved factors: a row for each dimension, ranked by its share of the risk.

import { moved, power, share } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { type FactorMove, NOTABLE } from './moves.ts';

/** The move that fills half of the bar's column. */
const WHOLE_BAR = 0.36;

const textOf = ({ code, now }: FactorMove): string => texts.factors.describe(code, now);
const COLUMNS: readonly Column<FactorMove>[] = [
  { name: texts.factors.code, className: 'mv-code', cellClass: 'cond t3', cell: ({ code }) => code },
  { name: texts.factors.dimension, className: 'mv-name', isRowHead: true, cell: ({ name }) => name },
  { name: texts.factors.nowHead, className: 'num mv-now', cell: ({ now }) => power(now) },
  { name: texts.factors.movedHead, className: 'num mv-moved', cell: (move) => moved(move.moved) },
  { name: texts.factors.fellRose, className: 'mv-bar', cell: (move) => <Bar moved={move.moved} /> },
  { name: texts.factors.share, className: 'num mv-share', cellClass: 'cond', cell: (move) => share(move.share) },
  { name: texts.factors.description, className: 'mv-text', cellClass: 'cond t2', cellTitle: textOf, cell: textOf },
];

export function MovedTable({ symbol, moves }: { symbol: string; moves: readonly FactorMove[] }) {
  return (
    <ScrollRegion className="scroll moved" label={texts.factors.tableName(symbol)}>
      <Table
        label={texts.factors.tableName(symbol)}
        columns={COLUMNS}
        rows={moves}
        keyOf={(move) => move.code ?? move.name}
        rowClass={({ moved: by }) => (Math.abs(by ?? 0) >= NOTABLE ? 'moved-row notable' : 'moved-row')}
      />
    </ScrollRegion>
  );
}

/** Right of the axis and solid: rose. Left and striped: fell. */
function Bar({ moved }: { moved: number | null }) {
  const width = Math.min(50, (Math.abs(moved ?? 0) / WHOLE_BAR) * 50);
  return (
    <span className="dbar" aria-hidden="true">
      {moved !== null && <i className={moved < 0 ? 'fell' : 'rose'} style={{ width: `${Math.max(1, width)}%` }} />}
    </span>
  );
}
