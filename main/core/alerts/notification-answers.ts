// Main, core: what the user answers to a notification, on the desktop or by one of its buttons: noted, done, and where to look then.
import type { WindowRoute } from '../../../shared/domain/window-routes.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Monitor } from '../monitor.ts';

/** open: a click on the notification itself. */
export const ANSWERS = ['open', 'acknowledge', 'snooze'] as const;
export type NotificationAnswer = (typeof ANSWERS)[number];

/** What stands on the button. */
export function answerLabel(answer: NotificationAnswer, { names }: { readonly names?: readonly string[] }): string {
  switch (answer) {
    case 'open':
      return 'Open';
    case 'acknowledge':
      return (names?.length ?? 1) > 1 ? 'Acknowledge all' : 'Acknowledge';
    case 'snooze':
      return 'Snooze 1 h';
  }
}

/** How long the button of a notification snoozes, ms of the world's time. */
export const BUTTON_SNOOZE = 3_600_000;

export type AnswerDeps = Pick<Monitor, 'about' | 'worldNow'> & {
  readonly handlers: Pick<Monitor['handlers'], 'alerts.clicked' | 'alerts.acknowledge' | 'alerts.snooze'>;
};

/**
 * @returns where a window should go: after Open, and where an answer could not be carried out, so that it is not lost in silence;
 * null where nothing is to be shown; undefined where this core sent no such notification
 */
export type AnswerHandler = (
  notificationId: string,
  answer: NotificationAnswer,
) => Promise<WindowRoute | null | undefined>;

export function createAnswerHandler({ about, handlers, worldNow }: AnswerDeps): AnswerHandler {
  return async (notificationId, answer) => {
    const ledgerIds = about(notificationId);
    if (ledgerIds.length === 0) return undefined;
    await handlers['alerts.clicked']({ notification_id: notificationId });
    const events = ledgerIds.filter((ledgerId) => ledgerId > 0);
    const [only] = events;
    const route: WindowRoute = {
      page: 'alerts',
      item: events.length === 1 && only !== undefined ? String(only) : null,
    };
    if (answer === 'open' || events.length === 0) return route;
    try {
      if (answer === 'acknowledge') await handlers['alerts.acknowledge']({ ledger_ids: events, acknowledged: true });
      else
        await handlers['alerts.snooze']({
          ledger_ids: events,
          until: { kind: 'time', at: timestamp(worldNow() + BUTTON_SNOOZE) },
        });
      return null;
    } catch {
      return route;
    }
  };
}
