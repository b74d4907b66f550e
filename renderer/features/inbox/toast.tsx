// Renderer: announces High Risk in the window, because the desktop shows no notifications.
// Placed over the inbox column, else in a strip of its own: never over chart or list. It stays until
// acknowledged or dismissed.
import type { Alert } from '../../../shared/channels/state.ts';
import { percent, shortTimestamp, times } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { openAlert } from '../../store/alert-routes.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useRoute } from '../../store/route.ts';
import { baseRateOf, comparableBaseRate, isBelowBase } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { worseFirst } from './groups.ts';
import { useActs } from './use-acts.ts';
import { useToasts } from './use-inbox.ts';
import { useShown } from './use-shown.ts';

/** How many of the other symbols are named. */
const NAMED = 4;

const idsOf = (alerts: readonly Alert[]): string[] => alerts.map(({ transition }) => transition.event_id);

/** From the third on, what one notification named is one announcement, the worst first: as the desktop shows it. */
function burstOf(active: readonly Alert[]): readonly Alert[] {
  const id = active[0]?.dispatch?.notification_id;
  const named = id === undefined ? [] : active.filter(({ dispatch }) => dispatch?.notification_id === id);
  return named.length < 3 || named.some(({ transition }) => transition.to_state !== 2)
    ? []
    : named.toSorted(worseFirst);
}

export function Toast() {
  const toasts = useToasts();
  useShown(toasts);
  const { over } = toasts;
  const burst = burstOf(toasts.active);
  const active =
    burst.length === 0 ? toasts.active : [...burst, ...toasts.active.filter((one) => !burst.includes(one))];
  const newest = active[0] ?? over[0];
  const acts = useActs();
  const { intents } = useServices();
  const { environment, replay } = useSnapshot((snapshot) => snapshot.profile);
  const baseRate = useSnapshot((snapshot) => (newest === undefined ? null : baseRateOf(snapshot, newest.transition)));
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const isOffline = useIsOffline();
  const page = useRoute((state) => state.page);
  // That page lists the alerts itself.
  if (newest === undefined || page === 'alerts') return null;
  const { symbol, from_state: from, to_state: to, confidence, occurred_at: at } = newest.transition;
  const title =
    burst.length > 0
      ? texts.inbox.toastBurst(burst.length, symbol)
      : texts.inbox.toastTitle(symbol, to, !isOffline && newest === active[0]);
  const base = comparableBaseRate(to, baseRate);
  const ratio = confidence === null || base === null || base === 0 ? null : times(confidence / base);
  const written = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const listed = (alerts: readonly Alert[]): string => {
    const named = alerts
      .slice(0, NAMED)
      .map(({ transition }) => `${transition.symbol} ${written(transition.occurred_at)}`);
    return named.join(', ') + (alerts.length > NAMED ? ', …' : '');
  };
  const others = { active: active.slice(1), over: newest === active[0] ? over : over.slice(1) };
  const ids = idsOf([...active, ...over]);
  const acknowledge = (): void => {
    acts.acknowledge(active);
    // Dismisses those that are over, too.
    preferences.dismiss(idsOf(over));
  };
  const open = (): void => {
    if (newest.dispatch !== null) intents.send('alerts.clicked', { notification_id: newest.dispatch.notification_id });
    openAlert(newest);
  };
  return (
    <section className={page === 'watch' ? 'toast over-inbox' : 'toast'} aria-label={title}>
      <div className="row cond t3 toast-origin">
        {texts.common.product}
        {environment === 'sandbox' ? (
          <span className="tag sandbox">{texts.common.sandbox}</span>
        ) : (
          <span className="tag">{replay ? texts.common.replay : texts.common.production}</span>
        )}
        <time className="right" dateTime={at}>
          {written(at)}
        </time>
      </div>
      <div className="toast-text">
        <h2>
          <Glyph name={to} size={18} />
          {title}
        </h2>
        <p>
          {newest.assumed?.includes('from') === true ? texts.inbox.fromUnknown : texts.inbox.toastAt(from, written(at))}{' '}
          {newest.assumed?.includes('time') === true && `${texts.inbox.timeUnknown} `}
          {confidence !== null && (
            <>
              <b className="strong">{texts.inbox.confidence(percent(confidence))}</b>
              {isBelowBase(to, confidence, base)
                ? texts.inbox.belowBase(percent(base), newest.transition.note)
                : ratio === null
                  ? '.'
                  : `${texts.inbox.timesBase(ratio)}.`}
            </>
          )}
        </p>
        {others.active.length > 0 && <p className="cond">{texts.inbox.more(listed(others.active))}</p>}
        {others.over.length > 0 && <p className="cond">{texts.inbox.moreOver(others.over.length)}</p>}
      </div>
      <div className="row do">
        {active.length > 0 && (
          <button type="button" className="btn primary" onClick={acknowledge}>
            {active.length === 1 ? texts.alerts.acts.acknowledge : texts.alerts.acts.acknowledgeCount(active.length)}
          </button>
        )}
        <button type="button" className="btn" onClick={open}>
          {texts.inbox.open(symbol)}
        </button>
        <button type="button" className="btn quiet" onClick={() => preferences.dismiss(ids)}>
          {ids.length === 1 ? texts.inbox.dismiss : texts.inbox.dismissAll(ids.length)}
        </button>
      </div>
    </section>
  );
}
