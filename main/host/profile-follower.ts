// Main, host: follows changes to the profiles of the settings file while the app runs.
// Another program, or the user by hand, makes them.
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { ProfileRuntimes } from './profile-runtimes.ts';
import type { HostSettings } from './settings-store.ts';

export interface ProfileFollower {
  /** Called once a second. */
  check(): void;
}

export interface ProfileFollowerDeps {
  readonly clock: Clock;
  readonly settings: Pick<HostSettings, 'read'>;
  readonly runtimes: Pick<ProfileRuntimes, 'running' | 'failures' | 'end'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Begins to monitor a profile. A running one is replaced, and its windows go on with the new runtime. */
  readonly open: (profile: Profile) => Promise<void>;
  /** Waits for the changes that windows make. Rejects when the app ends. */
  readonly runExclusive: (job: () => Promise<void>) => Promise<void>;
}

/** Interval between attempts to open a profile that cannot be opened, ms. */
const RETRY_INTERVAL = 30_000;

export function createProfileFollower(deps: ProfileFollowerDeps): ProfileFollower {
  const { clock, settings, logger } = deps;
  const { running, failures, end } = deps.runtimes;
  const attempts = new Map<string, { readonly service: unknown; readonly at: number }>();
  const keyRecords = new Map<string, Profile['keys']>();
  let isBusy = false;
  let isNoneEnabled = false;
  let lastError = '';

  /** The enabled profiles of the last good settings; null: none is enabled. */
  const wanted = (): Map<string, Profile> | null => {
    const enabled = settings.read().profiles.filter((profile) => profile.enabled);
    // As in the window, the last profile cannot be turned off: an app without profiles would be silent.
    if (enabled.length === 0 && !isNoneEnabled)
      logger.warn({}, 'The settings file has no enabled profile. Those that run go on until it has one.');
    isNoneEnabled = enabled.length === 0;
    return isNoneEnabled ? null : new Map(enabled.map((profile) => [profile.name, profile]));
  };
  const mayOpen = (profile: Profile): boolean => {
    const now = running.get(profile.name);
    if (now !== undefined && isDeepStrictEqual(serviceOf(now.profile), serviceOf(profile))) return false;
    const before = attempts.get(profile.name);
    return (
      before === undefined ||
      clock.now() - before.at >= RETRY_INTERVAL ||
      !isDeepStrictEqual(before.service, serviceOf(profile))
    );
  };
  const dueOf = (profiles: Map<string, Profile>) => ({
    opened: [...profiles.values()].filter(mayOpen),
    ended: [...new Set([...running.keys(), ...failures.keys()])].filter((name) => !profiles.has(name)),
  });
  const open = async (profile: Profile): Promise<void> => {
    const { name } = profile;
    attempts.set(name, { service: serviceOf(profile), at: clock.now() });
    try {
      await deps.open(profile);
      attempts.delete(name);
      logger.info({}, `The settings file has the profile ${name}: it is watched.`);
    } catch (error) {
      const why = `The profile ${name} is not watched: ${messageOf(error)}`;
      if (why !== lastError) logger.warn({}, why);
      lastError = why;
    }
  };
  const follow = async (): Promise<void> => {
    const profiles = wanted();
    if (profiles === null) return;
    const { opened, ended } = dueOf(profiles);
    // Profiles are opened first, so that a window whose profile ends has another to go on with.
    for (const profile of opened) await open(profile);
    for (const name of ended) {
      await end(name);
      attempts.delete(name);
      logger.info({}, `The settings file no longer has the profile ${name}, or not enabled: it is not watched.`);
    }
  };
  /** Loads keys again that another program has stored or deleted. */
  const followKeys = (profiles: Map<string, Profile>): void => {
    for (const [name, runtime] of running) {
      const now = profiles.get(name)?.keys;
      const before = keyRecords.has(name) ? keyRecords.get(name) : runtime.profile.keys;
      keyRecords.set(name, now);
      if (!isDeepStrictEqual(before, now)) void runtime.keys?.load();
    }
  };

  for (const name of failures.keys()) {
    const profile = settings.read().profiles.find((one) => one.name === name);
    if (profile !== undefined) attempts.set(name, { service: serviceOf(profile), at: clock.now() });
  }
  return {
    check() {
      if (isBusy) return;
      const profiles = wanted();
      if (profiles === null) return;
      followKeys(profiles);
      const { opened, ended } = dueOf(profiles);
      if (opened.length === 0 && ended.length === 0) return;
      isBusy = true;
      void deps
        .runExclusive(follow)
        .catch((error) => logger.info({}, `The settings file is not followed: ${messageOf(error)}`))
        .finally(() => {
          isBusy = false;
        });
    },
  };
}

/** The values that identify the service of a profile: a change of them needs another core. */
const serviceOf = ({ environment, baseUrl, mode, prices, feed, scenario, states }: Profile): unknown => ({
  environment,
  baseUrl,
  mode,
  prices,
  feed,
  scenario,
  states,
});
