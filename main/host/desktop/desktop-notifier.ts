// Main, host: sends notifications to org.freedesktop.Notifications on a Linux desktop, over D-Bus.
// Both shells use it: it replaces a notification of an earlier run by its number, and has buttons; Electron's
// own has neither there. While the service is away, a notification goes to another tier and is never lost
// silently.

import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import type { SoundName } from '../../../shared/settings/alert-rules.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { answerLabel, type NotificationAnswer } from '../../core/notifications/answers.ts';
import { type DesktopHandle, nameOf, type ShellNotifier, type ShellRequest } from '../notification-log.ts';
import {
  createNotificationConnection,
  DEFAULT_ACTION,
  NOTIFICATION_OBJECT,
  type NotificationService,
  UnavailableError,
} from './notification-service.ts';
import { createPictureFiles } from './picture-files.ts';

const URGENCY = { low: 0, normal: 1, critical: 2 } as const;
/** Milliseconds on the screen: 0 stays until the user answers, -1 is the desktop's default. */
const EXPIRY = { low: -1, normal: -1, critical: 0 } as const;
/** Names of the freedesktop.org sound theme, which every theme falls back to. */
const SOUND_NAMES: Readonly<Record<SoundName, string>> = {
  chime: 'message-new-instant',
  bell: 'bell',
  alarm: 'alarm-clock-elapsed',
};
const NumberSchema = z.number().int().positive();

export interface DesktopNotifier extends ShellNotifier {
  close(): Promise<void>;
}

/**
 * Probes once for the service; every `show` probes again, so it finds a service that starts later.
 * @param address address of the session bus; null: none
 * @param onAnswer receives each answer of the user once per notification, also to those of an earlier run
 */
