// Renderer: the inbox of live alerts, the worst first: High Risks before price alerts.
// During an outage it has the risks, the retries and the last known states.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PriceAlert } from '../../../shared/channels/state.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { canAcknowledge, canSnooze } from '../../store/alert-outcome.ts';
import { useIsOffline, useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useRiskOrder } from '../../store/risk-order.ts';
import { openAlert, openAlertSection } from '../../store/route.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { SilenceButton } from '../mutes/index.ts';
import { GroupList } from './group-list.tsx';
import type { InboxItem } from './groups.ts';
import type { ShownGroup } from './inbox-entries.ts';
import { OutageInbox } from './outage-inbox.tsx';
import { openSnoozeMenu } from './snoozing.ts';
import { useActs } from './use-acts.ts';
import { useAcknowledgePrices, useInbox, useWaitingPrices } from './use-inbox.ts';
import './inbox.css';

/** How many past items are drawn; the ledger keeps the rest. */
const PAST_SHOWN = 60;

interface InboxProps {
  readonly onClose: () => void;
  /** Shows the folded inbox. */
  readonly onOpen: () => void;
}

export function Inbox({ onClose, onOpen }: InboxProps) {
  const groups = useInbox();
  const isOffline = useIsOffline();
  const prices = useWaitingPrices();
  const hot = groups.needsYou.length + prices.length;
  const own = useRef<HTMLElement>(null);
  const unfold = (): void => {
    if (own.current?.checkVisibility() === false) onOpen();
  };
  return (
    <section className="panel inbox" aria-label={texts.inbox.heading} ref={own}>
      <div className="head">
        <h2>{texts.inbox.heading}</h2>
        {hot > 0 && <span className={isOffline ? 'count' : 'count hot'}>{hot}</span>}
        {hot > 1 && <AcknowledgeAll items={groups.needsYou} prices={prices} />}
        <IconButton
          icon="close"
          className={hot > 1 ? 'inbox-close' : 'inbox-close right'}
          label={texts.common.close}
          onClick={onClose}
        />
      </div>
      {isOffline ? <OutageInbox needsYou={groups.needsYou} /> : <Groups onMenu={unfold} />}
    </section>
  );
}

interface AcknowledgeAllProps {
  readonly items: readonly InboxItem[];
  readonly prices: readonly PriceAlert[];
}

function AcknowledgeAll({ items, prices }: AcknowledgeAllProps) {
  const acts = useActs();
  return (
    <button
      type="button"
      className="btn line right"
      aria-keyshortcuts="Shift+A"
      title="Shift A"
      onClick={() =>
        acts.acknowledge(
          items.map(({ alert }) => alert),
          prices,
        )
      }
    >
      {texts.alerts.acts.acknowledgeOpen(items.length + prices.length)}
    </button>
  );
}

