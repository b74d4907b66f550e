// Renderer: the alert inbox: live, newest first; during an outage, what is unknown and what is done.
import { useMemo, useRef } from 'react';
import { useIsOffline, useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { alerts as messages } from '../../text/alerts.ts';
import { en } from '../../text/en.ts';
import { shortTimestamp } from '../../text/format.ts';
import { Icon } from '../../ui/icon.tsx';
import './inbox.css';
import { openInbox } from '../../store/alert-routes.ts';
import { GroupList } from './group-list.tsx';
import type { InboxItem } from './groups.ts';
import type { ShownGroup } from './inbox-entries.ts';
import { OutageInbox } from './outage-inbox.tsx';
import { useInbox } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

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
  const hot = groups.needsYou.length;
  const own = useRef<HTMLElement>(null);
  const unfold = (): void => {
    if (own.current?.checkVisibility() === false) onOpen();
  };
  return (
    <section className="panel inbox" aria-label={en.inbox.heading} ref={own}>
      <div className="head">
        <h2>{en.inbox.heading}</h2>
        {hot > 0 && <span className={isOffline ? 'count' : 'count hot'}>{hot}</span>}
        <button type="button" className="btn quiet square inbox-close right" aria-label={en.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {isOffline ? <OutageInbox needsYou={groups.needsYou} /> : <Groups onMenu={unfold} />}
    </section>
  );
}

function Groups({ onMenu }: { onMenu: () => void }) {
  const { needsYou, takenCare, suppressed, elevated, past } = useInbox();
  const alerts = useSnapshot((snapshot) => snapshot.alerts.length);
  const now = useWorldMinute();
  const target = useInboxKeys(onMenu);
  // Newer items do not push out the one that the keys act on.
  const isPastShown = ({ alert }: InboxItem, index: number): boolean =>
    index < PAST_SHOWN || alert.ledger_id === target;
  const lastShown = past.findLastIndex(isPastShown);
  const groups = useMemo((): readonly ShownGroup[] => {
    const shownPast = past.filter((_, index) => index < PAST_SHOWN || index === lastShown);
    const behind: readonly ShownGroup[] = [
      { id: 'taken', name: messages.groups.taken_care ?? '', tone: 'done', items: takenCare },
      { id: 'suppressed', name: messages.groups.held ?? '', tone: 'done', items: suppressed },
      { id: 'elevated', name: en.inbox.elevated, tone: 'now', items: elevated },
      { id: 'past', name: en.inbox.past, tone: 'past', items: shownPast, all: past.length },
    ];
    return [
      { id: 'needs', name: en.inbox.needsYou, tone: 'open', items: needsYou, none: en.inbox.nothing },
      ...behind.filter(({ items }) => items.length > 0),
    ];
  }, [needsYou, takenCare, suppressed, elevated, past, lastShown]);
  if (alerts === 0) {
    return (
      <div className="scroll">
        <p className="empty">{en.inbox.empty}</p>
      </div>
    );
  }
  return <GroupList groups={groups} target={target} now={now} between={<DowntimeLine />} />;
}

/** A link to what happened during downtime. */
function DowntimeLine() {
  const downtime = useApp((state) => state.features.alerting?.downtime ?? null);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  if (downtime === null) return null;
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const changes = downtime.symbols.reduce((sum, one) => sum + one.changes, 0);
  return (
    <section className="downtime-line" aria-label={messages.downtime.heading(at(downtime.from), at(downtime.until))}>
      <h3 className="group">
        {messages.downtime.heading(at(downtime.from), at(downtime.until))}{' '}
        <span className="right">{downtime.symbols.length}</span>
      </h3>
      <div className="row">
        <span className="grow t2">{messages.downtime.changes(changes, downtime.symbols.length)}</span>
        <button type="button" className="btn line" onClick={openInbox}>
          {messages.downtime.show}
        </button>
      </div>
    </section>
  );
}