export async function createDesktopNotifier(
  address: string | null,
  onAnswer: (handle: DesktopHandle, answer: NotificationAnswer) => void = () => undefined,
): Promise<DesktopNotifier> {
  let status: ReturnType<ShellNotifier['status']> = { tier: 'in_app', detail: message('notifier.no_session') };
  /** Some desktops report an answer twice. */
  const answered = new Set<string>();
  const closed = new Set<string>();
  const pictureFiles = createPictureFiles();
  let showsPictures = false;
  const listeners = new Set<() => void>();
  const delivery = createDelivery();
  const connection = createNotificationConnection(
    address,
    (handle, answer) => {
      const key = keyOf(handle);
      if (answered.has(key)) return;
      answered.add(key);
      onAnswer(handle, answer);
    },
    (handle) => closed.add(keyOf(handle)),
    () => returned(),
  );
  const setAvailable = (service: NotificationService): void => {
    showsPictures = service.pictures;
    status = { tier: 'system', detail: message('notifier.goes_to', { name: service.name }) };
  };
  const setUnavailable = (error: unknown): void => {
    const lost = connection.lostError();
    const detail =
      error instanceof UnavailableError && lost === null
        ? error.reason
        : message('notifier.silent', { why: messageOf(lost ?? error) });
    status = { tier: 'in_app', detail };
  };
  const returned = (): void => {
    void connection
      .use(async (service) => setAvailable(service))
      .catch(setUnavailable)
      .then(() => {
        for (const listener of listeners) listener();
      });
  };

  await connection.use(async (service) => setAvailable(service)).catch(setUnavailable);
  return {
    status: () => status,
    onReturn(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async show(request, before) {
      try {
        const { service, number } = await connection.use(async (found) => ({
          service: found,
          number: await delivery.deliver(found, request, before),
        }));
        delivery.finish(request);
        setAvailable(service);
        const desktop = { bus: service.busId, owner: service.owner, number };
        answered.delete(keyOf(desktop));
        closed.delete(keyOf(desktop));
        return { tier: 'system', detail: plainMessage(service.name), plays: service.sound, desktop };
      } catch (error) {
        setUnavailable(error);
        return { tier: 'in_app', detail: status.detail };
      }
    },
    showsPictures: () => showsPictures,
    async addPicture(request, handle, png) {
      if (handle === null) return;
      await connection.use(async (service) => {
        // One that the user dealt with would come back.
        const key = keyOf(handle);
        const isGone = answered.has(key) || closed.has(key);
        if (!service.pictures || isGone || !isOf(handle, service)) return;
        const { sound: _, ...silent } = { ...request, silent: true };
        await notify(service, silent, handle, await pictureFiles.add(png));
      });
    },
    withdraw(_, handle) {
      if (handle === null) return;
      // Some desktops answer with an error when the user has closed the notification.
      void connection.use((service) => closeNotification(service, handle)).catch(() => undefined);
    },
    async close() {
      pictureFiles.close();
      await connection.close();
    },
  };
}

/** A call to show a notification. */
interface Call {
  readonly bus: NotificationService['bus'];
  readonly owner: string;
  readonly text: string;
  readonly number: Promise<number>;
}

const keyOf = ({ bus, owner, number }: DesktopHandle): string => `${bus} ${owner} ${number}`;

/** A number of another bus or of a restarted service may belong to another program by now. */
const isOf = ({ bus, owner }: DesktopHandle, service: NotificationService): boolean =>
  bus === service.busId && owner === service.owner;

interface Delivery {
  /** @returns the number of the notification */
  deliver(service: NotificationService, request: ShellRequest, before: DesktopHandle | null): Promise<number>;
  /** The number of the request was received. */
  finish(request: ShellRequest): void;
}

/** A frozen service may still carry out a call that was given up: a repeat waits for its number. */
function createDelivery(): Delivery {
  const unanswered = new Map<string, Call>();
  return {
    async deliver(service, request, before) {
      const name = nameOf(request);
      const text = JSON.stringify([request.title, request.body, request.sound]);
      const { bus, busId, owner } = service;
      const earlier = unanswered.get(name);
      let replaces = before;
      if (earlier !== undefined && earlier.bus === bus && earlier.owner === owner) {
        const number = await earlier.number.catch(() => null);
        if (number !== null && earlier.text === text) return number;
        if (number !== null) replaces = { bus: busId, owner, number };
      }
      const call: Call = { bus, owner, text, number: notify(service, request, replaces) };
      unanswered.set(name, call);
      return call.number;
    },
    finish: (request) => void unanswered.delete(nameOf(request)),
  };
}

async function closeNotification(service: NotificationService, handle: DesktopHandle): Promise<void> {
  if (!isOf(handle, service)) return;
  const call = { ...NOTIFICATION_OBJECT, member: 'CloseNotification', signature: 'u', body: [handle.number] };
  await service.bus.invoke(call);
}

async function notify(
  service: NotificationService,
  request: ShellRequest,
  before: DesktopHandle | null,
  picture: string | null = null,
): Promise<number> {
  const { Variant } = (await import('dbus-native')).default;
  const replaces = before !== null && isOf(before, service) ? before.number : 0;
  const hints = {
    urgency: new Variant('y', URGENCY[request.urgency]),
    'suppress-sound': new Variant('b', request.silent),
    'desktop-entry': new Variant('s', 'barograph'),
    ...(request.sound === undefined || !service.sound
      ? {}
      : { 'sound-name': new Variant('s', SOUND_NAMES[request.sound]) }),
    ...(picture === null
      ? {}
      : {
          'image-path': new Variant('s', pathToFileURL(picture).href),
          'x-kde-urls': new Variant('as', [pathToFileURL(picture).href]),
        }),
    // The tag replaces a notification even where a crash lost its number.
    ...(service.tagHint === null ? {} : { [service.tagHint]: new Variant('s', nameOf(request)) }),
  };
  const body = service.markup ? escapeMarkup(request.body) : request.body;
  const number = await service.bus.invoke({
    ...NOTIFICATION_OBJECT,
    member: 'Notify',
    signature: 'susssasa{sv}i',
    body: [
      'Barograph',
      replaces,
      '',
      request.title,
      body,
      service.actions ? actionsOf(request) : [],
      hints,
      EXPIRY[request.urgency],
    ],
  });
  return NumberSchema.parse(number);
}

/** Key and label alternate; the default action is a click on the notification itself. */
const actionsOf = (request: ShellRequest): string[] => [
  DEFAULT_ACTION,
  answerLabel('open', request),
  ...(request.answers ?? []).flatMap((answer) => [answer, answerLabel(answer, request)]),
];

const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
