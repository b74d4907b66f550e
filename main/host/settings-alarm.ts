// Main, host: notifies the desktop of a problem of the settings file, once.
import { message, textOf } from '../../shared/text/message.ts';
import type { Notifier } from '../core/ports.ts';
import type { HostSettings } from './settings-store.ts';

export interface SettingsAlarm {
  /** Called once a second. */
  check(): void;
}

/** Number of checks until a problem counts: an editor may be writing the file. */
const SETTLED = 2;
/** Number of checks between two attempts without a desktop: not every system reports its return. */
const AWAY = 60;

export function createSettingsAlarm(settings: Pick<HostSettings, 'problem'>, notifier: Notifier): SettingsAlarm {
  let [seen, notified] = ['', ''];
  let checks = 0;
  return {
    check() {
      const problem = settings.problem();
      const body = problem === null ? '' : textOf(problem);
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
          id: 'barograph:settings',
          title: textOf(message('settings.notification')),
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
