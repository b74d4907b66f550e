// Main, core: the user's answers to a notification, and the labels of its buttons.

/** open: a click on the notification itself. */
export const ANSWERS = ['open', 'acknowledge', 'snooze'] as const;
export type NotificationAnswer = (typeof ANSWERS)[number];

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
