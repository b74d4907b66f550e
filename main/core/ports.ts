// Main, core: what the core needs from outside; a shell passes these objects in.
// The core imports no shell and reads no global.
import type { FetchLike } from '../../client/request.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { NotificationChannel } from '../../shared/settings/alert-rules.ts';
import type { ReaderFactory } from './archive/reader.ts';
import type { Settings } from './profiles/settings.ts';
import type { RelayServer } from './relay/server.ts';

export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** keytar's four verbs, so that any keychain can stand behind it. `service` is the profile, `account` the item's name. */
export interface KeyVault {
  /** Where keys are kept, as text for the user: "Secret Service (GNOME Keyring)", "this session only". */
  readonly tier: string;
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
  findCredentials(service: string): Promise<{ account: string; password: string }[]>;
}

export interface NotificationRequest {
  /** Stable: the same id replaces, it never stacks. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly urgency: 'low' | 'normal' | 'critical';
  /** Sandbox notifications are silent. */
  readonly silent: boolean;
  /** What a click opens. */
  readonly symbol: string | null;
  /** Buttons, where the desktop has them; a click on the notification itself always opens. Left out: none. */
  readonly answers?: readonly ('acknowledge' | 'snooze')[];
  /** Of a digest: the ids under which its alerts would have been notified alone. */
  readonly names?: readonly string[];
}

export type NotificationOutcome =
  /** The desktop's notification service took it. */
  | { readonly tier: 'system'; readonly detail: string }
  /** There is none, or it refused: the window must show it. */
  | { readonly tier: 'in_app'; readonly detail: string };

export interface Notifier {
  /** Resolves when the dispatch is decided; a rejection leaves the intent open, and it is shown again under the same id. */
  show(request: NotificationRequest): Promise<NotificationOutcome>;
  /** What `show` would do now. */
  status(): { readonly tier: 'system' | 'in_app'; readonly detail: string };
}

/** What goes to a channel of a rule: a notification in the channel's words. */
export interface ChannelMessage {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly urgency: NotificationRequest['urgency'];
}

/** Channels of rules besides the desktop. */
export interface NotificationChannels {
  /** Resolves, with what the other side said, when it was taken. @throws Error with a message for the user when it was not */
  send(channel: NotificationChannel, message: ChannelMessage, secret: string | null): Promise<string>;
}

export type { FetchLike };

/** The settings file of one data folder, shared by all profiles. Reads are checked against the schema; a bad file is quarantined and said. */
export interface SettingsStore {
  read(): Settings;
  /** Writes the file whole and atomically. */
  write(settings: Settings): void;
}

export interface Ports {
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: FetchLike;
  readonly vault: KeyVault;
  readonly notifier: Notifier;
  readonly channels: NotificationChannels;
  readonly logger: Logger;
  readonly settings: SettingsStore;
  /** Folder of this profile: ledger and archive live in it. ":memory:" keeps everything in memory. */
  readonly folder: string;
  /** Listens for webhooks and passes events on. Without it this program has no relay. */
  readonly relay?: RelayServer;
  /** Starts what reads the archive away from the core's thread. Without it this program keeps no archive. */
  readonly archive?: ReaderFactory;
  /** By which way requests to the service leave this computer, and who vouches for it, as text; answers at once. */
  readonly networkPath?: () => { readonly proxy: string; readonly certificate: string };
  /** Writes a report of a problem, as Markdown. */
  readonly report?: () => string;
}
