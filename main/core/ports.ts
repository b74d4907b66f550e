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
  /** Storage of the keys, for display. */
  readonly tier: Message;
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
  findCredentials(service: string): Promise<{ account: string; password: string }[]>;
}

export interface NotificationRequest {
  /** Stable: a notification with the same id replaces the earlier one. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly urgency: 'low' | 'normal' | 'critical';
  /** Notifications of a sandbox and of a replay are silent. */
  readonly silent: boolean;
  /** Sound for the desktop to play, if it can. Absent: the desktop's own sound, unless `silent`. */
  readonly sound?: SoundName;
  /** The symbol that a click opens. */
  readonly symbol: string | null;
  /**
   * Buttons, where the desktop has them; a click on the notification itself always opens. Absent: none. Always the
   * first of `BUTTONS`.
   */
  readonly answers?: readonly [] | readonly ['acknowledge'] | readonly ['acknowledge', 'snooze'];
  /** Revision: 1, plus one for each growth; absent: 1. The same for every attempt of a revision. */
  readonly revision?: number;
  /** For a digest: the ids that its alerts would have alone. */
  readonly names?: readonly string[];
}

export type NotificationOutcome =
  /** The desktop's notification service accepted it. */
  | {
      readonly tier: 'system';
      readonly detail: Message | null;
      /** True when it plays the sound of a notification; absent: unknown. */
      readonly plays?: boolean;
    }
  /** The desktop is away: gone, silent, or it refused. The notification stays pending. */
  | { readonly tier: 'in_app'; readonly detail: Message | null };

/** Notifications about events that this and earlier runs dispatched. */
export interface NotificationHistory {
  /** Ids that the desktop accepted, also those that digests named. */
  readonly shown: ReadonlySet<string>;
  /** Ids that were attempted, and that the desktop has not accepted. */
  readonly open: ReadonlySet<string>;
  /** Time of the newest acceptance, this computer's clock, ms; null: none. */
  readonly newest: number | null;
}

export interface Notifier {
  /**
   * Resolves when the dispatch is decided; a rejection leaves it pending, and it is shown again under
   * the same id.
   */
  show(request: NotificationRequest): Promise<NotificationOutcome>;
  /** Removes a notification from the screen, if the desktop can. Absent: this shell cannot. */
  readonly withdraw?: (id: string) => void;
  /** Whether the desktop shows a picture as large as it can be read. Absent: it never does. */
  readonly showsPictures?: () => boolean;
  /** Adds a picture to a notification that is on the screen, without a sound. */
  readonly addPicture?: (request: NotificationRequest, png: Uint8Array) => Promise<void>;
  /** Calls the listener when the desktop may have returned. Absent: this shell cannot detect it. */
  readonly onReturn?: (listener: () => void) => Cancel;
  /** Reads the history; null: it cannot be read. Absent: this shell stores none outside the ledger. */
  readonly history?: () => NotificationHistory | null;
  /** The tier that `show` would use now. */
  status(): { readonly tier: 'system' | 'in_app'; readonly detail: Message };
}

export type { FetchLike };

/**
 * The settings file of one data folder, shared by all profiles and programs. Every read returns valid
 * settings: from the file, or the last valid ones.
 */
export interface SettingsStore {
  read(): Settings;
  /**
   * Reads the file and writes the result of `job`, while it locks other programs out.
   * @throws RefusedError when a newer version wrote the file
   */
  change(job: (now: Settings) => Settings): void;
  /** Calls the listener of every change, whoever made it. Absent: only this core changes them. */
  onChange?(listener: () => void): () => void;
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

/** A process for one request, started by a shell. */
export interface ChildProcess<Request> {
  send(request: Request): void;
  onReply(listener: (reply: unknown) => void): void;
  /** Calls the listener when the process ended or could not be started, with a short reason. */
  onEnd(listener: (why: string) => void): void;
  kill(): void;
}
export type ProcessStarter<Request> = () => ChildProcess<Request>;

/** Services that some programs lack. */
export interface HostServices {
  /** Receives webhooks and forwards events. Absent: this program has no relay. */
  readonly relay?: RelayServer;
  /** Starts the reader of the archive, off the core's thread. Absent: this program has no archive. */
  readonly archive?: ReaderFactory;
  /** Starts a process that runs `picture-process.ts`. Absent: this program makes no pictures. */
  readonly startPicture?: ProcessStarter<string>;
  /** Proxy and certificate authority of requests to the service, as text; returns at once. */
  readonly networkPath?: () => { readonly proxy: Message; readonly certificate: Message };
  /** Finds the owner of the program at an address of this computer. Absent: this program cannot. */
  readonly listener?: ListenerReader;
  /** Writes a problem report, as Markdown. */
  readonly report?: () => string;
}
