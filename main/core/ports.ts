// Main, core: the ports of the core: objects that a shell passes in.
// The core imports no shell and reads no global.
import type { ListenerReader } from '../../client/key-gate.ts';
import type { FetchLike } from '../../client/request.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { SoundName } from '../../shared/settings/alert-rules.ts';
import type { Message } from '../../shared/text/message.ts';
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
  /** Where keys are kept. */
  readonly tier: Message;
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
  /** Notifications of a sandbox and of a replay are silent. */
  readonly silent: boolean;
  /** Played by the desktop where it can. Absent: its own sound, unless `silent`. */
  readonly sound?: SoundName;
  /** The symbol that a click opens. */
  readonly symbol: string | null;
  /** Buttons, where the desktop has them; a click on the notification itself always opens. Absent: none. */
  readonly answers?: readonly ('acknowledge' | 'snooze')[];
  /** Counts the times that it grew, from 1; absent: 1. The same for every attempt to send one revision. */
  readonly revision?: number;
  /** Of a digest: the ids that its alerts would have alone. */
  readonly names?: readonly string[];
}

export type NotificationOutcome =
  /** The desktop's notification service accepted it. */
  | {
      readonly tier: 'system';
      readonly detail: Message | null;
      /** Whether it plays the sound of a notification; absent: nobody knows. */
      readonly plays?: boolean;
    }
  /** The desktop is away: gone, silent, or it refused. The notification stays open. */
  | { readonly tier: 'in_app'; readonly detail: Message | null };

/** What was dispatched about events, by this program and earlier ones. */
export interface NotificationHistory {
  /** Ids that the desktop took, and those that digests named. */
  readonly shown: ReadonlySet<string>;
  /** Ids that were attempted, and that the desktop has not taken. */
  readonly open: ReadonlySet<string>;
  /** When the newest of `shown` was taken, this computer's clock, ms; null: none was. */
  readonly newest: number | null;
}

export interface Notifier {
  /**
   * Resolves when the dispatch is decided; a rejection leaves it pending, and it is shown again under
   * the same id.
   */
  show(request: NotificationRequest): Promise<NotificationOutcome>;
  /** Removes a notification from the screen, where the desktop can; without an answer. Absent: this shell cannot. */
  readonly withdraw?: (id: string) => void;
  /** Calls the listener when the desktop may have returned. Absent: this shell does not learn of it. */
  readonly onReturn?: (listener: () => void) => Cancel;
  /** Reads what was dispatched. Absent: this program keeps no record that outlives the ledger. */
  readonly history?: () => NotificationHistory;
  /** What `show` would do now. */
  status(): { readonly tier: 'system' | 'in_app'; readonly detail: Message };
}

export type { FetchLike };

/**
 * The settings file of one data folder, shared by all profiles and programs. Every read returns valid settings:
 * those of the file, or the last valid ones.
 */
export interface SettingsStore {
  read(): Settings;
  /**
   * Reads the file and writes the result of `job`, while no other program does.
   * @throws RefusedError where a newer version wrote the file
   */
  change(job: (now: Settings) => Settings): void;
}

export interface Ports {
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: FetchLike;
  readonly vault: KeyVault;
  readonly notifier: Notifier;
  readonly logger: Logger;
  readonly settings: SettingsStore;
  readonly host?: HostServices;
}

/** Services that some programs lack. */
export interface HostServices {
  /** Receives webhooks and forwards events. Absent: this program has no relay. */
  readonly relay?: RelayServer;
  /** Starts the reader of the archive, off the core's thread. Absent: this program has no archive. */
  readonly archive?: ReaderFactory;
  /** Proxy and certificate authority of requests to the service, as text; returns at once. */
  readonly networkPath?: () => { readonly proxy: Message; readonly certificate: Message };
  /** Whose program listens at an address of this computer. Absent: that cannot be known. */
  readonly listener?: ListenerReader;
  /** Writes a problem report, as Markdown. */
  readonly report?: () => string;
}
