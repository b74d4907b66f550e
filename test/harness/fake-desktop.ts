// Test harness: a session bus in this process, and a desktop on it that records notifications.
import dbus, { type MessageBus } from 'dbus-native';

const NAME = 'org.freedesktop.Notifications';

export interface FakeBus {
  readonly address: string;
  close(): Promise<void>;
}

/** @param socket path of the socket that it listens on */
export async function startBus(socket: string): Promise<FakeBus> {
  const broker = dbus.createBroker();
  const address = await new Promise<string>((resolve, reject) => {
    broker.listen({ socket }, (problem, at) => (problem === null ? resolve(at) : reject(problem)));
  });
  return { address, close: () => new Promise((resolve) => void broker.close(resolve)) };
}

export interface ShownNotification {
  /** One that replaces another has its number. */
  readonly number: number;
  readonly app: string;
  readonly replaces: number;
  readonly title: string;
  readonly body: string;
  readonly hints: Record<string, unknown>;
  readonly expiry: number;
  /** Key and label alternate. */
  readonly actions: readonly string[];
}
/** A notification service like those of desktops. */
export interface FakeDesktop {
  readonly shown: ShownNotification[];
  /** Numbers of those that were withdrawn. */
  readonly closed: number[];
  /** The user presses a button of a notification. */
  press(number: number, key: string): void;
  /** The user closes a notification. */
  dismiss(number: number): void;
  close(): Promise<void>;
}

interface DesktopOptions {
  /** The name that it reports. */
  readonly name?: string;
  readonly onShown?: (shown: ShownNotification, number: number) => void;
}

/**
 * @param able capabilities that it reports besides a body
 */
export async function startDesktop(
  address: string,
  able: readonly string[] = ['body-markup'],
  { name = 'fake', onShown }: DesktopOptions = {},
): Promise<FakeDesktop> {
  const bus: MessageBus = dbus.sessionBus({ busAddress: address });
  const shown: ShownNotification[] = [];
  const closed: number[] = [];
  let last = 0;
  bus.exportInterface(
    {
      Notify(
        app: string,
        replaces: number,
        _icon: string,
        title: string,
        body: string,
        actions: string[],
        hints: object,
        expiry: number,
      ) {
        if (replaces === 0) last += 1;
        const number = replaces === 0 ? last : replaces;
        const taken = { number, app, replaces, title, body, hints: { ...hints }, expiry, actions };
        shown.push(taken);
        onShown?.(taken, number);
        return number;
      },
      CloseNotification(number: number) {
        closed.push(number);
      },
      GetCapabilities() {
        return ['body', ...able];
      },
      GetServerInformation() {
        return [name, 'test', '1.0', '1.2'];
      },
    },
    '/org/freedesktop/Notifications',
    {
      name: NAME,
      methods: {
        Notify: ['susssasa{sv}i', 'u', [], []],
        CloseNotification: ['u', '', [], []],
        GetCapabilities: ['', 'as', [], []],
        GetServerInformation: ['', 'ssss', [], []],
      },
      signals: {},
      properties: {},
    },
  );
  if ((await bus.requestName(NAME, 0)) !== 1) throw new Error(`${NAME} is taken on this bus`);
  return {
    shown,
    closed,
    press: (number, key) =>
      bus.sendSignal('/org/freedesktop/Notifications', NAME, 'ActionInvoked', 'us', [number, key]),
    dismiss: (number) =>
      bus.sendSignal('/org/freedesktop/Notifications', NAME, 'NotificationClosed', 'uu', [number, 2]),
    close: () => bus.close(),
  };
}

interface TrayWatcher {
  /** Reports a button as pressed without permission. */
  say(number: number, key: string): void;
  close(): Promise<void>;
}
/** A tray watcher, with or without a host. */
export async function startTrayWatcher(address: string, hasHost: boolean): Promise<TrayWatcher> {
  const bus: MessageBus = dbus.sessionBus({ busAddress: address });
  bus.exportInterface({ IsStatusNotifierHostRegistered: hasHost }, '/StatusNotifierWatcher', {
    name: 'org.kde.StatusNotifierWatcher',
    methods: {},
    signals: {},
    properties: { IsStatusNotifierHostRegistered: 'b' },
  });
  await bus.requestName('org.kde.StatusNotifierWatcher', 0);
  return {
    say: (number, key) => bus.sendSignal('/org/freedesktop/Notifications', NAME, 'ActionInvoked', 'us', [number, key]),
    close: () => bus.close(),
  };
}
