// Renderer: what happened while nothing was seen, symbol by symbol: where it came from, where it is, how high it rose. It stays until it was looked at.
import type { Away } from '../../../shared/channels/alerting.ts';
import { useServices } from '../../services.ts';
import { goTo } from '../../store/place.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldMinute } from '../../store/sight.ts';
import { useApp } from '../../store/store.ts';
import { alerts as words } from '../../text/alerts.ts';
import { moment } from '../../text/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';

export function AwayPanel() {
  const away = useApp((state) => state.wholes.alerting?.away ?? null);
  return away === null ? null : <Story away={away} />;
}

function Story({ away }: { away: Away }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const at = (iso: string): string => moment(Date.parse(iso), zone, now);
  const heading = words.away.heading(at(away.from), at(away.until));
  const changes = away.symbols.reduce((sum, one) => sum + one.changes, 0);
  return (
    <section className="al-away" aria-label={heading}>
      <div className="row">
        <Icon name="clock" size={15} />
        <h2>{heading}</h2>
        <span className="t2 ell">
          {words.away.changes(changes, away.symbols.length)} {away.cause}
        </span>
        <button type="button" className="btn right" onClick={() => intents.tell('away.seen', {})}>
          <Icon name="check" />
          {words.away.seen}
        </button>
      </div>
      {away.symbols.length > 0 && (
        <ul>
          {away.symbols.map(
            ({ symbol, from_state: from, to_state: to, peak_state: peak, changes: count, ledger_ids }) => (
              <li key={symbol}>
                <button
                  type="button"
                  title={words.away.open(symbol)}
                  onClick={() => goTo({ page: 'alerts', item: String(ledger_ids.at(-1)) })}
                >
                  <Glyph name={from} size={12} />
                  <Icon name="next" size={9} />
                  <Glyph name={to} size={12} />
                  <b>{symbol}</b>
                  <span>{words.away.net(from, to)}</span>
                  {peak > Math.max(from, to) && <span className="md">{words.away.peak(peak)}</span>}
                  <span className="t3">{words.away.times(count)}</span>
                </button>
              </li>
            ),
          )}
        </ul>
      )}
    </section>
  );
}
