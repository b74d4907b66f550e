// Main, core: the user's answers to a notification, and the labels of its buttons.
import { texts } from '../../../shared/text/texts.ts';

/** The buttons of a notification. Their order never changes: a system may report one of an earlier run by its number. */
export const BUTTONS = ['acknowledge', 'snooze'] as const;
/** open: a click on the notification itself. */
export const ANSWERS = ['open', ...BUTTONS] as const;
export type NotificationAnswer = (typeof ANSWERS)[number];

export function answerLabel(answer: NotificationAnswer, { names }: { readonly names?: readonly string[] }): string {
  const { answers } = texts.notifications;
  return answer === 'acknowledge' && (names?.length ?? 1) > 1 ? answers.acknowledgeAll : answers[answer];
}
