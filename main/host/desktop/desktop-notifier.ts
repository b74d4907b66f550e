// Main, host: sends notifications to org.freedesktop.Notifications on a Linux desktop, over D-Bus.
// Both shells use it: it replaces a notification of an earlier run by its number, and has buttons; Electron's
// own has neither there. Without a service the window shows notifications itself: a tier of its own, never a
// silent loss.
import type { DBusError, Message, MessageBus } from 'dbus-native';
import { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import { ANSWERS, answerLabel, type NotificationAnswer } from '../../core/notifications/answers.ts';
import type { DesktopHandle, ShellNotifier, ShellRequest } from '../notification-log.ts';

const SERVICE = 'org.freedesktop.Notifications';
const OBJECT = { destination: SERVICE, path: '/org/freedesktop/Notifications', interface: SERVICE };
/** Timeout of a call to the desktop, ms. */
const ANSWER_LIMIT = 3_000;
const URGENCY = { low: 0, normal: 1, critical: 2 } as const;
/** Milliseconds on the screen: 0 stays until the user answers, -1 is the desktop's default. */
const EXPIRY = { low: -1, normal: -1, critical: 0 } as const;

export interface DesktopNotifier extends ShellNotifier {
  close(): Promise<void>;
}

/** Capabilities of the notification service. */
interface Service {
  readonly bus: MessageBus;
  readonly busId: string;
  readonly owner: string;
  readonly name: string;
  /** It parses the body as markup, so that < and & must be escaped. */
  readonly markup: boolean;
  /** It shows buttons and reports which one was pressed. */
  readonly actions: boolean;
}

const CapabilitiesSchema = z.array(z.string());
const ServerSchema = z.tuple([z.string(), z.string(), z.string(), z.string()]);
const NumberSchema = z.number().int().positive();
/** The action of a click, by the specification. */
const DEFAULT_ACTION = 'default';
const ActionSchema = z.tuple([NumberSchema, z.enum([DEFAULT_ACTION, ...ANSWERS])]);

/**
 * Probes once for the service; every `show` probes again, so it finds one that starts later.
 * @param address of the session bus, or null where there is none
 * @param onAnswer receives each answer of the user once per notification, also to those of an earlier run
 */
export async function createDesktopNotifier(
  address: string | null,
  onAnswer: (handle: DesktopHandle, answer: NotificationAnswer) => void = () => undefined,
): Promise<DesktopNotifier> {
  let status: ReturnType<ShellNotifier['status']> = { tier: 'in_app', detail: '' };
  let bus: MessageBus | null = null;
  /** Why the connection was lost. */
  let lost: Error | null = null;
  let known: Service | null = null;
  /** Numbers already answered: some desktops report an answer twice. */
  const answered = new Set<number>();

  const connect = async (): Promise<MessageBus> => {
    if (address === null) throw new UnavailableError('There is no D-Bus session on this machine.');
    if (bus !== null) return bus;
    const { sessionBus } = (await import('dbus-native')).default;
    // Has no timeout of its own: when its greeting is not answered in time, the library throws where nobody
    // can catch it.
    const opened = sessionBus({ busAddress: address, timeout: 0 });
    bus = opened;
    const lose = (problem?: Error): void => {
      if (bus === opened) bus = null;
      lost = problem ?? lost;
    };
    lost = null;
    opened.connection.on('error', lose);
    opened.connection.on('close', lose);
    opened.connection.on('message', (message) => onMessage(message));
    await opened.addMatch(`type='signal',interface='${SERVICE}',member='ActionInvoked'`);
    return opened;
  };

  /** Only the service itself may report the user's answers. */
  const onMessage = ({ interface: from, member, sender, body }: Message): void => {
    if (known === null || from !== SERVICE || member !== 'ActionInvoked' || sender !== known.owner) return;
    const signal = ActionSchema.safeParse(body);
    if (!signal.success || answered.has(signal.data[0])) return;
    const [number, key] = signal.data;
    answered.add(number);
    onAnswer({ bus: known.busId, owner: known.owner, number }, key === DEFAULT_ACTION ? 'open' : key);
  };

  /** Finds the service, and starts it where the desktop can. */
  const find = async (): Promise<Service> => {
    const on = await connect();
    const owner = await on.getNameOwner(SERVICE).catch(async () => {
      await on.startServiceByName(SERVICE, 0).catch((refused: DBusError) => {
        throw new UnavailableError(
          `Nothing on this desktop shows notifications (${refused.message || refused.dbusName}).`,
        );
      });
      return on.getNameOwner(SERVICE);
    });
    if (known?.bus === on && known.owner === owner) return known;
    const [busId, capabilities, server] = await Promise.all([
      on.getId(),
      on.invoke({ ...OBJECT, member: 'GetCapabilities' }),
      // Several values arrive as a list.
      on.invoke({ ...OBJECT, member: 'GetServerInformation' }),
    ]);
    const [name, , version] = ServerSchema.parse(server);
    const able = CapabilitiesSchema.parse(capabilities);
    known = {
      bus: on,
      busId,
      owner,
      name: `${name} ${version}`,
      markup: able.includes('body-markup'),
      actions: able.includes('actions'),
    };
    answered.clear();
    return known;
  };

  /** A call that is too late is abandoned, and its connection too. */
  const inTime = async <Value>(work: Promise<Value>): Promise<Value> => {
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      limit = setTimeout(() => {
        void bus?.close().catch(() => undefined);
        bus = null;
        reject(new Error(`no answer within ${ANSWER_LIMIT / 1000} s`));
      }, ANSWER_LIMIT);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(limit));
  };

  const setAvailable = (service: Service): void => {
    status = { tier: 'system', detail: `Notifications go to ${service.name}.` };
  };
  const setUnavailable = (error: unknown): void => {
    const whole = `The notification service does not answer (${messageOf(lost ?? error)}).`;
    const detail = error instanceof UnavailableError && lost === null ? error.message : whole;
    status = { tier: 'in_app', detail };
  };

  await inTime(find()).then(setAvailable, setUnavailable);
  return {
    status: () => status,
    async show(request, before) {
      try {
        const { service, number } = await inTime(
          find().then(async (found) => ({ service: found, number: await notify(found, request, before) })),
        );
        setAvailable(service);
        answered.delete(number);
        return { tier: 'system', detail: service.name, desktop: { bus: service.busId, owner: service.owner, number } };
      } catch (error) {
        known = null;
        setUnavailable(error);
        return { tier: 'in_app', detail: status.detail };
      }
    },
    async close() {
      await bus?.close();
    },
  };
}

/** Why there is no service to ask. */
class UnavailableError extends Error {}

async function notify(service: Service, request: ShellRequest, before: DesktopHandle | null): Promise<number> {
  const { Variant } = (await import('dbus-native')).default;
  // A number of another bus or of a restarted service may belong to another program by now.
  const replaces =
    before !== null && before.bus === service.busId && before.owner === service.owner ? before.number : 0;
  const hints = {
    urgency: new Variant('y', URGENCY[request.urgency]),
    'suppress-sound': new Variant('b', request.silent),
    'desktop-entry': new Variant('s', 'barograph'),
    // dunst replaces by this tag even where a crash lost the number.
    'x-dunst-stack-tag': new Variant('s', `${request.profile}/${request.id}`),
  };
  const body = service.markup ? escapeMarkup(request.body) : request.body;
  const number = await service.bus.invoke({
    ...OBJECT,
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
