// Main, core: everything that runs behind the windows of one data folder, put together: a resident per enabled profile, settings, log,
// notifications. A shell opens a house and hangs its windows on it.
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import type { LinkedCore } from '../../../shared/channels/link.ts';
import type { Place } from '../../../shared/domain/places.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { createAnswering, type NotificationAnswer } from '../alerts/answering.ts';
import { startReaderThread } from '../archive/reader-thread.ts';
import type { Core } from '../core.ts';
import { createKeyRing, type KeyRing } from '../keys/key-ring.ts';
import type { StartKeychain } from '../keys/keychain.ts';
import type { FetchLike, Logger, SettingsStore } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { TrayFace } from '../state/tray-face.ts';
import { UsageError } from './command-line.ts';
import { openDataFolder } from './data-folder.ts';
import type { CheckPrices, EmbeddedService, StartEmbedded } from './embedded-service.ts';
import { type DesktopMark, openHandoverLog, type ShellNotifier } from './handover-log.ts';
import { createLogger } from './logger.ts';
import { type Interfaces, watchNetwork } from './network-watch.ts';
import { createProfileDesk } from './profile-desk.ts';
import type { Holder } from './profile-lock.ts';
import { type Claim, claimProfile, OccupiedError, openResident, type Resident, type Surroundings } from './resident.ts';
import { takeKeyFromEnvironment, takePassphraseFromEnvironment } from './secrets.ts';
import { createSettingsStore, type JsonStore, SETTINGS_NAME } from './settings-store.ts';
import { createBareShell, createShellHandlers, type ShellPort } from './shell-port.ts';
import { watchForSleep } from './sleep-watch.ts';
import type { FindProxy } from './way.ts';

/** What a shell brings along. */
export interface HouseParts {
  readonly dataFolder: string;
  /** The profile that is asked for; null for the first enabled one. */
  readonly profile: string | null;
  /** Only the profile that is asked for runs, or this one, which need not be in the settings; what the program is called when another asks. */
  readonly alone?: { readonly program: string; readonly profile: Profile | null };
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: FetchLike;
  /** Which way `fetch` takes to an address, in words; absent: straight. */
  readonly findProxy?: FindProxy;
  readonly notifier: ShellNotifier;
  readonly startEmbedded: StartEmbedded;
  readonly checkPrices: CheckPrices;
  /** Opens a window on a profile. @returns the address that does it, once, where the shell opens none itself */
  readonly openWindow: (profile: string) => Promise<string | null>;
  /** What the program around the windows can do, and does; absent: it has no desktop around it. */
  readonly openShell?: (settings: SettingsStore) => ShellPort;
  /** The computer's network interfaces; absent: nobody watches them. */
  readonly interfaces?: () => Interfaces;
  /** Starts the process that asks the system's keychain. */
  readonly startKeychain: StartKeychain;
  readonly platform: NodeJS.Platform;
  /** Opens the settings file `SETTINGS_NAME`.json of the folder. */
  readonly openStore: (dataFolder: string) => JsonStore;
  /** Prints one line for the user. */
  readonly say: (line: string) => void;
}

export interface House {
  readonly dataFolder: string;
  /** The profile that the first window shows. */
  readonly shown: string;
  readonly logger: Logger;
  /** The simulated market inside the app, where one runs. */
  readonly embedded: EmbeddedService | null;
  /** The core of a profile that runs here. */
  core(profile: string): LinkedCore | null;
  /** The same, whole, for a program without windows. */
  monitor(profile: string): Core | null;
  wake: Core['wake'];
  /** Every profile that runs here, as tray and dock show it. */
  trayFaces(): TrayFace[];
  /** Told that one of them may have changed. */
  onTrayFaces(listener: () => void): Cancel;
  /** Acknowledges what is not acknowledged in these profiles. */
  acknowledgeAll(profiles: readonly TrayFace[]): void;
  /** The user answered a notification: the core that told it does what is asked. @returns where to look then; null: nowhere */
  answered(
    told: ToldBy,
    answer: NotificationAnswer,
  ): Promise<{ readonly profile: string; readonly place: Place } | null>;
  /** Stops everything; nothing that was written is lost. */
  close(): Promise<void>;
}

