// Main, host: the connection to the notification service of a Linux desktop, over D-Bus.

import type { DBusError, Message, MessageBus } from 'dbus-native';
import { z } from 'zod';
import { message, textOf, type Message as UserMessage } from '../../../shared/text/message.ts';
import { ANSWERS, type NotificationAnswer } from '../../core/notifications/answers.ts';
import type { DesktopHandle } from '../notification-log.ts';

const SERVICE = 'org.freedesktop.Notifications';
const BUS = 'org.freedesktop.DBus';
export const NOTIFICATION_OBJECT = {
  destination: SERVICE,
  path: '/org/freedesktop/Notifications',
  interface: SERVICE,
};
/** Timeout of a call to the desktop, ms. */
const ANSWER_LIMIT = 3_000;
/** The action of a click, by the specification. */
export const DEFAULT_ACTION = 'default';

/** The service that owns the name now, and its capabilities. */
export interface NotificationService {
  readonly bus: MessageBus;
  readonly busId: string;
  readonly owner: string;
  readonly name: string;
  /**
   * The hint by which it replaces a notification with the same tag, also of an earlier run; null: none.
   */
  readonly tagHint: string | null;
  /** True where it parses the body as markup, so that < and & must be escaped. */
  readonly markup: boolean;
  /** True where it shows buttons and reports the pressed one. */
  readonly actions: boolean;
  /** True where it plays the sounds that notifications name. */
  readonly sound: boolean;
  /** True where it shows pictures as large as they can be read; others show them as an icon. */
  readonly pictures: boolean;
}

/** No notification service is available, with the reason. */
export class UnavailableError extends Error {
  readonly reason: UserMessage;
  constructor(reason: UserMessage) {
    super(textOf(reason));
    this.reason = reason;
  }
}

export interface NotificationConnection {
  /**
   * Finds the service, or starts it where the desktop can, and gives it work once it has answered a query: a
   * frozen service would carry the work out after its return. Abandons work that is not answered in time, and
   * the connection where the bus itself is silent.
   * @throws UnavailableError, and the errors of the bus
   */
  use<Value>(work: (service: NotificationService) => Promise<Value>): Promise<Value>;
  /** Why the connection was lost; null while it is not. */
  lostError(): Error | null;
  close(): Promise<void>;
}

const CapabilitiesSchema = z.array(z.string());
const ServerSchema = z.tuple([z.string(), z.string(), z.string(), z.string()]);
const ActionSchema = z.tuple([z.number().int().positive(), z.enum([DEFAULT_ACTION, ...ANSWERS])]);

/** Its number, and why. */
const ClosedSchema = z.tuple([z.number().int().positive(), z.number()]);
const OwnerSchema = z.tuple([z.literal(SERVICE), z.string(), z.string()]);

/** Hints by the name that a service reports. GNOME Shell and Plasma replace by their own numbers alone. */
const TAG_HINTS: Readonly<Record<string, string>> = {
  dunst: 'x-dunst-stack-tag',
  mako: 'x-dunst-stack-tag',
  SwayNotificationCenter: 'x-canonical-private-synchronous',
};

/**
 * @param address address of the session bus; null: none
 * @param onAnswer receives the user's answer; some desktops report it twice
 * @param onClosed receives a notification that left the screen
 * @param onReturn called when a service appears on the bus, or answers again after a silence
 */
