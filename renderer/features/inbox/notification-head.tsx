// Renderer: the heading of the inbox items of one notification, with one button for all of them.
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { usePreference } from '../../store/preferences.ts';
import type { InboxItem } from './groups.ts';
import { useActs } from './use-acts.ts';

interface NotificationHeadProps {
  /** At least two items. */
  readonly items: readonly InboxItem[];
  /** No other item needs attention: the button in the head of the inbox is enough. */
  readonly isAll: boolean;
  /** World time, ms, to the minute. */
  readonly now: number;
}

export function NotificationHead({ items, isAll, now }: NotificationHeadProps) {
  const acts = useActs();
  const zone = usePreference((preference) => preference.zone);
  const transitions = items.map(({ alert }) => alert.transition);
  const since = Math.min(...transitions.map(({ occurred_at: at }) => Date.parse(at)));
  const isHigh = transitions.every(({ to_state: state }) => state === 2);
  const name = texts.inbox.together(items.length, isHigh, shortTimestamp(since, zone, now));
  return (
    <>
      <h4>{name}</h4>
      {!isAll && (
        <button
          type="button"
          className="btn line"
          aria-label={texts.inbox.acknowledgeTogether(items.length, name)}
          onClick={() => acts.acknowledge(items.map(({ alert }) => alert))}
        >
          {texts.alerts.acts.acknowledgeOpen(items.length)}
        </button>
      )}
    </>
  );
}
