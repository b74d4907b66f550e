// Renderer: the alert inbox: live, newest first, what needs the user on top. While Barograph is blind it says what cannot be seen and what is done.

import { useBlind, useWorldNow } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { Icon } from '../../ui/icon.tsx';
import './alerts.css';
import { BlindInbox } from './blind-inbox.tsx';
import { Group } from './group.tsx';
import { useInbox } from './use-inbox.ts';

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
  const { needsYou, elevated, past } = useInbox();
  const alerts = useBoard((board) => board.alerts.length);
  // To the minute: an inbox of sixty items need not be drawn every second.
  const now = Math.floor(useWorldNow() / 60_000) * 60_000;
  if (alerts === 0) return <p className="empty">{en.inbox.empty}</p>;
  return (
    <>
      <Group name={en.inbox.needsYou} items={needsYou} tone="open" now={now}>
        {needsYou.length === 0 && <p className="empty">{en.inbox.nothing}</p>}
      </Group>
      {elevated.length > 0 && <Group name={en.inbox.elevated} items={elevated} tone="now" now={now} />}
      {past.length > 0 && <Group name={en.inbox.past} items={past.slice(0, PAST_SHOWN)} tone="past" now={now} />}
    </>
  );
}