export function createNotificationConnection(
  address: string | null,
  onAnswer: (handle: DesktopHandle, answer: NotificationAnswer) => void,
  onClosed: (handle: DesktopHandle) => void,
  onReturn: () => void,
): NotificationConnection {
  let bus: MessageBus | null = null;
  let lost: Error | null = null;
  let known: NotificationService | null = null;

  /** Accepts the user's answers from the service alone, and changes of its owner from the bus alone. */
  const onMessage = ({ interface: from, member, sender, body }: Message): void => {
    if (from === BUS && member === 'NameOwnerChanged' && sender === BUS) {
      const change = OwnerSchema.safeParse(body);
      if (change.success && change.data[2] !== '') onReturn();
      return;
    }
    if (known === null || from !== SERVICE || sender !== known.owner) return;
    const closed = member === 'NotificationClosed' ? ClosedSchema.safeParse(body).data : undefined;
    if (closed !== undefined) onClosed({ bus: known.busId, owner: known.owner, number: closed[0] });
    if (member !== 'ActionInvoked') return;
    const signal = ActionSchema.safeParse(body);
    if (!signal.success) return;
    const [number, action] = signal.data;
    onAnswer({ bus: known.busId, owner: known.owner, number }, action === DEFAULT_ACTION ? 'open' : action);
  };

  const connect = async (): Promise<MessageBus> => {
    if (address === null) throw new UnavailableError(message('notifier.no_session'));
    if (bus !== null) return bus;
    const { sessionBus } = (await import('dbus-native')).default;
    // Without the library's timeout: when a greeting is not answered in time, that throws where no caller can
    // catch the error.
    const opened = sessionBus({ busAddress: address, timeout: 0 });
    bus = opened;
    const lose = (problem?: Error): void => {
      if (bus === opened) bus = null;
      lost = problem ?? lost;
    };
    lost = null;
    opened.connection.on('error', lose);
    opened.connection.on('close', lose);
    opened.connection.on('message', onMessage);
    for (const member of ['ActionInvoked', 'NotificationClosed'])
      await opened.addMatch(`type='signal',interface='${SERVICE}',member='${member}'`);
    await opened.addMatch(
      `type='signal',sender='${BUS}',interface='${BUS}',member='NameOwnerChanged',arg0='${SERVICE}'`,
    );
    return opened;
  };

  const find = async (answered: () => void): Promise<NotificationService> => {
    const on = await connect();
    await on.getId();
    answered();
    known = await readService(on, await findOwner(on));
    return known;
  };

  const use: NotificationConnection['use'] = (work) => {
    let limit: NodeJS.Timeout | undefined;
    let isAnswered = false;
    let isLate = false;
    const late = new Promise<never>((_, reject) => {
      limit = setTimeout(() => {
        isLate = true;
        if (!isAnswered) {
          void bus?.close().catch(() => undefined);
          bus = null;
        }
        reject(new Error(`no answer within ${ANSWER_LIMIT / 1000} s`));
      }, ANSWER_LIMIT);
    });
    const found = find(() => {
      isAnswered = true;
    });
    const done = found.then((service) => {
      if (!isLate) return work(service);
      // The service answers again, but its caller has abandoned the work, and repeats it.
      onReturn();
      return late;
    });
    return Promise.race([done, late]).finally(() => clearTimeout(limit));
  };

  return {
    use,
    lostError: () => lost,
    async close() {
      await bus?.close();
    },
  };
}

/** Finds the owner of the service's name; without one, asks the desktop to start it. */
const findOwner = (bus: MessageBus): Promise<string> =>
  bus.getNameOwner(SERVICE).catch(async () => {
    await bus.startServiceByName(SERVICE, 0).catch((refused: DBusError) => {
      throw new UnavailableError(
        message('notifier.none_on_desktop', { why: refused.message || String(refused.dbusName) }),
      );
    });
    return bus.getNameOwner(SERVICE);
  });

/** Reads the name and the capabilities of the service. */
async function readService(bus: MessageBus, owner: string): Promise<NotificationService> {
  const [busId, capabilities, server] = await Promise.all([
    bus.getId(),
    bus.invoke({ ...NOTIFICATION_OBJECT, member: 'GetCapabilities' }),
    // Several values arrive as a list.
    bus.invoke({ ...NOTIFICATION_OBJECT, member: 'GetServerInformation' }),
  ]);
  const [name, , version] = ServerSchema.parse(server);
  const able = CapabilitiesSchema.parse(capabilities);
  return {
    bus,
    busId,
    owner,
    name: `${name} ${version}`,
    tagHint: TAG_HINTS[name] ?? null,
    markup: able.includes('body-markup'),
    actions: able.includes('actions'),
    sound: able.includes('sound'),
    pictures: able.includes('body-images') || able.includes('x-kde-urls'),
  };
}
