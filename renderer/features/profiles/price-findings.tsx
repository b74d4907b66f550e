// Renderer, profiles: what was found in a folder of prices: how much of it can be used, and every line that cannot, with its reason.
import type { PriceReport } from '../../../shared/channels/profiles.ts';
import { count } from '../../text/format.ts';
import { profileText } from '../../text/profiles.ts';

const messages = profileText.prices;
/** How many symbols are named. */
const NAMED = 12;

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
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
          <section className="price-lines" tabIndex={0} aria-label={messages.problems(problems.length + more)}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{messages.location}</th>
                  <th scope="col">{messages.reason}</th>
                </tr>
              </thead>
              <tbody>
                {problems.map(({ file, line, reason }) => (
                  <tr key={`${file} ${line} ${reason}`}>
                    <td className="cond">{line === 0 ? messages.wholeFile(file) : messages.line(file, line)}</td>
                    <td className="t2">{reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {more > 0 && <p className="t3">{messages.more(more)}</p>}
          </section>
        </>
      )}
    </div>
  );
}
