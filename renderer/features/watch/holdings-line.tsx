// Renderer: the risk of the holdings of a list: shares by state, money, expected fall, uncovered symbols.
import { holdingsRisk } from '../../../shared/domain/holdings.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { useSnapshot } from '../../store/store.ts';
import { Glyph } from '../../ui/glyph.tsx';

const { holdings: text } = texts.lists;

/** Draws nothing where the list has no holdings. */
export function HoldingsLine({ list }: { list: Watchlist }) {
  const rows = useSnapshot((snapshot) => (list.holdings === undefined ? null : snapshot.rows));
  const isOffline = useIsOffline();
  if (list.holdings === undefined || rows === null) return null;
  const risk = holdingsRisk(list.holdings, rows);
  if (isOffline || risk === null)
    return (
      <section className="wl-risk t2" aria-label={text.label}>
        {isOffline ? text.offline : text.nothing}
      </section>
    );
  const [normal, elevated, high] = risk.states;
  return (
    <section className="wl-risk" aria-label={text.label}>
      <div className="row">
        <span className={high > 0 ? 'md' : 't2'}>
          <Glyph name={2} size={11} /> {text.share(high, 2)}
        </span>
        <span className={elevated > 0 ? 'md' : 't2'}>
          <Glyph name={1} size={11} /> {text.share(elevated, 1)}
        </span>
        <span className="t2">
          <Glyph name={0} size={11} /> {text.share(normal, 0)}
        </span>
      </div>
      {risk.money.map((one) => (
        <p key={one.currency}>{texts.book.worth(one)}</p>
      ))}
      <p className="t2">{text.expected(risk)}</p>
      {risk.contributors.length > 0 && <p className="t2">{text.contributors(risk.contributors)}</p>}
      {risk.foreign.length > 0 && <p className="md">{texts.book.foreign(risk.foreign)}</p>}
      {(risk.uncovered.symbols.length > 0 || risk.unweighed.length > 0) && (
        <p className="md">{text.uncovered(risk.uncovered.share, risk.uncovered.symbols, risk.unweighed)}</p>
      )}
    </section>
  );
}
