// Main, Electron shell: hands notifications to the operating system. A new one with the same id takes the place of the old one.
import type { Notification, NotificationConstructorOptions } from 'electron';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { ShellNotifier } from '../core/host/handover-log.ts';
import type { NotificationOutcome, NotificationRequest } from '../core/ports.ts';

export interface NotificationClass {
  new (options: NotificationConstructorOptions): Notification;
  isSupported(): boolean;
}

export interface ElectronNotifierParts {
  readonly Notification: NotificationClass;
  readonly clock: Clock;
  readonly onClick: (request: NotificationRequest) => void;
}

/** A system that has not said within this time that it shows it, ms, may not be showing it. */
const ANSWER_LIMIT = 3_000;
const NONE = 'This system shows no notifications.';

export function createElectronNotifier({ Notification, clock, onClick }: ElectronNotifierParts): ShellNotifier {
  /** What is on the screen, by id; held here, because one that nobody holds is collected and its click is lost. */
  const shown = new Map<string, Notification>();
  let status: ReturnType<ShellNotifier['status']> = Notification.isSupported()
    ? { tier: 'system', detail: 'Notifications go to this system.' }
    : { tier: 'in_app', detail: NONE };

  const attempt = (request: NotificationRequest): Promise<NotificationOutcome> =>
    new Promise((resolve) => {
      const { id, title, body, silent, urgency } = request;
      const notification = new Notification({
        id,
        title,
        body,
        silent,
        urgency,
        timeoutType: urgency === 'critical' ? 'never' : 'default',
      });
      let cancel: Cancel = () => undefined;
      const settle = (outcome: NotificationOutcome): void => {
        cancel();
        status = outcome;
        resolve(outcome);
      };
      const fail = (detail: string): void => settle({ tier: 'in_app', detail });
      cancel = clock.after(ANSWER_LIMIT, () => fail('The system did not say that it showed the last one.'));
      notification.once('show', () => settle({ tier: 'system', detail: 'Notifications go to this system.' }));
      notification.once('failed', (_event, problem) => fail(`The system refused the last one (${problem}).`));
      notification.once('close', () => {
        if (shown.get(id) === notification) shown.delete(id);
      });
      notification.on('click', () => onClick(request));
      const before = shown.get(id);
      shown.set(id, notification);
      before?.close();
      notification.show();
    });

  return {
    status: () => status,
    async show(request) {
      return Notification.isSupported() ? attempt(request) : { tier: 'in_app', detail: NONE };
    },
  };
}
