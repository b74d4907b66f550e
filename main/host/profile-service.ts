// Main, host: answers the channels about all profiles: list, add, remove, enable, open a window.
import { statSync } from 'node:fs';
import { refused } from '../../shared/channels/channel.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import type { PriceReport, ProfileChannels } from '../../shared/channels/profiles.ts';
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { message } from '../../shared/text/message.ts';
import { createConnectionTests } from '../core/profiles/connection-test.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { EmbeddedServices, PriceChecker } from './embedded-service.ts';
import { createFeedTests } from './feed-tests.ts';
import { listFolderSymbols } from './folder-symbols.ts';
import type { Machine } from './machine.ts';
import type { ShellNotifier } from './notification-log.ts';
import { keepPriceFile } from './price-files.ts';
import type { ProblemAlarm } from './problem-alarm.ts';
import type { Prepare } from './profile-adder.ts';
import { createProfileEditor } from './profile-editor.ts';
import { createProfileFollower } from './profile-follower.ts';
import { createProfileList } from './profile-list.ts';
import type { OpenDataFolder } from './profile-runtime.ts';
import type { ProfileRuntimes } from './profile-runtimes.ts';

export interface ProfileService {
  /** Handlers for a window of this profile. */
  readonly handlersOf: (profile: string) => Handlers<ProfileChannels>;
  /** Starts pushing changes to the windows, and following the settings file. */
  start(): void;
  /** Waits for pending openings and closings. */
  close(): Promise<void>;
}

export interface ProfileServiceDeps {
  readonly machine: Pick<Machine, 'clock' | 'fetch' | 'platform' | 'listener'>;
  readonly folder: OpenDataFolder;
  readonly runtimes: ProfileRuntimes;
  readonly embedded: Pick<EmbeddedServices, 'checkPrices' | 'checkFeed'>;
  readonly problemAlarm: ProblemAlarm;
  readonly notifier: Pick<ShellNotifier, 'withdraw'>;
  readonly run: RunOptions;
  /** @returns the address that opens a window, once, where the shell opens none itself */
  readonly openWindow: (profile: string) => Promise<string | null>;
}

/** Options of this run of the program that are not in the settings. */
export interface RunOptions {
  /** False where the running profiles are not those of the settings. */
  readonly followsSettings: boolean;
  /** BAROGRAPH_KEY, where it is for this profile. */
  keyOf(profile: Profile): string | null;
}

/** Poll interval for changes, ms. */
const POLL_INTERVAL = 1_000;

export function createProfileService(deps: ProfileServiceDeps): ProfileService {
  const { machine, folder, runtimes } = deps;
  const { checkFeed } = deps.embedded;
  const { check, checked } = createPriceChecks(deps.embedded.checkPrices, machine.clock);
  const list = createProfileList(folder, runtimes, machine.platform);
  const connectionTests = createConnectionTests(machine.fetch, machine.clock, machine.listener);
  const feedTests = createFeedTests(checkFeed, machine.clock);
  const editor = createProfileEditor({
    folder,
    runtimes,
    connectionTests,
    feedTests,
    checkPrices: checked,
    notifier: deps.notifier,
    open: (profile, prepare) => openReady(profile, prepare),
  });
  const open = (profile: Profile, options: Omit<Parameters<typeof runtimes.open>[1], 'handlers'>) =>
    list.whileOpening(profile.name, () => runtimes.open(profile, { ...options, handlers: handlersOf(profile.name) }));
  /**
   * Opens a profile that a window asks for: one whose service does not start is not opened. Price folders were
   * checked, and may take minutes: their profiles start behind their windows.
   */
  const openReady = async (profile: Profile, prepare?: Prepare): Promise<void> => {
    await open(profile, { runKey: null, ...(prepare === undefined ? {} : { prepare }) });
    if (profile.prices === undefined) await readyOrEnded(runtimes, profile.name);
  };
  /** Opens a profile of the settings; a failure is that of the profile. */
  const openAgain = (profile: Profile): Promise<void> =>
    open(profile, { runKey: deps.run.keyOf(profile) }).catch((error) => {
      runtimes.noteFailure(profile.name, error);
      throw error;
    });
  const jobs = createJobs(list.push);
  const { runExclusive } = jobs;
  let stopPolling: Cancel = () => undefined;

  const handlersOf = (shown: string): Handlers<ProfileChannels> => ({
    'profiles.read': () => list.view(shown),
    'profiles.test': (request) =>
      connectionTests.run(
        request,
        editor.profiles().map(({ name }) => name),
      ),
    'profiles.test_stream': ({ draft }) => connectionTests.stream(draft),
    'profiles.test_feed': (request) => feedTests.run(request),
    'profiles.check_prices': ({ answers, ...folders }) =>
      list.whileReading(shown, (onProgress) => check(folders, answers, onProgress)),
    'profiles.keep_price_file': (part) => {
      const used = editor.profiles().flatMap(({ prices }) => prices?.folder ?? []);
      return { folder: keepPriceFile(folder.path, part, used, machine.clock.now()) };
    },
    'profiles.add': ({ name, source }) => runExclusive(() => editor.add(name, source)),
    'profiles.enable': ({ name, enabled }) =>
      runExclusive(async () => {
        await (enabled ? editor.enable(name) : editor.disable(name, shown));
        return {};
      }),
    'profiles.map_states': ({ name, states }) =>
      runExclusive(async () => {
        editor.mapStates(name, states);
        return {};
      }),
    'profiles.pause': async ({ paused }) => {
      await runtimes.running.get(shown)?.pauseReplay(paused);
      return {};
    },
    // Answers before the window ends.
    'profiles.restart': () => {
      const profile = runtimes.running.get(shown)?.profile;
      if (profile !== undefined)
        runExclusive(() => openAgain(profile)).catch((error) => folder.logger.error({}, messageOf(error)));
      return {};
    },
    'profiles.remove': ({ name, files }) =>
      runExclusive(async () => {
        await editor.remove(name, shown, files);
        return {};
      }),
    'profiles.open': async ({ name }) => {
      if (!runtimes.running.has(name)) throw refused(message('profile.not_running', { name }));
      return { address: await deps.openWindow(name) };
    },
  });

  return {
    handlersOf,
    start() {
      const follower = createProfileFollower({
        clock: machine.clock,
        settings: folder.settings,
        runtimes,
        logger: folder.logger,
        runExclusive,
        open: openAgain,
      });
      const check = reportOnce(folder.logger, () => {
        list.push();
        folder.notificationLog.retry();
        deps.problemAlarm.check();
        if (deps.run.followsSettings) follower.check();
        for (const [name, { embedded }] of runtimes.running)
          listFolderSymbols(folder.settings, name, embedded?.folder()?.symbols ?? []);
      });
      stopPolling = every(machine.clock, POLL_INTERVAL, check);
    },
    async close() {
      stopPolling();
      connectionTests.forget();
      feedTests.forget();
      await jobs.close();
    },
  };
}