/** A notification by its profile and id, or as the desktop knows it. */
export type ToldBy = { readonly profile: string; readonly id: string } | DesktopMark;

/** Another program has the profile that is asked for. */
export interface Occupied {
  readonly dataFolder: string;
  readonly shown: string;
  readonly holder: Holder | null;
}

/** @throws UsageError where folder or profile cannot be had */
export async function openHouse(
  parts: HouseParts,
): Promise<{ readonly house: House } | { readonly occupied: Occupied }> {
  const dataFolder = openDataFolder(parts.dataFolder);
  const key = takeKeyFromEnvironment(parts.environment);
  const passphrase = takePassphraseFromEnvironment(parts.environment);
  const logger = createLogger(dataFolder, parts.say);
  const settings = createSettingsStore(
    join(dataFolder, `${SETTINGS_NAME}.json`),
    () => parts.openStore(dataFolder),
    (line) => logger.warn({}, line),
  );
  const { alone } = parts;
  const enabled = settings.read().profiles.filter((profile) => profile.enabled);
  const shown = alone?.profile ?? choose(enabled, parts.profile);
  const program = alone?.program ?? 'the app';

  const wanted = [shown, ...(alone === undefined ? enabled.filter((other) => other !== shown) : [])];
  const { claims, refused } = claimAll(wanted, { dataFolder, program });
  const occupied = refused.get(shown.name);
  if (occupied !== undefined) {
    logger.close();
    return { occupied: { dataFolder, shown: shown.name, holder: occupied.holder } };
  }
  for (const { message } of refused.values()) logger.warn({}, message);

  const ring = createKeyRing({ ...parts, dataFolder, settings });
  if (key !== null && shown.baseUrl === null)
    logger.warn({}, `BAROGRAPH_KEY is not used: the service inside the app has a key of its own.`);
  await openVault(ring, claims, passphrase, logger);

  const handovers = openHandoverLog(dataFolder, parts.clock);
  const residents = new Map<string, Resident>();
  /** Why a profile that is enabled does not run here. */
  const failures = new Map<string, unknown>(refused);
  const desk = createProfileDesk({
    ...parts,
    settings,
    logger,
    ring,
    residents,
    refused: failures,
    async open(profile, prepare) {
      const claim = claimProfile(profile, around);
      residents.set(
        profile.name,
        await openResident(claim, around, { runKey: null, ...(prepare === undefined ? {} : { prepare }) }),
      );
      tellOnlookers();
    },
    async end(name) {
      const resident = residents.get(name);
      residents.delete(name);
      tellOnlookers();
      await resident?.close(true);
    },
    dataFolder,
  });
  const shell = parts.openShell?.(settings) ?? createBareShell(manifest.version);
  const shellHandlers = createShellHandlers(shell);
  const stopShell = shell.onChange(() => {
    for (const resident of residents.values()) resident.push('shell.changed', shell.read());
  });
  const onlookers = new Set<() => void>();
  const tellOnlookers = (): void => {
    for (const tell of onlookers) tell();
  };
  const around: Surroundings = {
    ...parts,
    dataFolder,
    program,
    settings,
    ring,
    handovers,
    logger,
    onTrayFace: tellOnlookers,
    handlersOf: (profile) => ({ ...desk.handlersOf(profile), ...shellHandlers }),
    // A program that listens in a terminal has nobody to read: it asks the service for no texts.
    ...(alone === undefined ? { archive: startReaderThread } : {}),
  };
  const wake: Core['wake'] = (reason) => {
    for (const { core } of residents.values()) core.wake(reason);
  };
  const stopWatching = [
    watchForSleep(parts.clock, () => wake('clock')),
    ...(parts.interfaces === undefined ? [] : [watchNetwork(parts.clock, parts.interfaces, () => wake('network'))]),
    stopShell,
  ];
  const close = async (): Promise<void> => {
    for (const stop of stopWatching) stop();
    await desk.close();
    await Promise.allSettled([...residents.values()].map((resident) => resident.close(false)));
    await handovers.close();
    logger.close();
  };

  // The one that is asked for decides whether there is a house; what another lacks does not blind the rest.
  const [first] = await Promise.allSettled(
    claims.map(async (claim) => {
      const { profile } = claim;
      try {
        residents.set(profile.name, await openResident(claim, around, { runKey: profile === shown ? key : null }));
      } catch (thrown) {
        if (profile === shown) throw thrown;
        failures.set(profile.name, thrown);
        logger.error({}, `The profile ${profile.name} is not watched: ${messageOf(thrown)}`);
      }
    }),
  );
  if (first?.status === 'rejected') {
    await close();
    throw first.reason;
  }
  desk.start();
  return {
    house: {
      dataFolder,
      shown: shown.name,
      logger,
      get embedded() {
        return (
          [...residents.values()].find(({ profile, embedded }) => embedded !== null && profile.prices === undefined)
            ?.embedded ?? null
        );
      },
      core: (profile) => residents.get(profile)?.linked ?? null,
      monitor: (profile) => residents.get(profile)?.core ?? null,
      wake,
      trayFaces: () => [...residents.values()].flatMap(({ core }) => faceOf(core)),
      onTrayFaces(listener) {
        onlookers.add(listener);
        return () => void onlookers.delete(listener);
      },
      acknowledgeAll(faces) {
        for (const { profile, unacknowledged } of faces)
          if (unacknowledged.length > 0)
            void residents
              .get(profile)
              ?.linked.dispatch('alerts.acknowledge', { ledger_ids: unacknowledged, acknowledged: true });
      },
      async answered(told, answer) {
        const about = 'id' in told ? told : handovers.find(told);
        const core = about === null ? undefined : residents.get(about.profile)?.core;
        if (about === null || core === undefined) return null;
        try {
          const place = await createAnswering(core)(about.id, answer);
          return place === null || place === undefined ? null : { profile: about.profile, place };
        } catch (thrown) {
          logger.error({ profile: about.profile }, `The answer to a notification was not taken: ${messageOf(thrown)}`);
          return { profile: about.profile, place: { page: 'alerts', item: null } };
        }
      },
      close,
    },
  };
}

