// Renderer: announces alerts in the window, because the desktop shows no notifications.
// Placed over the inbox column, else in a strip of its own: never over chart or list. It stays until
// acknowledged or dismissed. A High Risk precedes price alerts.
import { type ReactNode, useEffect, useRef } from 'react';
import type { Alert, LocalAlert, RecordedTransition } from '../../../shared/channels/state.ts';
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { isInFront } from '../../notifications/browser-notifications.ts';
import { useServices } from '../../services.ts';
import { isAnnounced } from '../../store/announcements.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useRiskOrder } from '../../store/risk-order.ts';
import { openAlert, useRoute } from '../../store/route.ts';
import { useIsPast } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ChanceText, StakeText } from './chance-text.tsx';
import { eventIdOf, type Toasts } from './toasts.ts';
import { useActs } from './use-acts.ts';
import { useLocalToasts, useToasts } from './use-inbox.ts';

/** Number of other symbols that are named. */
const NAMED = 4;

/**
 * Three or more active alerts of one notification, all High Risk, worst first: one announcement, as on the
 * desktop.
 */
function burstOf(active: readonly Alert[], { compare }: RiskOrder): readonly Alert[] {
  const id = active[0]?.dispatch?.notification_id;
  const named = id === undefined ? [] : active.filter(({ dispatch }) => dispatch?.notification_id === id);
  return named.length < 3 || named.some(({ transition }) => transition.to_state !== 2)
    ? []
    : named.toSorted((a, b) => compare(a.transition, b.transition));
}

/** All alerts that this window announces, worst first. */
interface Announced {
  readonly alerts: Toasts;
  readonly prices: Toasts<LocalAlert>;
  /** Number of alerts at the beginning that are one burst. */
  readonly burst: number;
}

export function Toast() {
  const toasts = useToasts();
  const prices = useLocalToasts();
  useShown(toasts);
  useShown(prices);
  const page = useRoute((state) => state.page);
  return (
    <>
      <SpokenToasts toasts={toasts} prices={prices} />
      {/* The page Alerts lists the alerts itself. */}
      {page !== 'alerts' && <ShownToast toasts={toasts} prices={prices} />}
    </>
  );
}

interface ToastProps {
  readonly toasts: Toasts;
  readonly prices: Toasts<LocalAlert>;
}

function ShownToast({ toasts, prices }: ToastProps) {
  const burst = burstOf(toasts.active, useRiskOrder());
  const active = burst.length === 0 ? toasts.active : [...new Set([...burst, ...toasts.active])];
  const all: Announced = { alerts: { active, over: toasts.over }, prices, burst: burst.length };
  const [newest] = active;
  const [price] = prices.active;
  if (newest !== undefined) return <AlertToast alert={newest} all={all} />;
  if (price !== undefined) return <LocalToast alert={price} all={all} />;
  const [over] = toasts.over;
  if (over !== undefined) return <AlertToast alert={over} all={all} />;
  const [overPrice] = prices.over;
  return overPrice === undefined ? null : <LocalToast alert={overPrice} all={all} />;
}

/**
 * Announces to screen readers the alerts that the speaker does not, each as it arrives. The text of an alert
 * never changes, or they would read it again.
 */
function SpokenToasts({ toasts, prices }: ToastProps) {
  const lines = [
    ...toasts.active
      .filter((alert) => !isAnnounced(alert))
      .map(({ transition }) => ({ id: transition.event_id, text: titleOf(transition, false) })),
    ...prices.active.map((alert) => ({ id: alert.event_id, text: texts.localAlert(alert) })),
  ];
  return (
    <div className="spoken" role="status" aria-atomic={false}>
      {lines.map(({ id, text }) => (
        <p key={id}>{text}.</p>
      ))}
    </div>
  );
}

function titleOf(
  { symbol, from_state: from, to_state: to, state_word: word, in_question: question }: RecordedTransition,
  still: boolean,
): string {
  const { alert } = texts.notifications;
  if (question === 'withdrawn') return alert.withdrawnTitle(symbol, from);
  return question === 'open' ? alert.questionTitle(symbol, to) : texts.inbox.toastTitle(symbol, to, still, word);
}

/** Formats instants as the window does. */
function useTimestampText(): (iso: string) => string {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  return (iso) => shortTimestamp(Date.parse(iso), zone, now);
}

function AlertToast({ alert, all }: { readonly alert: Alert; readonly all: Announced }) {
  const { transition } = alert;
  const isOffline = useIsOffline();
  const timestampText = useTimestampText();
  const { symbol, from_state: from, to_state: to, occurred_at: at, note, in_question: question } = transition;
  const isActive = alert === all.alerts.active[0];
  return (
    <ToastFrame
      alert={alert}
      all={all}
      symbol={symbol}
      at={at}
      icon={<Glyph name={to} size={18} />}
      title={all.burst > 0 ? texts.inbox.toastBurst(all.burst, symbol) : titleOf(transition, !isOffline && isActive)}
    >
      {alert.assumed?.includes('from') === true
        ? texts.inbox.fromUnknown
        : texts.inbox.toastAt(from, timestampText(at))}{' '}
      {alert.assumed?.includes('time') === true && `${texts.inbox.timeUnknown} `}
      {question === 'withdrawn' ? note : <ChanceText alert={alert} isActive={isActive} />}{' '}
      {question !== 'withdrawn' && <StakeText symbol={symbol} />}
    </ToastFrame>
  );
}