function Groups({ onMenu }: { onMenu: () => void }) {
  const { needsYou, takenCare, suppressed, elevated, past } = useInbox();
  const alerts = useSnapshot((snapshot) => snapshot.alerts.length);
  const now = useWorldMinute();
  const target = useInboxKeys(onMenu);
  const hasPrices = useWaitingPrices().length > 0;
  // The item that the keys act on stays, even if newer items exceed the limit.
  const { rankOf } = useRiskOrder();
  const isByConfidence =
    needsYou.length > 1 && needsYou.some(({ alert }) => rankOf(alert.transition.symbol).basis === 'confidence');
  const isPastShown = ({ alert }: InboxItem, index: number): boolean =>
    index < PAST_SHOWN || alert.ledger_id === target;
  const lastShown = past.findLastIndex(isPastShown);
  const groups = useMemo((): readonly ShownGroup[] => {
    const shownPast = past.filter((_, index) => index < PAST_SHOWN || index === lastShown);
    const behind: readonly ShownGroup[] = [
      { id: 'taken', name: texts.alerts.groups.taken_care ?? '', tone: 'done', items: takenCare },
      { id: 'suppressed', name: texts.alerts.groups.suppressed ?? '', tone: 'done', items: suppressed },
      { id: 'elevated', name: texts.inbox.elevated, tone: 'now', items: elevated },
      { id: 'past', name: texts.inbox.past, tone: 'past', items: shownPast, all: past.length },
    ];
    return [
      {
        id: 'needs',
        name: texts.inbox.needsYou,
        tone: 'open',
        items: needsYou,
        isByNotification: true,
        isByConfidence,
        none: hasPrices ? texts.inbox.noSignal : texts.inbox.nothing,
      },
      ...behind.filter(({ items }) => items.length > 0),
    ];
  }, [needsYou, takenCare, suppressed, elevated, past, lastShown, hasPrices, isByConfidence]);
  if (alerts === 0) {
    return (
      <div className="scroll">
        <PriceAlertLines />
        <p className="empty">{texts.inbox.empty}</p>
      </div>
    );
  }
  const between = (
    <>
      {needsYou.length > 0 && <PriceAlertLines />}
      <DowntimeLine />
    </>
  );
  return (
    <GroupList
      groups={groups}
      target={target}
      now={now}
      before={needsYou.length === 0 && <PriceAlertLines />}
      between={between}
    />
  );
}

/** A link to what happened during downtime. */
function DowntimeLine() {
  const downtime = useApp((state) => state.features.alerting?.downtime ?? null);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  if (downtime === null) return null;
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const isDown = downtime.cause?.code !== 'downtime.no_window';
  const heading = texts.alerts.downtime.heading(at(downtime.from), at(downtime.until), isDown);
  const changes = downtime.symbols.reduce((sum, one) => sum + one.changes, 0);
  return (
    <section className="downtime-line" aria-label={heading}>
      <h3 className="group">
        {heading} <span className="right">{downtime.symbols.length}</span>
      </h3>
      <div className="row">
        <span className="grow t2">{texts.alerts.downtime.changes(changes, downtime.symbols.length)}</span>
        <button type="button" className="btn line" onClick={() => openAlertSection('inbox')}>
          {texts.alerts.downtime.show}
        </button>
      </div>
    </section>
  );
}

/** Draws nothing without such price alerts. */
function PriceAlertLines() {
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

/**
 * The keys A, S and W act on one item: the focused one, else the active one of the chosen symbol. Shift A acts
 * on all. Returns the ledger id of that item, or null.
 * @param onMenu called before a key opens a menu of the inbox, which must be visible then
 */
function useInboxKeys(onMenu: () => void): number | null {
  const groups = useInbox();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const acts = useActs();
  const prices = useWaitingPrices();
  const [focused, setFocused] = useState<number | null>(null);
  const active = [...groups.needsYou, ...groups.takenCare, ...groups.suppressed, ...groups.elevated];
  const target =
    [...active, ...groups.past].find(({ alert }) => alert.ledger_id === focused) ??
    active.find(({ alert }) => alert.transition.symbol === selected) ??
    null;
  useEffect(() => {
    const onFocus = ({ target: on }: FocusEvent): void => {
      const id = on instanceof HTMLElement ? on.closest<HTMLElement>('.inbox [data-row]')?.dataset.row : undefined;
      setFocused(id === undefined ? null : Number(id));
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, []);
  useShortcuts('alerts', {
    acknowledge: () => target !== null && canAcknowledge(target.outcome) && acts.acknowledge([target.alert]),
    acknowledgeAll: () =>
      groups.needsYou.length + prices.length > 0 &&
      acts.acknowledge(
        groups.needsYou.map(({ alert }) => alert),
        prices,
      ),
    why: () => target !== null && openAlert(target.alert),
    snooze() {
      if (target === null || !canSnooze(target.alert, target.isActive)) return false;
      openSnoozeMenu(target.alert.ledger_id);
      return onMenu();
    },
  });
  return target?.alert.ledger_id ?? null;
}
