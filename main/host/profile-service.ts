// Main, host: answers the channels about all profiles: list, add, remove, enable, open a window.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { RefusedError } from '../../shared/channels/channel.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import { KEY_TIERS } from '../../shared/channels/keys.ts';
import type { ProfileChannels, ProfileEntry, Profiles } from '../../shared/channels/profiles.ts';
import { type Watchlist, WatchlistsSchema, watchedSymbols } from '../../shared/domain/watchlists.ts';
import { type Cancel, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { OwnPrices } from '../../shared/settings/profiles.ts';
import { type KeyStore, tierLabel } from '../core/keys/key-store.ts';
import type { ProfileKeys } from '../core/keys/profile-keys.ts';
import { createConnectionTests } from '../core/profiles/connection-test.ts';
import { type Profile, ProfileSchema } from '../core/profiles/settings.ts';
import type { PriceChecker } from './embedded-service.ts';
import type { Machine } from './machine.ts';
import { OccupiedError, type OpenDataFolder, type ProfileRuntime } from './profile-runtime.ts';
import type { ProfileRuntimes } from './profile-runtimes.ts';

export interface ProfileService {
  /** Handlers for a window of this profile. */
  readonly handlersOf: (profile: string) => Handlers<ProfileChannels>;
  /** Starts pushing changes to the windows. */
  start(): void;
  /** Waits for pending openings and closings. */
  close(): Promise<void>;
}

export interface ProfileServiceDeps {
  readonly machine: Pick<Machine, 'clock' | 'fetch' | 'platform'>;
  readonly folder: OpenDataFolder;
  readonly runtimes: ProfileRuntimes;
  readonly checkPrices: PriceChecker;
  /** @returns the address that opens a window, once, where the shell opens none itself */
  readonly openWindow: (profile: string) => Promise<string | null>;
}

/** Poll interval for changes, ms. */
const POLL_INTERVAL = 1_000;

export function createProfileService(deps: ProfileServiceDeps): ProfileService {
  const { clock, fetch, platform } = deps.machine;
  const { settings, keyStore, logger, path: dataFolder } = deps.folder;
  const { runtimes } = deps;
  const { running } = runtimes;
  const connectionTests = createConnectionTests(fetch, clock);
  /** Profiles that are being opened. */
  const opening = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  let stopPolling: Cancel = () => undefined;
  let isClosed = false;
  let lastSent = '';

  const profiles = (): Profile[] => settings.read().profiles;
  const entries = (): ProfileEntry[] =>
    profiles().map((profile) =>
      entryOf(profile, running.get(profile.name), opening, runtimes.failures.get(profile.name)),
    );
  const view = (shown: string, listed = entries()): Profiles => ({
    shown,
    profiles: listed,
    tiers: KEY_TIERS.map((tier) => ({ tier, label: tierLabel(tier, platform) })),
    vault: !keyStore.passphrase.isLocked() ? 'open' : keyStore.passphrase.exists() ? 'locked' : 'none',
  });
  const broadcast = (): void => {
    const listed = entries();
    const now = JSON.stringify([listed, keyStore.passphrase.isLocked()]);
    if (now === lastSent) return;
    lastSent = now;
    for (const [name, runtime] of running) runtime.push('profiles.changed', view(name, listed));
  };
  /** Serialised: two windows must not open the same one, nor close the last one together. */
  const runExclusive = <Value>(job: () => Promise<Value>): Promise<Value> => {
    const done = last.then(() => {
      if (isClosed) throw refusal('Barograph is ending.');
      return job();
    });
    last = done.catch(() => undefined);
    return done.finally(broadcast);
  };
  const begin = async (profile: Profile, prepare?: (keys: ProfileKeys) => Promise<void>): Promise<void> => {
    opening.add(profile.name);
    broadcast();
    try {
      await runtimes.open(profile, {
        runKey: null,
        handlers: handlersOf(profile.name),
        ...(prepare === undefined ? {} : { prepare }),
      });
    } finally {
      opening.delete(profile.name);
    }
  };
  const find = (name: string): Profile => {
    const found = profiles().find((profile) => profile.name === name);
    if (found === undefined) throw refusal(`There is no profile ${name} any more.`);
    return found;
  };
  const write = (change: (now: Profile[]) => Profile[]): void =>
    keyStore.change((now) => ({ ...now, profiles: change(now.profiles) }));
  /** Adds nothing unless every step works. */
  const add = async (profile: Profile, prepare?: (keys: ProfileKeys) => Promise<void>): Promise<void> => {
    if (profiles().some(({ name }) => name === profile.name))
      throw refusal(`There is a profile ${profile.name} already. Give another name.`);
    write((now) => [...now, profile]);
    try {
      await begin(profile, prepare);
    } catch (error) {
      write((now) => now.filter(({ name }) => name !== profile.name));
      throw error instanceof RefusedError ? error : refusal(`${profile.name} was not added. ${messageOf(error)}`);
    }
  };
  const addRemote = async (
    name: string,
    { draft, tier, passphrase }: { draft: string; tier: Tier; passphrase: string | null },
  ) => {
    const { environment, url, mode, key } = connectionTests.draft(draft);
    let warning: string | null = null;
    const keep = async (keys: ProfileKeys): Promise<void> => {
      if (key === null) return;
      const saved = await keys.set({
        key,
        ...(tier === null ? {} : { tier }),
        ...(passphrase === null ? {} : { passphrase }),
      });
      if (!saved.ok) throw refusal(saved.error.message);
      warning = saved.value.warning;
    };
    await add(profileOf({ name, environment, baseUrl: url, mode, enabled: true }), keep);
    connectionTests.forget();
    return { warning };
  };
  const addPrices = async (name: string, given: OwnPrices) => {
    const report = await deps.checkPrices(given.folder, given.editorial);
    if (report.refused !== null) throw refusal(report.refused);
    const prices = { ...given, folder: report.folder, editorial: report.editorial };
    await add(profileOf({ name, environment: 'production', baseUrl: null, mode: 'auto', enabled: true, prices }));
    keyStore.change((now) => ({ ...now, watchlists: withList(now.watchlists, name, report.symbols) }));
    return { warning: null };
  };
  const mayEnd = (shown: string, name: string): void => {
    if (name === shown) throw refusal(`This window shows ${name}. Do it in the window of another profile.`);
    if (!profiles().some((other) => other.enabled && other.name !== name))
      throw refusal(`${name} is the only profile that is on.`);
  };

  const handlersOf = (shown: string): Handlers<ProfileChannels> => ({
    'profiles.read': () => view(shown),
    'profiles.test': (request) =>
      connectionTests.run(
        request,
        profiles().map(({ name }) => name),
      ),
    'profiles.test_stream': ({ draft }) => connectionTests.stream(draft),
    'profiles.check_prices': ({ folder, editorial }) => deps.checkPrices(folder, editorial),
    'profiles.add': ({ name, source }) =>
      runExclusive(() => {
        if (source.kind === 'remote') return addRemote(name, source);
        const { kind: _, ...prices } = source;
        return addPrices(name, prices);
      }),
    'profiles.enable': ({ name, enabled }) =>
      runExclusive(async () => {
        const profile = find(name);
        if (!enabled) {
          mayEnd(shown, name);
          write((now) => now.map((one) => (one.name === name ? { ...one, enabled } : one)));
          await runtimes.end(name);
          return {};
        }
        if (!running.has(name))
          await begin({ ...profile, enabled }).catch((error) => {
            throw refusal(`${name} cannot be watched. ${messageOf(error)}`);
          });
        write((now) => now.map((one) => (one.name === name ? { ...one, enabled } : one)));
        return {};
      }),
    'profiles.remove': ({ name, files }) =>
      runExclusive(async () => {
        const profile = find(name);
        mayEnd(shown, name);
        // A key of a removed profile must not stay behind.
        if (profile.keys !== undefined) await forgetKeys(keyStore, name);
        await runtimes.end(name);
        write((now) => now.filter((one) => one.name !== name));
        if (files) rmSync(join(dataFolder, 'profiles', name), { recursive: true, force: true });
        return {};
      }),
    'profiles.open': async ({ name }) => {
      if (!running.has(name)) throw refusal(`${name} is not watched here. Turn it on first.`);
      return { address: await deps.openWindow(name) };
    },
  });

  return {
    handlersOf,
    start() {
      let lastError = '';
      stopPolling = every(clock, POLL_INTERVAL, () => {
        try {
          broadcast();
          lastError = '';
        } catch (error) {
          // Settings that are temporarily unreadable end nothing. Reports the same error once, since it may
          // last.
          const message = messageOf(error);
          if (message !== lastError) logger.error({}, message);
          lastError = message;
        }
      });
    },
    async close() {
      stopPolling();
      connectionTests.forget();
      isClosed = true;
      await last;
    },
  };
}

/**
 * Unwatched symbols get a list: alerts are for watched symbols. Without room for it, the lists stay
 * unchanged.
 */
function withList(lists: readonly Watchlist[], name: string, symbols: readonly string[]): Watchlist[] {
  const watched = new Set(watchedSymbols(lists));
  const added = symbols.filter((symbol) => !watched.has(symbol)).slice(0, MOST_LISTED);
  const next = [...lists, { id: `prices-${name}`, name, sections: [{ name: 'Own prices', symbols: added }] }];
  return added.length > 0 && WatchlistsSchema.safeParse(next).success ? next : [...lists];
}
const MOST_LISTED = 500;

type Tier = Parameters<ProfileKeys['move']>[0]['tier'] | null;

const refusal = (message: string): RefusedError => new RefusedError({ code: 'refused', message });

/**
 * The schema of the channel has validated the request; a violated rule of the settings file is reported too.
 */
function profileOf(given: Profile): Profile {
  const profile = ProfileSchema.safeParse(given);
  if (profile.success) return profile.data;
  throw refusal(profile.error.issues[0]?.message ?? 'This cannot be a profile.');
}

function entryOf(
  profile: Profile,
  runtime: ProfileRuntime | undefined,
  opening: ReadonlySet<string>,
  why: unknown,
): ProfileEntry {
  const { name, environment, enabled, baseUrl, mode, prices } = profile;
  const status = runtime?.core.status();
  const common = {
    name,
    environment,
    enabled,
    source:
      baseUrl !== null
        ? { kind: 'remote' as const, url: baseUrl, mode }
        : prices !== undefined
          ? { kind: 'prices' as const, ...prices }
          : { kind: 'simulated' as const },
    replay: status?.replay ?? (prices?.replay ?? null) !== null,
    high: status?.high ?? 0,
    key: runtime?.keys?.state() ?? null,
  };
  if (status !== undefined)
    return {
      ...common,
      status: status.offlineReason === null ? 'connected' : 'offline',
      message: status.offlineReason ?? '',
    };
  if (opening.has(name)) return { ...common, status: 'opening', message: '' };
  if (why instanceof OccupiedError) return { ...common, status: 'elsewhere', message: why.message };
  if (why !== undefined) return { ...common, status: 'failed', message: messageOf(why) };
  return { ...common, status: 'off', message: '' };
}

/** @throws RefusedError where its vault does not open; then the profile is unchanged */
async function forgetKeys(keyStore: KeyStore, name: string): Promise<void> {
  try {
    await keyStore.clear(name);
  } catch (error) {
    throw refusal(`Its key could not be deleted. ${messageOf(error)} Nothing was removed.`);
  }
}
