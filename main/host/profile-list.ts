// Main, host: the list of all profiles for windows, pushed when it has changed.
import { KEY_TIERS } from '../../shared/channels/keys.ts';
import type { ProfileEntry, Profiles } from '../../shared/channels/profiles.ts';
import { listsOfProfile, watchedSymbols } from '../../shared/domain/watchlists.ts';
import type { ShownProgress } from '../../shared/lib/progress.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message, plainMessage } from '../../shared/text/message.ts';
import { tierLabel } from '../core/keys/key-store.ts';
import type { Profile, Settings } from '../core/profiles/settings.ts';
import { fileProblems } from './file-problems.ts';
import { OccupiedError, type OpenDataFolder, type ProfileRuntime } from './profile-runtime.ts';
import type { ProfileRuntimes } from './profile-runtimes.ts';

export interface ProfileList {
  /** The list for a window of this profile. */
  view(shown: string): Profiles;
  /** Pushes the list to every window, unless it equals the last push. */
  push(): void;
  /** Shows the profile as opening while the work runs. */
  whileOpening(profile: string, work: () => Promise<void>): Promise<void>;
  /** Shows a window of the profile how far the reading of price files is that it asked for. */
  whileReading<Result>(
    shown: string,
    work: (onProgress: (progress: ShownProgress) => void) => Promise<Result>,
  ): Promise<Result>;
}

/** Why each of these profiles is not watched here. */
export const failureMessages = (failures: ProfileRuntimes['failures']): Message[] =>
  [...failures].map(([name, why]) => message('profile.not_opened', { name, why: messageOf(why) }));

/** Problems of the data folder, the worst first. A profile that another program watches is none. */
export function problemsOf(
  { path, settings }: Pick<OpenDataFolder, 'path' | 'settings'>,
  { running, problems }: Pick<ProfileRuntimes, 'running' | 'problems'>,
): Message[] {
  const failed = new Map([...problems()].filter(([, why]) => !(why instanceof OccupiedError)));
  const unusable = fileProblems(path, [...running.keys(), ...failed.keys()]);
  const ofSettings = settings.problem();
  return [
    ...failureMessages(failed),
    ...unusable.map(({ found, cure }) => message('files.unusable', { found, cure })),
    ...(ofSettings === null ? [] : [ofSettings]),
  ];
}

export function createProfileList(
  folder: Pick<OpenDataFolder, 'path' | 'settings' | 'keyStore'>,
  runtimes: Pick<ProfileRuntimes, 'running' | 'failures' | 'problems'>,
  platform: NodeJS.Platform,
): ProfileList {
  const { settings, keyStore } = folder;
  const { running, failures } = runtimes;
  const opening = new Set<string>();
  const reading = new Map<string, ShownProgress>();
  let lastPushed = '';

  const entries = (): ProfileEntry[] => {
    const { profiles, watchlists } = settings.read();
    return profiles.map((profile) => {
      const runtime = running.get(profile.name);
      const entry = entryOf(profile, runtime, opening, failures.get(profile.name));
      return { ...entry, ...folderOf(profile, runtime, watchlists) };
    });
  };
  const view = (shown: string, profiles = entries()): Profiles => ({
    shown,
    profiles,
    tiers: KEY_TIERS.map((tier) => ({ tier, label: tierLabel(tier, platform) })),
    problem: problemsOf(folder, runtimes)[0] ?? null,
    ...progressOf(reading.get(shown)),
    vault: !keyStore.passphrase.isLocked() ? 'open' : keyStore.passphrase.exists() ? 'locked' : 'none',
  });
  const push = (): void => {
    const listed = entries();
    const now = JSON.stringify([listed, problemsOf(folder, runtimes), keyStore.passphrase.isLocked(), [...reading]]);
    if (now === lastPushed) return;
    lastPushed = now;
    for (const [name, runtime] of running) runtime.push('profiles.changed', view(name, listed));
  };
  return {
    view: (shown) => view(shown),
    push,
    async whileOpening(profile, work) {
      opening.add(profile);
      push();
      try {
        await work();
      } finally {
        opening.delete(profile);
      }
    },
    whileReading: (shown, work) =>
      work((progress) => void reading.set(shown, progress)).finally(() => void reading.delete(shown)),
  };
}

/** What the window shows of the price folder of a profile that runs here. */
function folderOf(
  { name, listed }: Profile,
  runtime: ProfileRuntime | undefined,
  watchlists: Settings['watchlists'],
): Pick<ProfileEntry, 'folder'> {
  const found = runtime?.embedded?.folder() ?? null;
  if (found === null) return {};
  const { symbols, ...folder } = found;
  const known = new Set([...(listed ?? []), ...watchedSymbols(listsOfProfile(watchlists, name))]);
  return { folder: { ...folder, unwatched: symbols.filter((symbol) => !known.has(symbol)) } };
}

const progressOf = (reading: ShownProgress | undefined): Pick<Profiles, 'reading'> =>
  reading === undefined ? {} : { reading: message('work.progress', reading) };

function entryOf(
  profile: Profile,
  runtime: ProfileRuntime | undefined,
  opening: ReadonlySet<string>,
  why: unknown,
): ProfileEntry {
  const { name, environment, enabled, baseUrl, mode, prices, feed, scenario, states } = profile;
  const status = runtime?.core.status();
  const common = {
    name,
    environment,
    enabled,
    source:
      baseUrl !== null
        ? { kind: 'remote' as const, url: baseUrl, mode, ...(states === undefined ? {} : { states }) }
        : prices !== undefined
          ? { kind: 'prices' as const, ...prices }
          : feed !== undefined
            ? { kind: 'feed' as const, feed: feed.name }
            : { kind: 'simulated' as const, scenario: scenario ?? null },
    replay: status?.replay ?? (prices?.replay ?? null) !== null,
    high: status?.high ?? 0,
    key: runtime?.keys?.state() ?? null,
  };
  const start = runtime?.embedded?.status();
  if (start?.kind === 'failed') return { ...common, status: 'failed', message: plainMessage(start.why) };
  if (start?.kind === 'starting')
    return {
      ...common,
      status: 'opening',
      message: start.progress === null ? null : message('work.progress', start.progress),
    };
  if (status !== undefined)
    return {
      ...common,
      status: status.offlineReason !== null ? 'offline' : status.staleReason !== null ? 'stale' : 'connected',
      message: status.offlineReason ?? status.staleReason,
    };
  if (opening.has(name)) return { ...common, status: 'opening', message: null };
  if (why instanceof OccupiedError) return { ...common, status: 'elsewhere', message: why.description };
  if (why !== undefined) return { ...common, status: 'failed', message: plainMessage(messageOf(why)) };
  return { ...common, status: 'off', message: null };
}
