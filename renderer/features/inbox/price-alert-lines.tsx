// Renderer, inbox: the price alerts that need the user, beside the groups.
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { openAlert } from '../../store/alert-routes.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { Icon } from '../../ui/icon.tsx';
import { SilenceButton } from '../mutes/index.ts';
import { useAcknowledgePrices, useWaitingPrices } from './waiting-prices.ts';

/** Draws nothing without such price alerts. */
export function PriceAlertLines() {
  const { intents } = useServices();
  const alerts = useWaitingPrices();
  const acknowledge = useAcknowledgePrices();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  if (alerts.length === 0) return null;
  return (
    <section aria-label={texts.priceAlerts.heading}>
      <h3 className="group">
        {texts.priceAlerts.heading} <span className="right">{alerts.length}</span>
      </h3>
      <ul>
        {alerts.map((alert) => {
          const { symbol } = alert.crossing;
          return (
            <li key={alert.event_id} className="alert open">
              <button type="button" onClick={() => intents.select(symbol)} title={texts.inbox.open(symbol)}>
                <span className="line">
                  <Icon name="bell" />
                  <span className="sym">{symbol}</span>
                  <time className="at" dateTime={alert.at}>
                    {shortTimestamp(Date.parse(alert.at), zone, now)}
                  </time>
                </span>
                <span className="alert-text">{texts.priceAlerts.crossed(alert.crossing)}</span>
                {alert.note !== '' && <span className="alert-text alert-note">{alert.note}</span>}
              </button>
              <div className="alert-do">
                <button type="button" className="btn" onClick={() => void acknowledge([alert])}>
                  <Icon name="check" />
                  {texts.alerts.acts.ack} <span className="spoken">{symbol}</span>
                </button>
                <SilenceButton symbols={[symbol]} />
                <button type="button" className="btn quiet right" onClick={() => openAlert(alert)}>
                  {texts.alerts.acts.why} <span className="spoken">{symbol}</span>
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
