// Renderer: the inbox folded into a bar, for narrow windows.
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useIsOffline, useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NextBreach } from './next-breach.tsx';
import { useInbox, useWaitingLocal } from './use-inbox.ts';
import './inbox.css';

/** How many symbols the bar names. */
const NAMED = 3;

export function InboxBar({ onOpen }: { onOpen: () => void }) {
  const { needsYou, elevated } = useInbox();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const isOffline = useIsOffline();
  const names = needsYou.slice(0, NAMED).map(({ alert }) => {
    const { symbol, occurred_at: at } = alert.transition;
    return `${symbol} ${shortTimestamp(Date.parse(at), zone, now)}`;
  });
  const prices = useWaitingLocal().map(
    (alert) => `${texts.localAlertName(alert)} ${shortTimestamp(Date.parse(alert.at), zone, now)}`,
  );
  const waiting = needsYou.length + prices.length;
  const hot = waiting > 0 && !isOffline;
  return (
    <section className={hot ? 'inbox-bar hot' : 'inbox-bar'} aria-label={texts.inbox.folded}>
      {hot && needsYou.length === 0 ? (
        <Icon name="bell" size={18} />
      ) : (
        <Glyph name={isOffline ? 'unknown' : hot ? 2 : 0} size={18} />
      )}
      <div className="grow">
        {isOffline || hot ? (
          <>
            <div className="md ell">
              {isOffline
                ? texts.common.outage.cannotSee
                : texts.inbox.bar(
                    waiting,
                    [...names, ...prices].slice(0, NAMED).join(', ') + (waiting > NAMED ? ', …' : ''),
                  )}
            </div>
            <div className="t2 cond ell">
              {isOffline ? texts.common.outage.barNothing : texts.inbox.barCounts(elevated.length)}
            </div>
          </>
        ) : (
          <NextBreach />
        )}
      </div>
      <button type="button" className="btn line" onClick={onOpen}>
        {texts.inbox.show} <kbd>I</kbd>
      </button>
    </section>
  );
}
