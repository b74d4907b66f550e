// Main, Electron shell: sends notifications to Windows and macOS (Linux: main/host/desktop/).
// A new one replaces the old one with the same name, also of an earlier run. An answer counts once, also where
// the system reports it twice or started the app for it.

import { createHash } from 'node:crypto';
import type { ActivationArguments, Notification, NotificationConstructorOptions } from 'electron';
import { z } from 'zod';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { SoundName } from '../../shared/settings/alert-rules.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { answerLabel, BUTTONS, type NotificationAnswer } from '../core/notifications/answers.ts';
import type { NotificationOutcome } from '../core/ports.ts';
import {
  type NotificationName,
  nameOf,
  readName,
  type ShellNotifier,
  type ShellRequest,
} from '../host/notification-log.ts';

export interface NotificationClass {
  new (options: NotificationConstructorOptions): Notification;
  isSupported(): boolean;
  /** Windows only. */
  handleActivation?(callback: (details: ActivationArguments) => void): void;
  /** macOS only: these two do nothing elsewhere. */
  getHistory(): Promise<Notification[]>;
  remove(id: string): void;
}

export interface ElectronNotifierDeps {
  readonly Notification: NotificationClass;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** What macOS reports with the event `ready`: the notification whose answer started the app. */
  readonly launchInfo: unknown;
  /** `notification` is null where it cannot be known. */
  readonly onAnswer: (notification: NotificationName | null, answer: NotificationAnswer) => void;
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

export function createElectronNotifier(deps: ElectronNotifierDeps): ShellNotifier {
  const { Notification, clock, platform, onAnswer } = deps;
  /**
   * Notifications on the screen, or in the list of the system, by name, the newest last; the reference keeps
   * them from being collected, which would lose the click.
   */
  const shown = new Map<string, Notification>();
  /** Names of those already answered: a click can come from the notification, and again from the system. */
  const answered = new Set<string>();
  let status: ReturnType<ShellNotifier['status']> = Notification.isSupported()
    ? { tier: 'system', detail: SHOWN }
    : { tier: 'in_app', detail: NONE };

  const handleAnswer = (notification: NotificationName | null, answer: NotificationAnswer): void => {
    if (notification !== null) {
      const name = nameOf(notification);
      if (answered.has(name)) return;
      answered.add(name);
    }
    onAnswer(notification, answer);
  };
  const follow = (notification: Notification, name: NotificationName): void => {
    const key = nameOf(name);
    shown.set(key, notification);
    const [oldest] = shown.keys();
    if (oldest !== undefined && shown.size > MAX_SHOWN) shown.delete(oldest);
    notification.on('close', ({ reason }) => {
      if (isDismissed(platform, reason) && shown.get(key) === notification) shown.delete(key);
    });
    notification.on('click', () => handleAnswer(name, 'open'));
    notification.on('action', ({ actionIndex }, index) => handleAnswer(name, BUTTONS[actionIndex ?? index] ?? 'open'));
  };
  const close = (key: string): void => {
    const found = shown.get(key);
    shown.delete(key);
    found?.close();
  };
  /** Follows the notifications of earlier runs that macOS still lists, so that an answer to one arrives. */
  const followEarlier = async (): Promise<void> => {
    for (const notification of await Notification.getHistory()) {
      const name = readName(notification.id);
      if (name !== null && !shown.has(notification.id)) follow(notification, name);
      // Closing one of this list leaves it on the screen, and its answers to the newer one of its name.
      else notification.close();
    }
  };

  // Reports answers to notifications of an earlier run too, also where Windows started the app for one.
  Notification.handleActivation?.((details) => {
    const { notification, answer } = readActivation(details);
    handleAnswer(notification, answer);
  });
  if (platform === 'darwin') {
    const launch = readLaunch(deps.launchInfo);
    if (launch !== null) handleAnswer(launch.notification, launch.answer);
    // Without the list, an answer to one of them only brings up the app.
    followEarlier().catch(() => undefined);
  }

  const attempt = (request: ShellRequest): Promise<NotificationOutcome> =>
    new Promise((resolve) => {
      const notification = new Notification(optionsOf(request, platform));
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
      close(nameOf(request));
      follow(notification, request);
      answered.delete(nameOf(request));
      notification.show();
    });

  return {
    status: () => status,
    withdraw(name) {
      close(nameOf(name));
      // Also one of an earlier run, which Electron cannot remove on Windows.
      if (platform === 'darwin') Notification.remove(nameOf(name));
    },
    async show(request) {
      return Notification.isSupported() ? attempt(request) : { tier: 'in_app', detail: NONE };
    },
  };
}

/** Windows also closes a notification when it moves from the screen to the Action Center. */
const isDismissed = (platform: NodeJS.Platform, reason: string | undefined): boolean =>
  platform !== 'win32' || reason === 'userCanceled';

/** On macOS its id is its name; a tag of Windows is too short for one, so that the XML has it. */
function optionsOf(request: ShellRequest, platform: NodeJS.Platform): NotificationConstructorOptions {
  const { title, body, silent, urgency, sound, answers = [] } = request;
  if (platform === 'win32') return { id: toastTag(request), urgency, toastXml: toastXml(request) };
  return {
    id: nameOf(request),
    title,
    body,
    silent,
    ...(sound === undefined ? {} : { sound: MAC_SOUNDS[sound] }),
    actions: answers.map((answer) => ({ type: 'button', text: answerLabel(answer, request) })),
  };
}

const LaunchSchema = z.object({ identifier: z.string(), actionIdentifier: z.string() });

/** The answer that started the app on macOS; null: none did. Electron names a button by its number. */
function readLaunch(
  launchInfo: unknown,
): { readonly notification: NotificationName | null; readonly answer: NotificationAnswer } | null {
  const read = LaunchSchema.safeParse(launchInfo);
  if (!read.success) return null;
  const [, number] = /^ACTION_(\d+)$/.exec(read.data.actionIdentifier) ?? [];
  return { notification: readName(read.data.identifier), answer: BUTTONS[Number(number)] ?? 'open' };
}

/** The tag by which a toast replaces an earlier one: letters and digits, exactly as many as Windows allows. */
const toastTag = (name: NotificationName): string => createHash('sha256').update(nameOf(name)).digest('hex');

function toastXml(request: ShellRequest): string {
  const { title, body, urgency, silent, answers = [] } = request;
  const stays = urgency === 'critical';
  const texts = [title, body].filter((text) => text !== '').map((text) => `<text>${escapeXml(text)}</text>`);
  const buttons = answers.map(
    (answer, index) =>
      `<action activationType="foreground" arguments="${escapeXml(argumentsOf(request, `action&action=${index}`))}" content="${escapeXml(answerLabel(answer, request))}"/>`,
  );
  // Only a reminder stays until it is answered, and only with a button. Windows labels this one itself.
  if (stays) buttons.push('<action activationType="system" arguments="dismiss" content=""/>');
  return [
    `<toast launch="${escapeXml(argumentsOf(request, 'click'))}"${stays ? ' scenario="reminder"' : ''}>`,
    `<visual><binding template="ToastGeneric">${texts.join('')}</binding></visual>`,
    buttons.length === 0 ? '' : `<actions>${buttons.join('')}</actions>`,
    silent ? '<audio silent="true"/>' : '',
    '</toast>',
  ].join('');
}

/** Which notification was answered, null where that cannot be read, and how. */
function readActivation({ type, actionIndex, arguments: text }: ActivationArguments): {
  readonly notification: NotificationName | null;
  readonly answer: NotificationAnswer;
} {
  const button = type === 'action' ? BUTTONS[actionIndex ?? -1] : undefined;
  return { notification: readName(new URLSearchParams(text).get('name') ?? ''), answer: button ?? 'open' };
}

/**
 * The pairs that Electron reads (`type`, `action`), and the name. Only what has a meaning is escaped: Windows limits a
 * toast to 5 KB.
 */
const argumentsOf = (name: NotificationName, type: string): string =>
  `type=${type}&name=${nameOf(name).replace(/[%&=+\p{Cc}\ufffe\uffff]/gu, encodeURIComponent)}`;

/** Drops what XML does not allow even when escaped: Windows would refuse the toast. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
