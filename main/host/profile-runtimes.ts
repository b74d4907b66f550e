// Main, host: opens and ends the profiles of this application, and watches them for tray and dock.
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { whenReady } from '../core/connection/service-source.ts';
import type { Monitor } from '../core/monitor.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { TrayView } from '../core/views/tray-view.ts';
import {
  type Claim,
  claimProfile,
  OccupiedError,
  type OpenDataFolder,
  type OpenOptions,
  openProfileRuntime,
  type ProfileRuntime,
  type RuntimeDeps,
} from './profile-runtime.ts';

export interface ProfileRuntimes {
  readonly running: ReadonlyMap<string, ProfileRuntime>;
  /** Why a profile that is enabled does not run here. */
  readonly failures: ReadonlyMap<string, unknown>;
  /** Why profiles watch nothing here: those that do not run, and those whose service does not start. */
  problems(): ReadonlyMap<string, unknown>;
  /** Resolves when the service of the profile is ready. Rejects with the reason of a failed start. */
  ready(profile: string): Promise<void>;
  noteFailure(profile: string, why: unknown): void;
  /**
   * Opens a profile. Ends a running one with other settings first, and its windows afterwards.
   * @throws OccupiedError where another program watches it, and the errors of `openProfileRuntime`
   */
  open(profile: Profile, options: OpenOptions): Promise<void>;
  /** Opens every profile that can be opened, without waiting for its service, and notes why others cannot. */
  openAll(claims: readonly Claim[], optionsOf: (profile: Profile) => OpenOptions): Promise<void>;
  /** Ends a profile, and tells its windows. */
  end(profile: string): Promise<void>;
  trayViews(): TrayView[];
  /** Called when a view in tray or dock, or a failure, may have changed. */
  watch(listener: () => void): Cancel;
  close(): Promise<void>;
}

/**
 * @param refused profiles that cannot be locked, and why
 * @param onStarting receives each change in the start of a profile's service
 */
export function createProfileRuntimes(
  deps: Omit<RuntimeDeps, 'trayChanged' | 'starting'>,
  refused: Claims['refused'],
  onStarting: RuntimeDeps['starting'] = () => undefined,
): ProfileRuntimes {
  const { folder } = deps;
  const running = new Map<string, ProfileRuntime>();
  const failures = new Map<string, unknown>(refused);
  const listeners = new Set<() => void>();
  const trayChanged = (): void => {
    for (const listener of listeners) listener();
  };
  const sayNotWatched = (profile: string, why: unknown): void =>
    folder.logger.error({}, `The profile ${profile} is not watched: ${messageOf(why)}`);
  const starting: RuntimeDeps['starting'] = (profile, start) => {
    if (start.kind === 'failed') sayNotWatched(profile, start.why);
    onStarting(profile, start);
  };
  const openClaimed = async (claim: Claim, options: OpenOptions): Promise<void> => {
    const { name } = claim.profile;
    running.set(name, await openProfileRuntime(claim, { ...deps, trayChanged, starting }, options));
    failures.delete(name);
  };
  for (const [name, why] of refused) {
    if (why instanceof OccupiedError) folder.logger.warn({}, why.message);
    else sayNotWatched(name, why);
  }
  return {
    running,
    failures,
    problems() {
      const unready = [...running].flatMap(([name, { embedded }]) => {
        const start = embedded?.status();
        return start?.kind === 'failed' ? ([[name, new Error(start.why)]] as const) : [];
      });
      return new Map([...failures, ...unready]);
    },
    async ready(name) {
      const embedded = running.get(name)?.embedded ?? null;
      if (embedded !== null) await whenReady(embedded);
    },
    noteFailure(name, why) {
      failures.set(name, why);
      trayChanged();
    },
    async open(profile, options) {
      const { name } = profile;
      const before = running.get(name);
      try {
        await before?.close();
        await openClaimed(claimProfile(profile, folder), options);
      } catch (error) {
        // The reason is there for the windows of the profile, which end now.
        if (before !== undefined) {
          running.delete(name);
          failures.set(name, error);
        }
        throw error;
      } finally {
        before?.endWindows(running.has(name) ? 'restarted' : 'over');
        trayChanged();
      }
    },
    async openAll(claims, optionsOf) {
      await Promise.all(
        claims.map(async (claim) => {
          const { profile } = claim;
          try {
            await openClaimed(claim, optionsOf(profile));
          } catch (error) {
            failures.set(profile.name, error);
            sayNotWatched(profile.name, error);
          }
        }),
      );
    },
    async end(name) {
      const runtime = running.get(name);
      running.delete(name);
      trayChanged();
      runtime?.endWindows('over');
      await runtime?.close();
      failures.delete(name);
    },
    trayViews: () => [...running.values()].flatMap(({ core }) => trayViewsOf(core)),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => void (await Promise.allSettled([...running.values()].map((runtime) => runtime.close()))),
  };
}

export interface Claims {
  readonly claims: readonly Claim[];
  /** Another program has the first profile, and none is locked. */
  readonly occupied: OccupiedError | null;
  /** Why profiles cannot be locked. */
  readonly refused: ReadonlyMap<string, unknown>;
}

/** Locks the profiles for this program, unless another program has the first of them. */
export function claimAll(profiles: readonly Profile[], folder: Pick<OpenDataFolder, 'path' | 'program'>): Claims {
  const claims: Claim[] = [];
  const refused = new Map<string, unknown>();
  for (const profile of profiles) {
    try {
      claims.push(claimProfile(profile, folder));
    } catch (error) {
      if (profile === profiles[0] && error instanceof OccupiedError) return { claims, occupied: error, refused };
      refused.set(profile.name, error);
    }
  }
  return { claims, occupied: null, refused };
}

/** Empty for a core with a temporarily unreadable ledger, which the core itself reports. */
function trayViewsOf(core: Monitor): TrayView[] {
  try {
    return [core.trayView()];
  } catch {
    return [];
  }
}
