// Renderer: the alert inbox: live, newest first, what needs the user on top. While Barograph is blind it says what cannot be seen and what is done.
import { useMemo } from 'react';
import { usePreference } from '../../store/preferences.ts';
import { useBlind, useWorldMinute } from '../../store/sight.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { alerts as words } from '../../text/alerts.ts';
import { en } from '../../text/en.ts';
import { moment } from '../../text/format.ts';
import { Icon } from '../../ui/icon.tsx';
import './alerts.css';
import { BlindInbox } from './blind-inbox.tsx';
import { Group } from './group.tsx';
import { openInbox } from './open.ts';
import { useInbox } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

/** How many that came and went are drawn; the rest stays in the ledger. */
const PAST_SHOWN = 60;

export function Inbox({ onClose }: { onClose: () => void }) {
  const groups = useInbox();
  const blind = useBlind();
  const hot = groups.needsYou.length;
  return (
    <section className="panel inbox" aria-label={en.inbox.heading}>
      <div className="head">
        <h2>{en.inbox.heading}</h2>
        {hot > 0 && <span className={blind ? 'count' : 'count hot'}>{hot}</span>}
        <button type="button" className="btn quiet square inbox-close right" aria-label={en.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div className="scroll">{blind ? <BlindInbox needsYou={groups.needsYou} /> : <Groups />}</div>
    </section>
  );
}

function Groups() {
  const { needsYou, takenCare, held, elevated, past } = useInbox();
  const alerts = useBoard((board) => board.alerts.length);
  const now = useWorldMinute();
  const target = useInboxKeys();
  const shownPast = useMemo(() => past.slice(0, PAST_SHOWN), [past]);
  if (alerts === 0) return <p className="empty">{en.inbox.empty}</p>;
  const shared = { now, target };
  return (
    <>
      <Group name={en.inbox.needsYou} items={needsYou} tone="open" {...shared}>
        {needsYou.length === 0 && <p className="empty">{en.inbox.nothing}</p>}
      </Group>
      <AwayLine />
      {takenCare.length > 0 && <Group name={words.groups.taken_care ?? ''} items={takenCare} tone="done" {...shared} />}
      {held.length > 0 && <Group name={words.groups.held ?? ''} items={held} tone="done" {...shared} />}
      {elevated.length > 0 && <Group name={en.inbox.elevated} items={elevated} tone="now" {...shared} />}
      {past.length > 0 && <Group name={en.inbox.past} items={shownPast} tone="past" {...shared} />}
    </>
  );
}

/** The way to what happened while nothing was seen. */
function AwayLine() {
  const away = useApp((state) => state.wholes.alerting?.away ?? null);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  if (away === null) return null;
  const at = (iso: string): string => moment(Date.parse(iso), zone, now);
  const changes = away.symbols.reduce((sum, one) => sum + one.changes, 0);
  return (
    <section className="away-line" aria-label={words.away.heading(at(away.from), at(away.until))}>
      <h3 className="group">
        {words.away.heading(at(away.from), at(away.until))} <span className="right">{away.symbols.length}</span>
      </h3>
      <div className="row">
        <span className="grow t2">{words.away.changes(changes, away.symbols.length)}</span>
        <button type="button" className="btn line" onClick={openInbox}>
          {words.away.show}
        </button>
      </div>
    </section>
  );
}
