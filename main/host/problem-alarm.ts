// Main, host: notifies the desktop of a problem of the data folder, once.
import { type Message, message, textOf } from '../../shared/text/message.ts';
import type { Notifier } from '../core/ports.ts';

export interface ProblemAlarm {
  /** Called once a second. */
  check(): void;
}

/** Number of checks until a problem counts: an editor may be writing the file. */
const SETTLED = 2;
/** Number of checks between two attempts without a desktop: not every system reports its return. */
const AWAY = 60;

/** @param id of its notification, which a later text replaces @param problems as they are now */
export function createProblemAlarm(id: string, problems: () => readonly Message[], notifier: Notifier): ProblemAlarm {
  let [seen, notified] = ['', ''];
  let checks = 0;
  return {
    check() {
      const now = problems();
      const body = now.map(textOf).join('\n');
      checks = body === seen ? checks + 1 : 0;
      seen = body;
      if (body === '') notified = '';
      if (body === notified || checks < SETTLED) return;
      // Without a desktop the window shows the problem; the notification follows later.
      if (notifier.status().tier !== 'system' && checks % AWAY !== 0) return;
      const again = (): void => {
        if (notified === body) notified = '';
      };
      notified = body;
      notifier
        .show({
          id,
          title: textOf(message(now[0]?.code === 'profile.not_opened' ? 'profile.notification' : 'files.notification')),
          body,
          urgency: 'critical',
          silent: false,
          symbol: null,
        })
        // A notification that the desktop did not take is repeated.
        .then(({ tier }) => (tier === 'system' ? undefined : again()), again);
    },
  };
}
