// Renderer: what happened during downtime, by symbol, until the user dismisses it.

import type { Downtime } from '../../../shared/channels/alerting.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { useApp } from '../../store/store.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';

export function DowntimePanel() {
  const downtime = useApp((state) => state.features.alerting?.downtime ?? null);
  return downtime === null ? null : <DowntimeDetails downtime={downtime} />;
}

function DowntimeDetails({ downtime }: { downtime: Downtime }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const heading = texts.alerts.downtime.heading(
    at(downtime.from),
    at(downtime.until),
    downtime.cause?.code !== 'downtime.no_window',
  );
  const changes = downtime.symbols.reduce((sum, one) => sum + one.changes, 0);
  return (
    <section className="al-downtime" aria-label={heading}>
      <div className="row">
        <Icon name="clock" size={15} />
        <h2>{heading}</h2>
        <span className="t2 ell">
          {texts.alerts.downtime.changes(changes, downtime.symbols.length)} {optionalText(downtime.cause)}
        </span>
        <button type="button" className="btn right" onClick={() => intents.send('downtime.acknowledge', {})}>
          <Icon name="check" />
          {texts.alerts.downtime.seen}
        </button>
      </div>
      {downtime.symbols.length > 0 && (
        <ul>
          {downtime.symbols.map(
            ({ symbol, from_state: from, to_state: to, peak_state: peak, changes: count, ledger_ids }) => (
              <li key={symbol}>
                <button
                  type="button"
                  title={texts.alerts.downtime.open(symbol)}
                  onClick={() => goTo({ page: 'alerts', item: String(ledger_ids.at(-1)) })}
                >
                  <Glyph name={from} size={12} />
                  <Icon name="next" size={9} />
                  <Glyph name={to} size={12} />
                  <b>{symbol}</b>
                  <span>{texts.alerts.downtime.net(from, to)}</span>
                  {peak > Math.max(from, to) && <span className="md">{texts.alerts.downtime.peak(peak)}</span>}
                  <span className="t3">{texts.alerts.downtime.times(count)}</span>
                </button>
              </li>
            ),
          )}
        </ul>
      )}
    </section>
  );
}
