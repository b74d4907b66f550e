// Renderer: the inbox of live alerts, the worst first: High Risks before price alerts.
// During an outage it has the risks, the retries and the last known states.
import { useEffect, useRef, useState } from 'react';
import type { LocalAlert } from '../../../shared/channels/state.ts';
import { DASH, price, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { canAcknowledge, canSnooze } from '../../store/alert-outcome.ts';
import { useIsOffline, useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { openAlert, openAlertSection } from '../../store/route.ts';
import { useIsPast } from '../../store/shown-moment.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { SilenceButton } from '../mutes/index.ts';
import { BreadthText } from './breadth-text.tsx';
import { StakeCell, StakeText } from './chance-text.tsx';
import { ForeignMark, ForeignText } from './foreign-text.tsx';
import { GroupList } from './group-list.tsx';
import { type InboxItem, wholeOf } from './groups.ts';
import { NextBreach } from './next-breach.tsx';
import { OutageInbox } from './outage-inbox.tsx';
import { dayOrTime } from './row-values.ts';
import { openSnoozeMenu } from './snoozing.ts';
import { useActs } from './use-acts.ts';
import { useCopyPicture } from './use-copy-picture.ts';
import { useAcknowledgeLocal, useInbox, useWaitingLocal } from './use-inbox.ts';
import { useShownGroups } from './use-shown-groups.ts';

export interface InboxProps {
  readonly onClose: () => void;
  /** Shows the folded inbox. */
  readonly onOpen: () => void;
}

export function Inbox({ onClose, onOpen }: InboxProps) {
  const groups = useInbox();
  const isOffline = useIsOffline();
  const isPast = useIsPast();
  const prices = useWaitingLocal();
  const hot = groups.needsYou.length + prices.length;
  const own = useRef<HTMLElement>(null);
  const unfold = (): void => {
    if (own.current?.checkVisibility() === false) onOpen();
  };
  return (
    <section className="panel inbox" aria-label={texts.inbox.heading} ref={own}>
      <div className="head">
        <h2>{texts.inbox.heading}</h2>
        {isPast && <span className="t2">{texts.time.ofNow}</span>}
        {hot > 0 && <span className={isOffline ? 'count' : 'count hot'}>{hot}</span>}
        <IconButton icon="close" className="inbox-close right" label={texts.common.close} onClick={onClose} />
      </div>
      {hot > 1 && <AcknowledgeAll items={groups.needsYou} prices={prices} />}
      {isOffline ? <OutageInbox needsYou={groups.needsYou} /> : <Groups onMenu={unfold} />}
    </section>
  );
}

interface AcknowledgeAllProps {
  readonly items: readonly InboxItem[];
  readonly prices: readonly LocalAlert[];
}

function AcknowledgeAll({ items, prices }: AcknowledgeAllProps) {
  const acts = useActs();
  return (
    <button
      type="button"
      className="btn primary inbox-all"
      aria-keyshortcuts="Shift+A"
      onClick={() =>
        acts.acknowledge(
          items.map(({ alert }) => alert),
          prices,
        )
      }
    >
      {texts.alerts.acts.acknowledgeOpen(items.length + prices.length)} <kbd>Shift A</kbd>
    </button>
  );
}

function Groups({ onMenu }: { onMenu: () => void }) {
  const { needsYou } = useInbox();
  const now = useWorldMinute();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const isCalm = needsYou.length === 0;
  const toggle = (group: string, isToggled: boolean): void =>
    setToggled((before) => new Set([...before].filter((one) => one !== group).concat(isToggled ? group : [])));
  const target = useInboxKeys((group) => {
    if (group !== null) toggle(group, !isCalm);
    onMenu();
  });
  const groups = useShownGroups(toggled, target);
  const onOpen = (group: string): void =>
    group === wholeOf('past') ? openAlertSection('inbox') : toggle(group, !toggled.has(group));
  const listed = groups.flatMap(({ items }) => items);
  // One card is open: else of the worst that needs the user, else of what the symbol in view has had.
  const chosen =
    listed.find(({ alert }) => alert.ledger_id === target) ??
    needsYou[0] ??
    listed.find(({ alert }) => alert.transition.symbol === selected);
  const beside = (
    <>
      <LocalAlertLines />
      <DowntimeLine />
    </>
  );
  return (
    <GroupList
      {...{ groups, target, now, onOpen }}
      chosen={chosen?.alert.ledger_id ?? null}
      before={
        <>
          <BreadthAlerts />
          {isCalm && (
            <>
              {beside}
              <NextBreach />
            </>
          )}
        </>
      }
      between={!isCalm && beside}
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

/** The market as a whole comes first: it explains the others. Draws nothing without an alert. */
function BreadthAlerts() {
  const shares = useWaitingLocal().filter((alert) => 'breadth' in alert);
  return <LocalAlertGroup heading={texts.breadth.heading} alerts={shares} />;
}

/** Price alerts, then alerts of other programs. Draws nothing without them. */
function LocalAlertLines() {
  const alerts = useWaitingLocal();
  const [prices, foreign] = [
    alerts.filter((alert) => 'crossing' in alert),
    alerts.filter((alert) => 'foreign' in alert),
  ];
  return (
    <>
      <LocalAlertGroup heading={texts.priceAlerts.heading} alerts={prices} />
      <LocalAlertGroup heading={texts.foreign.heading} alerts={foreign} />
    </>
  );
}

function LocalAlertGroup({ heading, alerts }: { readonly heading: string; readonly alerts: readonly LocalAlert[] }) {
  if (alerts.length === 0) return null;
  return (
    <section aria-label={heading}>
      <h3 className="group">
        {heading} <span className="right">{alerts.length}</span>
      </h3>
      <ul>
        {alerts.map((alert) => (
          <LocalAlertItem key={alert.event_id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function LocalAlertItem({ alert }: { readonly alert: LocalAlert }) {
  const { intents } = useServices();
  const acknowledge = useAcknowledgeLocal();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const { symbol } = alert;
  const state = stateOf(alert);
  const spoken = <span className="spoken">{symbol ?? texts.localAlert(alert)}</span>;
  return (
    <li className={`alert open state-${state}`}>
      <button
        type="button"
        className="alert-row"
        onClick={() => (symbol === null ? openAlert(alert) : intents.select(symbol))}
        title={symbol === null ? openText(alert) : texts.inbox.open(symbol)}
      >
        <Icon name="bell" />
        <span className="sym ell">{'breadth' in alert ? alert.breadth.name : (symbol ?? DASH)}</span>{' '}
        <RowText alert={alert} /> {symbol === null ? <span className="stake" /> : <StakeCell symbol={symbol} />}{' '}
        <time className="num" dateTime={alert.at}>
          {dayOrTime(Date.parse(alert.at), zone, now)}
        </time>
      </button>
      <div className="alert-card">
        <p className="t1 foreign-text">
          {'foreign' in alert && <ForeignMark />}{' '}
          {'foreign' in alert ? texts.foreign.title(alert.foreign) : texts.localAlert(alert)}
        </p>
        {'foreign' in alert && <ForeignText foreign={alert.foreign} />}
        {'breadth' in alert && <BreadthText breadth={alert.breadth} overSince={alert.over_since} />}
        {symbol !== null && (
          <p>
            <StakeText symbol={symbol} />
          </p>
        )}
        {alert.note !== '' && <p className="alert-note">{alert.note}</p>}
        <div className="alert-do">
          <button type="button" className="btn" onClick={() => void acknowledge([alert])}>
            <Icon name="check" />
            {texts.alerts.acts.ack} {spoken}
          </button>
          {symbol !== null && <SilenceButton symbols={[symbol]} />}
          <button type="button" className="btn quiet right" onClick={() => openAlert(alert)}>
            {texts.alerts.acts.why} {spoken}
          </button>
        </div>
      </div>
    </li>
  );
}

function RowText({ alert }: { readonly alert: LocalAlert }) {
  if ('crossing' in alert) return <span className="num">{price(alert.crossing.price, alert.crossing.currency)}</span>;
  if ('foreign' in alert) return <span className="ell">{texts.foreign.title(alert.foreign)}</span>;
  return <span className="num">{texts.breadth.share(alert.breadth)}</span>;
}

function stateOf(alert: LocalAlert): 0 | 1 | 2 {
  if ('crossing' in alert) return 2;
  return 'foreign' in alert ? alert.foreign.severity : alert.breadth.condition.state;
}

/** What opens of an alert without a symbol. */
const openText = (alert: LocalAlert): string => ('breadth' in alert ? texts.breadth.open : texts.foreign.sub);

/**
 * The keys A, S and W act on one item: the focused one, else the active one of the chosen symbol. Shift A acts
 * on all. Returns the ledger id of that item, or null.
 * @param onMenu called before a key opens a menu of the inbox, which must be visible then; with the group to open
 */
function useInboxKeys(onMenu: (group: string | null) => void): number | null {
  const groups = useInbox();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const acts = useActs();
  const copyPicture = useCopyPicture();
  const prices = useWaitingLocal();
  const focused = useFocusedItem();
  const active = [...groups.needsYou, ...groups.takenCare, ...groups.suppressed, ...groups.elevated];
  const target =
    [...active, ...groups.past].find(({ alert }) => alert.ledger_id === focused) ??
    active.find(({ alert }) => alert.transition.symbol === selected) ??
    null;
  useShortcuts('alerts', {
    acknowledge: () => target !== null && canAcknowledge(target.outcome) && acts.acknowledge([target.alert]),
    acknowledgeAll: () =>
      groups.needsYou.length + prices.length > 0 &&
      acts.acknowledge(
        groups.needsYou.map(({ alert }) => alert),
        prices,
      ),
    why: () => target !== null && openAlert(target.alert),
    copy: () => copyPicture(target?.alert.transition.symbol ?? selected),
    snooze() {
      if (target === null || !canSnooze(target.alert, target.isActive)) return false;
      openSnoozeMenu(target.alert.ledger_id);
      return onMenu(
        groups.takenCare.includes(target) ? 'takenCare' : groups.elevated.includes(target) ? 'elevated' : null,
      );
    },
  });
  return target?.alert.ledger_id ?? null;
}

/**
 * Ledger id of the item that has the focus, or was clicked. A press alone chooses nothing: the card of another
 * item would close, and the pressed row would move away under the pointer.
 */
function useFocusedItem(): number | null {
  const [focused, setFocused] = useState<number | null>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    const choose = ({ type, target }: Event): void => {
      if (type === 'pointerdown') isPressed.current = true;
      if (isPressed.current && type === 'focusin') return;
      if (type !== 'pointerdown') isPressed.current = false;
      if (type !== 'focusin' && type !== 'click') return;
      // The menus and dialogs of an item are outside of it.
      if (target instanceof Element && target.closest('[role="menu"], dialog') !== null) return;
      const row = target instanceof Element ? target.closest<HTMLElement>('.inbox [data-row]') : null;
      setFocused(row === null ? null : Number(row.dataset.row));
    };
    const types = ['pointerdown', 'pointercancel', 'focusin', 'click'];
    for (const type of types) document.addEventListener(type, choose);
    return () => {
      for (const type of types) document.removeEventListener(type, choose);
    };
  }, []);
  return focused;
}