/** Locks the profiles for this program; `refused`: those that another program has. The first one is needed: where it is refused, none is locked. */
function claimAll(
  profiles: readonly Profile[],
  where: Pick<Surroundings, 'dataFolder' | 'program'>,
): { readonly claims: readonly Claim[]; readonly refused: ReadonlyMap<string, OccupiedError> } {
  const claims: Claim[] = [];
  const refused = new Map<string, OccupiedError>();
  for (const profile of profiles) {
    try {
      claims.push(claimProfile(profile, where));
    } catch (thrown) {
      if (!(thrown instanceof OccupiedError)) throw thrown;
      refused.set(profile.name, thrown);
      if (profile === profiles[0]) break;
    }
  }
  return { claims, refused };
}

/** Nothing of a core whose ledger cannot be read at the moment: it says so itself. */
function faceOf(core: Core): TrayFace[] {
  try {
    return [core.trayFace()];
  } catch {
    return [];
  }
}

function choose(enabled: readonly Profile[], asked: string | null): Profile {
  const [first] = enabled;
  if (first === undefined)
    throw new UsageError('No profile is enabled. Add one: npm run barograph -- profiles add NAME --env sandbox');
  if (asked === null) return first;
  const found = enabled.find(({ name }) => name === asked);
  if (found !== undefined) return found;
  throw new UsageError(
    `--profile ${asked}: there is no such profile. Profiles: ${enabled.map(({ name }) => name).join(', ')}.`,
  );
}

/** Opens the passphrase vault where a profile keeps its key in it. A wrong passphrase is said; the window can still open it. */
async function openVault(
  ring: KeyRing,
  claims: readonly Claim[],
  passphrase: string | null,
  logger: Logger,
): Promise<void> {
  if (passphrase === null || !claims.some(({ profile }) => ring.tierOf(profile.name) === 'passphrase')) return;
  try {
    await ring.passphrase.unlock(passphrase);
  } catch (thrown) {
    logger.warn({}, `BAROGRAPH_PASSPHRASE: ${messageOf(thrown)}`);
  }
}
