// Main, core: the ports of the core: objects that a shell passes in.
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

/**
 * keytar's four verbs, so that any keychain can implement it. `service` is the profile, `account` the item's
 * name.
 */
export interface KeyVault {
  /** Where keys are kept, as text for the user: "Secret Service (GNOME Keyring)", "this session only". */
  readonly tier: string;
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
  findCredentials(service: string): Promise<{ account: string; password: string }[]>;
}

export interface NotificationRequest {
  /** Stable: the same id replaces, and never stacks. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly urgency: 'low' | 'normal' | 'critical';
  /** Sandbox notifications are silent. */
  readonly silent: boolean;
  /** The symbol that a click opens. */
  readonly symbol: string | null;
  /** Buttons, where the desktop has them; a click on the notification itself always opens. Absent: none. */
  readonly answers?: readonly ('acknowledge' | 'snooze')[];
  /** Of a digest: the ids that its alerts would have alone. */
  readonly names?: readonly string[];
}

export type NotificationOutcome =
  /** The desktop's notification service accepted it. */
  | { readonly tier: 'system'; readonly detail: string }
  /** There is no service, or it refused: the window must show the notification. */
  | { readonly tier: 'in_app'; readonly detail: string };

export interface Notifier {
  /**
   * Resolves when the dispatch is decided; a rejection leaves the intent open, and it is shown again under
   * the same id.
   */
  show(request: NotificationRequest): Promise<NotificationOutcome>;
  /** What `show` would do now. */
  status(): { readonly tier: 'system' | 'in_app'; readonly detail: string };
}

/** A notification in the format of a rule's channel. */
export interface ChannelMessage {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly urgency: NotificationRequest['urgency'];
}

/** Channels of rules besides the desktop. */
export interface NotificationChannels {
  /**
   * Resolves, with the receiver's answer, when it was accepted. @throws Error with a message for the user
   * when it was not
   */
  send(channel: NotificationChannel, message: ChannelMessage, secret: string | null): Promise<string>;
}

export type { FetchLike };

/**
 * The settings file of one data folder, shared by all profiles. Reads are validated; an invalid file is
 * quarantined and reported.
 */
export interface SettingsStore {
  read(): Settings;
  /** Writes the whole file atomically. */
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
  /** Folder of this profile, with ledger and archive. ":memory:" keeps everything in memory. */
  readonly folder: string;
  /** Receives webhooks and forwards events. Absent: this program has no relay. */
  readonly relay?: RelayServer;
  /** Starts the reader of the archive, off the core's thread. Absent: this program has no archive. */
  readonly archive?: ReaderFactory;
  /** Proxy and certificate authority of requests to the service, as text; returns at once. */
  readonly networkPath?: () => { readonly proxy: string; readonly certificate: string };
  /** Writes a problem report, as Markdown. */
  readonly report?: () => string;
}
