// Renderer, profiles: the findings in a folder of prices: what can be read, and lines with faults or gaps.
import type { PriceReport } from '../../../shared/channels/profiles.ts';
import { count } from '../../../shared/text/format.ts';

import { texts } from '../../../shared/text/texts.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';

const messages = texts.profiles.prices;
/** Number of symbols that are named. */
const NAMED = 12;

const COLUMNS: readonly Column<PriceReport['problems'][number]>[] = [
  {
    name: messages.location,
    cellClass: 'cond',
    cell: ({ file, line }) => (line === 0 ? messages.wholeFile(file) : messages.line(file, line)),
  },
  { name: messages.reason, cellClass: 't2', cell: ({ reason }) => reason },
];

export function PriceFindings({
  report: { symbols, from, to, files, rows, used, problems, more },
}: {
  report: PriceReport;
}) {
  const named = symbols.slice(0, NAMED).join(', ');
  return (
    <div className="price-findings" role="status">
      <p>
        {messages.rows(count(used), count(rows), files)} {from !== null && to !== null && messages.span(from, to)}
      </p>
      <p className="t2">{messages.symbols(symbols.length, symbols.length > NAMED ? `${named} …` : named)}</p>
      {problems.length === 0 ? (
        <p className="t2">{messages.clean}</p>
      ) : (
        <>
          <p className="md">{messages.problems(problems.length + more)}</p>
          <ScrollRegion className="price-lines" label={messages.problems(problems.length + more)}>
            <Table columns={COLUMNS} rows={problems} keyOf={({ file, line, reason }) => `${file} ${line} ${reason}`} />
            {more > 0 && <p className="t3">{messages.more(more)}</p>}
          </ScrollRegion>
        </>
      )}
    </div>
  );
}