/** A report of a window counts for so long, ms. */
const REPORT_COUNTS = 600_000;

/**
 * Checks folders of prices; a window that has just read their report adds them without reading them again, unless
 * files were added or removed since: symbols outside of the report would be watched by no list.
 */
function createPriceChecks(
  checkPrices: PriceChecker,
  clock: Pick<Clock, 'now'>,
): { readonly check: PriceChecker; readonly checked: PriceChecker } {
  let last: { readonly key: string; readonly report: PriceReport; readonly at: number } | null = null;
  const keyOf = ({ folder, editorial, events }: Parameters<PriceChecker>[0]): string =>
    JSON.stringify([folder, editorial, events, changedAt(folder)]);
  const check: PriceChecker = async (folders, ...more) => {
    const report = await checkPrices(folders, ...more);
    last = { key: keyOf(report), report, at: clock.now() };
    return report;
  };
  return {
    check,
    checked: async (folders) =>
      last?.report.refused === null && last.key === keyOf(folders) && clock.now() - last.at < REPORT_COUNTS
        ? last.report
        : check(folders),
  };
}

/** When a file of a folder was last added or removed; null: the folder cannot be read. */
function changedAt(folder: string): number | null {
  try {
    return statSync(folder).mtimeMs;
  } catch {
    return null;
  }
}

/** @throws why the service of the profile does not start; the profile is ended then */
async function readyOrEnded(runtimes: ProfileRuntimes, name: string): Promise<void> {
  try {
    await runtimes.ready(name);
  } catch (error) {
    await runtimes.end(name);
    throw error;
  }
}

interface Jobs {
  runExclusive<Value>(job: () => Promise<Value>): Promise<Value>;
  /** Refuses further jobs, and waits for the last one. */
  close(): Promise<void>;
}

/** Runs one job at a time: two windows must not open the same profile, nor close the last two together. */
function createJobs(onDone: () => void): Jobs {
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  return {
    runExclusive(job) {
      const done = last.then(() => {
        if (isClosed) throw refused(message('app.ending'));
        return job();
      });
      last = done.catch(() => undefined);
      return done.finally(onDone);
    },
    async close() {
      isClosed = true;
      await last;
    },
  };
}

/** Returns a function that runs the job and logs its error once, since the error may last. */
function reportOnce(logger: OpenDataFolder['logger'], job: () => void): () => void {
  let last = '';
  return () => {
    try {
      job();
      last = '';
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== last) logger.error({}, problem);
      last = problem;
    }
  };
}
