// Main, Electron shell: updates. No check before the user turns it on; unsigned builds only report.
// A failure is reported with the link for a manual download.
import { parse } from 'yaml';
import { z } from 'zod';
import { refused } from '../../shared/channels/channel.ts';
import type { UpdateView } from '../../shared/channels/shell.ts';
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { timestamp } from '../../shared/wire/primitives.ts';

/** The part of electron-updater in use. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  disableWebInstaller: boolean;
  requestHeaders: Record<string, number | string | string[] | undefined> | null;
  checkForUpdates(): Promise<{
    readonly isUpdateAvailable: boolean;
    readonly updateInfo: { readonly version: string };
  } | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(isSilent?: boolean, isForceRunAfter?: boolean): void;
}

/** The feed where this build checks for updates. */
export interface Feed {
  /** https. */
  readonly url: string;
  /** True where a publisher signed this build, so that a newer build can prove the same origin. */
  readonly signed: boolean;
}

export interface Updates {
  view(): UpdateView;
  /** Why this build cannot check; null where it can. */
  readonly unavailableReason: Message | null;
  check(): Promise<void>;
  /**
   * Ends the program and installs the update.
   * @throws RefusedError where no update is ready
   */
  install(): void;
  stop(): void;
}

export interface UpdatesDeps {
  /** null: this build knows no feed. */
  readonly feed: Feed | null;
  /** Loads the updater on first use. */
  readonly load: () => Promise<Updater>;
  readonly clock: Clock;
  /** The user turned the check on. */
  readonly isEnabled: () => boolean;
  /** Called before the program ends for an update: windows must not block their closing. */
  readonly onInstall: () => void;
  readonly onChange: () => void;
}

/** Delay of the first check after the start, ms. */
const FIRST_CHECK_MS = 60_000;
const CHECK_INTERVAL_MS = DAY_MS;
const NO_FEED = message('update.no_feed');

export function createUpdates({ feed, load, clock, isEnabled, onInstall, onChange }: UpdatesDeps): Updates {
  const link = feed?.url ?? null;
  let view: UpdateView = {
    status: 'unknown',
    version: null,
    message: feed === null ? NO_FEED : null,
    link,
    checked_at: null,
  };
  let updater: Updater | null = null;
  let inFlight: Promise<void> | null = null;

  const set = (status: UpdateView['status'], found: Message, version = view.version): void => {
    view = { ...view, status, message: found, version };
    onChange();
  };
  const prepared = async (): Promise<Updater> => {
    if (updater !== null) return updater;
    updater = await load();
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = feed?.signed === true;
    updater.allowDowngrade = false;
    updater.disableWebInstaller = true;
    // The library would send a constant number, by which the publisher could track installations.
    updater.requestHeaders = { 'x-user-staging-id': 'none' };
    return updater;
  };
  const attempt = async (): Promise<void> => {
    set('checking', message('update.checking'));
    try {
      const using = await prepared();
      const found = await using.checkForUpdates();
      // The library looks nowhere where it would not know how to install.
      if (found === null) throw new Error('this copy does not know how it was installed');
      view = { ...view, checked_at: timestamp(clock.now()) };
      if (!found.isUpdateAvailable) return set('current', message('update.current'), null);
      const { version } = found.updateInfo;
      if (feed?.signed !== true) return set('available', message('update.available', { version }), version);
      set('loading', message('update.loading', { version }), version);
      await using.downloadUpdate();
      set('ready', message('update.ready', { version }), version);
    } catch (error) {
      set('failed', message('update.failed', { why: firstLine(messageOf(error)) }));
    }
  };
  const check = (): Promise<void> => {
    if (feed === null) return Promise.reject(refused(NO_FEED));
    // A downloaded update stays ready: another check would download it again.
    if (view.status === 'ready') return Promise.resolve();
    inFlight ??= attempt().finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
  const checkIfEnabled = (): void => {
    if (feed !== null && isEnabled()) void check();
  };

  const stops: Cancel[] = [
    clock.after(FIRST_CHECK_MS, checkIfEnabled),
    every(clock, CHECK_INTERVAL_MS, checkIfEnabled),
  ];
  return {
    view: () => view,
    unavailableReason: feed === null ? NO_FEED : null,
    check,
    install() {
      if (view.status !== 'ready' || updater === null) throw refused(message('update.none_ready'));
      onInstall();
      updater.quitAndInstall(false, true);
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 300) ?? '';

const FeedSchema = z.discriminatedUnion('provider', [
  z.looseObject({
    provider: z.literal('generic'),
    url: z.url({ protocol: /^https$/ }),
    publisherName: z.unknown().optional(),
  }),
  z.looseObject({
    provider: z.literal('github'),
    owner: z.string().regex(/^[\w.-]+$/),
    repo: z.string().regex(/^[\w.-]+$/),
    publisherName: z.unknown().optional(),
  }),
]);

/**
 * Reads app-update.yml, which the packager writes beside the program.
 * @param isMacSigned whether the running bundle bears a developer's signature
 * @returns null where it names no feed, or no https address
 */
export function readFeed(text: string | null, platform: NodeJS.Platform, isMacSigned: boolean): Feed | null {
  if (text === null) return null;
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return null;
  }
  const feed = FeedSchema.safeParse(value);
  if (!feed.success) return null;
  const { data } = feed;
  const url = data.provider === 'generic' ? data.url : `https://github.com/${data.owner}/${data.repo}/releases`;
  return { url, signed: isSigned(data.publisherName, platform, isMacSigned) };
}

/**
 * True for a signed build. The packager names the publisher only where it signed for Windows; signatures of
 * Linux packages are not verified.
 */
function isSigned(publisherName: unknown, platform: NodeJS.Platform, isMacSigned: boolean): boolean {
  if (platform === 'darwin') return isMacSigned;
  return (
    platform === 'win32' &&
    (typeof publisherName === 'string' || Array.isArray(publisherName)) &&
    publisherName.length > 0
  );
}

/** @param output what `codesign --display --verbose=2` says of the bundle */
export const isMacSignature = (output: string): boolean => /^TeamIdentifier=[A-Z0-9]{10}$/m.test(output);
