// Main, host: locks the data folder and its profiles for this program, or finds their holder.
import type { Cancel } from '../../shared/lib/clock.ts';
import type { PriceFeedSettings } from '../../shared/settings/profiles.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { UsageError } from './command-line.ts';
import { feedProfile } from './feed-profile.ts';
import { type Holder, type LockOutcome, lockFolder } from './folder-lock.ts';
import { type Claims, claimAll } from './profile-runtimes.ts';
import { readRunFile } from './run-file.ts';

/** The request of the command line. */
export interface StartRequest {
  readonly dataFolder: string;
  /** null: the first enabled profile. */
  readonly profile: string | null;
  /** Live prices to show in place of a named profile; absent: none. */
  readonly feed?: PriceFeedSettings | null;
  /**
   * Runs only the requested profile, or `profile`, which need not be in the settings. `program` is the name
   * of this program for other programs.
   */
  readonly alone?: { readonly program: string; readonly profile: Profile | null };
}

/** Another program has the data folder, or the requested profile in it. */
export interface Occupancy {
  readonly dataFolder: string;
  /** True: the app has the folder, with all profiles of the settings. */
  readonly isApp: boolean;
  /** null: none was named, and the app shows its first one. */
  readonly profile: string | null;
  readonly holder: Holder | null;
}

/** The profiles of a data folder that this program has locked. */
export interface FolderClaim extends Pick<Claims, 'claims' | 'refused'> {
  readonly program: string;
  readonly shown: Profile;
  /** Releases the folder for another app, but not the claims. */
  readonly release: Cancel;
}

/** Longest wait for an app that is ending, ms; it has removed its run.json by then. */
const ENDING_LIMIT = 3_000;

/**
 * One app at a time has the folder. A program that runs one profile alone takes that profile and leaves the
 * folder to the app.
 * @throws UsageError where the requested profile cannot be run
 */
export function claimDataFolder(
  request: StartRequest,
  path: string,
  settings: Pick<SettingsStore, 'read' | 'change'>,
): FolderClaim | { readonly occupied: Occupancy } {
  const { alone } = request;
  const program = alone?.program ?? 'the app';
  const lock = alone === undefined ? lockDataFolder(path, program) : UNLOCKED;
  const release = lock.held ? lock.release : () => undefined;
  try {
    // An app that has the folder follows the settings, so it opens a profile that is added here.
    const requested = request.feed == null ? request.profile : feedProfile(settings, request.feed);
    const { profiles } = settings.read();
    if (!lock.held) {
      if (requested !== null) choose(profiles, requested);
      return { occupied: { dataFolder: path, isApp: true, profile: requested, holder: lock.holder } };
    }
    const shown = alone?.profile ?? choose(profiles, requested);
    const others = alone === undefined ? profiles.filter((other) => other.enabled && other !== shown) : [];
    const { claims, occupied, refused } = claimAll([shown, ...others], { path, program });
    if (occupied === null) return { program, shown, claims, refused, release };
    release();
    return { occupied: { dataFolder: path, isApp: false, profile: shown.name, holder: occupied.holder } };
  } catch (error) {
    release();
    throw error;
  }
}

const UNLOCKED: LockOutcome = { held: true, release: () => undefined };

/** A damaged lock does not keep an app from starting: every profile has a lock of its own. */
function lockDataFolder(path: string, program: string): LockOutcome {
  try {
    return lockFolder(path, program, readRunFile(path) === null ? ENDING_LIMIT : 0);
  } catch {
    return UNLOCKED;
  }
}

function choose(profiles: readonly Profile[], requested: string | null): Profile {
  const enabled = profiles.filter((profile) => profile.enabled);
  const [first] = enabled;
  if (first === undefined)
    throw new UsageError('No profile is enabled. Add one: npm run barograph -- profiles add NAME --env sandbox');
  if (requested === null) return first;
  const found = enabled.find(({ name }) => name === requested);
  if (found !== undefined) return found;
  if (profiles.some(({ name }) => name === requested))
    throw new UsageError(
      `--profile ${requested}: this profile is turned off. Turn it on in the window, under Settings.`,
    );
  throw new UsageError(
    `--profile ${requested}: there is no such profile. Profiles: ${enabled.map(({ name }) => name).join(', ')}.`,
  );
}