const LocalToast = ({ alert, all }: { readonly alert: LocalAlert; readonly all: Announced }) => (
  <ToastFrame
    alert={alert}
    all={all}
    symbol={alert.symbol}
    at={alert.at}
    icon={<Icon name="bell" size={18} />}
    title={texts.localAlert(alert)}
  >
    {'foreign' in alert && `${texts.foreign.body(alert.foreign)} `}
    {'breadth' in alert && `${texts.breadth.body(alert.breadth)} `}
    {alert.note} {alert.symbol !== null && <StakeText symbol={alert.symbol} />}
  </ToastFrame>
);

interface ToastFrameProps {
  /** The alert that the toast names; it lists the others. */
  readonly alert: Alert | LocalAlert;
  readonly all: Announced;
  readonly symbol: string | null;
  readonly at: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

function ToastFrame({ alert, all, symbol, at, icon, title, children }: ToastFrameProps) {
  const { alerts, prices } = all;
  const { environment, replay } = useSnapshot((snapshot) => snapshot.profile);
  const { intents } = useServices();
  const acts = useActs();
  const timestampText = useTimestampText();
  const page = useRoute((state) => state.page);
  const isPast = useIsPast();
  const waiting = alerts.active.length + prices.active.length;
  const over = [...alerts.over, ...prices.over];
  const ids = [...alerts.active, ...prices.active, ...over].map(eventIdOf);
  const others = [
    ...alerts.active
      .filter((one) => one !== alert)
      .map(({ transition }) => `${transition.symbol} ${timestampText(transition.occurred_at)}`),
    ...prices.active
      .filter((one) => one !== alert)
      .map(
        (one) =>
          `${'crossing' in one ? texts.inbox.priceOf(one.symbol) : texts.localAlertName(one)} ${timestampText(one.at)}`,
      ),
  ];
  const othersOver = over.filter((one) => one !== alert).length;
  const acknowledge = (): void => {
    acts.acknowledge(alerts.active, prices.active);
    // Dismisses those that are over, too.
    preferences.dismiss(over.map(eventIdOf));
  };
  const open = (): void => {
    if (alert.dispatch !== null) intents.send('alerts.clicked', { notification_id: alert.dispatch.notification_id });
    openAlert(alert);
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
        {isPast && <b>{texts.time.ofNow}</b>}
        <time className="right" dateTime={at}>
          {timestampText(at)}
        </time>
      </div>
      <div className="toast-text">
        <h2>
          {icon}
          {title}
        </h2>
        <p>{children}</p>
        {others.length > 0 && (
          <p className="cond">
            {texts.inbox.more(others.slice(0, NAMED).join(', ') + (others.length > NAMED ? ', …' : ''))}
          </p>
        )}
        {othersOver > 0 && <p className="cond">{texts.inbox.moreOver(othersOver)}</p>}
      </div>
      <div className="row do">
        {waiting > 0 && (
          <button type="button" className="btn primary" onClick={acknowledge}>
            {waiting === 1 ? texts.alerts.acts.acknowledge : texts.alerts.acts.acknowledgeCount(waiting)}
          </button>
        )}
        <button type="button" className="btn" onClick={open}>
          {symbol === null ? texts.inbox.openAlert : texts.inbox.open(symbol)}
        </button>
        <button type="button" className="btn quiet" onClick={() => preferences.dismiss(ids)}>
          {ids.length === 1 ? texts.inbox.dismiss : texts.inbox.dismissAll(ids.length)}
        </button>
      </div>
    </section>
  );
}

/**
 * Reports each alert of the toast once, even if it joined the notification of an earlier one. A hidden window
 * reports nothing, because nobody sees it; nor does one in the background whose browser shows the alert.
 */
function useShown<Item extends Alert | LocalAlert>({ active, over }: Toasts<Item>): void {
  const { intents, browserNotifications } = useServices();
  const reported = useRef(new Set<string>());
  useEffect(() => {
    const open = [...active, ...over].flatMap((alert) =>
      alert.dispatch?.outcome === 'failed' ? [{ id: alert.dispatch.notification_id, key: eventIdOf(alert) }] : [],
    );
    const report = (): void => {
      if (document.visibilityState !== 'visible') return;
      if (browserNotifications?.permission() === 'granted' && !isInFront()) return;
      const unreported = open.filter(({ key }) => !reported.current.has(key));
      for (const { key } of unreported) reported.current.add(key);
      for (const [id, alerts] of Map.groupBy(unreported, (one) => one.id))
        void intents.ask('alerts.shown', { notification_id: id }).then(({ ok }) => {
          if (!ok) for (const { key } of alerts) reported.current.delete(key);
        });
    };
    report();
    document.addEventListener('visibilitychange', report);
    window.addEventListener('focus', report);
    return () => {
      document.removeEventListener('visibilitychange', report);
      window.removeEventListener('focus', report);
    };
  }, [active, over, intents, browserNotifications]);
}
