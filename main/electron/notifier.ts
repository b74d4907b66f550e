// Main, Electron shell: sends notifications to Windows and macOS (Linux: main/host/desktop/).
// A new one replaces the old one with the same id, also of an earlier run. An answer counts once, also where
// the system started the app for it.

import { createHash } from 'node:crypto';
import type { ActivationArguments, Notification, NotificationConstructorOptions } from 'electron';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { SoundName } from '../../shared/settings/alert-rules.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { answerLabel, type NotificationAnswer } from '../core/notifications/answers.ts';
import type { NotificationOutcome } from '../core/ports.ts';
import type { ShellNotifier, ShellRequest } from '../host/notification-log.ts';

export interface NotificationClass {
  new (options: NotificationConstructorOptions): Notification;
  isSupported(): boolean;
  /** Windows only. */
  handleActivation?(callback: (details: ActivationArguments) => void): void;
}

export interface ElectronNotifierDeps {
  readonly Notification: NotificationClass;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** `notification` is null where it is no longer known. */
  readonly onAnswer: (
    notification: { readonly profile: string; readonly id: string } | null,
    answer: NotificationAnswer,
  ) => void;
}

/** Longest wait for the system's confirmation, ms; without it, the notification may not be on the screen. */
const ANSWER_LIMIT = 3_000;
const NONE = message('notifier.none_on_system');
const SHOWN = message('notifier.goes_to_system');
const REMEDY: Readonly<Partial<Record<NodeJS.Platform, Message>>> = {
  darwin: message('notifier.allow_on_mac'),
  win32: message('notifier.allow_on_windows'),
};
/** Sounds of macOS. */
const MAC_SOUNDS: Readonly<Record<SoundName, string>> = { chime: 'Glass', bell: 'Ping', alarm: 'Sosumi' };
/** Most notifications that can be withdrawn; a system keeps fewer. */
const MAX_SHOWN = 200;
/** Longest tag of a toast on Windows. */
const TAG_LENGTH = 64;
const PLAIN_TAG = /^([a-z0-9-]{1,32})\/([\w:.-]+)$/;

export function createElectronNotifier({
  Notification,
  clock,
  platform,
  onAnswer,
}: ElectronNotifierDeps): ShellNotifier {
  /**
   * Notifications on the screen, or in the Action Center of Windows, by tag, the newest last; the reference
   * keeps them from being collected, which would lose the click.
   */
  const shown = new Map<string, { readonly notification: Notification; readonly request: ShellRequest }>();
  const remember = (tag: string, notification: Notification, request: ShellRequest): void => {
    shown.set(tag, { notification, request });
    const [oldest] = shown.keys();
    if (oldest !== undefined && shown.size > MAX_SHOWN) shown.delete(oldest);
  };
  const withdraw = (tag: string): void => {
    const found = shown.get(tag);
    shown.delete(tag);
    found?.notification.close();
  };
  /** Tags already answered: a click can come from the notification, and again from the system. */
  const answered = new Set<string>();
  let status: ReturnType<ShellNotifier['status']> = Notification.isSupported()
    ? { tier: 'system', detail: SHOWN }
    : { tier: 'in_app', detail: NONE };

  const handleAnswer = (
    tag: string,
    notification: { profile: string; id: string } | null,
    answer: NotificationAnswer,
  ): void => {
    if (answered.has(tag)) return;
    answered.add(tag);
    onAnswer(notification, answer);
  };
  // Reports answers to notifications of an earlier run too, also where the system started the app for one.
  Notification.handleActivation?.(({ type, actionIndex, arguments: text }) => {
    const tag = /(?:^|&)tag=([^&]*)/.exec(text)?.[1] ?? '';
    const request = shown.get(tag)?.request;
    const [, profile, id] = PLAIN_TAG.exec(tag) ?? [];
    const notification = request ?? (profile === undefined || id === undefined ? null : { profile, id });
    // The buttons of an earlier run are not known, so the answer only opens the notification.
    const answer = type === 'action' && request !== undefined ? (request.answers ?? [])[actionIndex ?? -1] : undefined;
    handleAnswer(
      tag,
      notification === null ? null : { profile: notification.profile, id: notification.id },
      answer ?? 'open',
    );
  });

  const attempt = (request: ShellRequest): Promise<NotificationOutcome> =>
    new Promise((resolve) => {
      const { title, body, silent, urgency, sound, answers = [] } = request;
      const tag = tagOf(request);
      const notification = new Notification({
        id: tag,
        title,
        body,
        silent,
        // Windows has no named sounds for desktop programs, and plays its own.
        ...(sound === undefined || platform !== 'darwin' ? {} : { sound: MAC_SOUNDS[sound] }),
        urgency,
        timeoutType: urgency === 'critical' ? 'never' : 'default',
        actions: answers.map((answer) => ({ type: 'button', text: answerLabel(answer, request) })),
      });
      let cancel: Cancel = () => undefined;
      const settle = (outcome: ReturnType<ShellNotifier['status']>): void => {
        cancel();
        status = outcome;
        resolve(outcome);
      };
      const fail = (why: Message): void =>
        settle({ tier: 'in_app', detail: message('notifier.failed', { why, remedy: REMEDY[platform] ?? '' }) });
      cancel = clock.after(ANSWER_LIMIT, () => fail(message('notifier.not_confirmed')));
      notification.once('show', () => settle({ tier: 'system', detail: SHOWN }));
      notification.once('failed', (_event, problem) => fail(message('notifier.refused', { why: problem })));
      notification.on('close', ({ reason }) => {
        if (isDismissed(platform, reason) && shown.get(tag)?.notification === notification) shown.delete(tag);
      });
      notification.on('click', () => handleAnswer(tag, request, 'open'));
      notification.on('action', (details, index) =>
        handleAnswer(tag, request, answers[details.actionIndex ?? index] ?? 'open'),
      );
      withdraw(tag);
      remember(tag, notification, request);
      answered.delete(tag);
      notification.show();
    });

  return {
    status: () => status,
    // A notification of an earlier run is not known, and stays.
    withdraw: (notification) => withdraw(tagOf(notification)),
    async show(request) {
      return Notification.isSupported() ? attempt(request) : { tier: 'in_app', detail: NONE };
    },
  };
}

/** Windows also closes a notification when it moves from the screen to the Action Center. */
const isDismissed = (platform: NodeJS.Platform, reason: string | undefined): boolean =>
  platform !== 'win32' || reason === 'userCanceled';

/** The system's tag: readable where possible, so that an answer can be assigned after a restart. */
function tagOf({ profile, id }: Pick<ShellRequest, 'profile' | 'id'>): string {
  const plain = `${profile}/${id}`;
  return plain.length <= TAG_LENGTH && PLAIN_TAG.test(plain)
    ? plain
    : createHash('sha256').update(plain).digest('base64url');
}
