// Renderer: what moved, in numbers and as text: one row a dimension, ranked by its share of the risk.
import { en } from '../../text/en.ts';
import { moved, power, share } from '../../text/format.ts';
import { type FactorMove, NOTABLE } from './moves.ts';

/** Half of the bar's column stands for this move. */
const WHOLE_BAR = 0.36;

export function MovedTable({ symbol, moves }: { symbol: string; moves: readonly FactorMove[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="scroll moved" tabIndex={0} aria-label={en.factors.tableName(symbol)}>
      <table className="table" aria-label={en.factors.tableName(symbol)}>
        <thead>
          <tr>
            <th className="mv-code" scope="col">
              {en.factors.code}
            </th>
            <th className="mv-name" scope="col">
              {en.factors.dimension}
            </th>
            <th className="num mv-now" scope="col">
              {en.factors.nowHead}
            </th>
            <th className="num mv-moved" scope="col">
              {en.factors.movedHead}
            </th>
            <th className="mv-bar" scope="col">
              {en.factors.fellRose}
            </th>
            <th className="num mv-share" scope="col">
              {en.factors.share}
            </th>
            <th className="mv-text" scope="col">
              {en.factors.description}
            </th>
          </tr>
        </thead>
        <tbody>
          {moves.map((move) => (
            <tr
              key={move.code ?? move.name}
              className={Math.abs(move.moved ?? 0) >= NOTABLE ? 'moved-row notable' : 'moved-row'}
            >
              <td className="mv-code cond t3">{move.code}</td>
              <th className="mv-name" scope="row">
                {move.name}
              </th>
              <td className="num mv-now">{power(move.now)}</td>
              <td className="num mv-moved">{moved(move.moved)}</td>
              <td className="mv-bar">
                <Bar moved={move.moved} />
              </td>
              <td className="num cond mv-share">{share(move.share)}</td>
              <td className="cond t2 mv-text" title={en.factors.describe(move.code, move.now)}>
                {en.factors.describe(move.code, move.now)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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
