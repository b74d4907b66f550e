// Faults: the program of a simulated life: a core over ports, any call of which may kill it.

import { getEventListeners } from 'node:events';
import { serviceAt } from '../../main/core/connection/service-source.ts';
import { isUnwritable } from '../../main/core/files/sqlite-file.ts';
import type { Monitor } from '../../main/core/monitor.ts';
import type { Ports, SettingsStore } from '../../main/core/ports.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { createRestartingMonitor } from '../../main/core/restarting-monitor.ts';
import { every } from '../../shared/lib/clock.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { noVault } from '../harness/core-rig.ts';
import { type ManualClock, settle } from '../harness/manual-clock.ts';
import type { WireService } from '../harness/wire-service.ts';
import type { SimulatedDesktop } from './core-simulation-desktop.ts';
import type { SimulatedDisk } from './core-simulation-disk.ts';
import { createLifeline, type Incarnation, KilledError } from './core-simulation-lifeline.ts';
import type { Mutation } from './core-simulation-mutants.ts';

/** Newest events that retention keeps; a whole life has some forty. */
const KEPT_IN_LIFE = 3;

export interface SimulatedSettings {
  /** For one run of the program. */
  open(): SettingsStore;
}

/** What stays when the program is killed. */
export interface World {
  readonly clock: ManualClock;
  readonly service: WireService;
  readonly disk: SimulatedDisk;
  readonly desktop: SimulatedDesktop;
  readonly mutation: Mutation;
  readonly settings: SimulatedSettings;
  readonly random: () => number;
  readonly say: (what: string) => void;
}

export interface Program {
  /** Null while the program does not run. */
  readonly core: Monitor | null;
  readonly kills: number;
  /** Notified from a ledger in memory that ended with its program: they may be notified again. */
  readonly lostMemory: Set<string>;
  killAfter(calls: number): void;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Kills it and closes its files; it can be started again. */
  kill(): void;
  /** The same, for good. */
  end(): void;
}

/** Shared, because an error with its stack costs as much as a round trip. */
const ENDED = new Error('ended');

export interface ProgramOptions {
  /** Notifications are recorded outside the ledger too. */
  readonly keepsRecord: boolean;
  /** The ledger's retention removes events within a life. */
  readonly prunes: boolean;
}

/** Between two readings of the settings, ms. */
const SETTINGS_INTERVAL = 2_000;

export function createProgram(world: World, { keepsRecord, prunes }: ProgramOptions): Program {
  const { clock, service, disk, say } = world;
  let core: Monitor | null = null;
  let watchedSince: string | null = null;
  /** Ends what the end of a process would have ended: Node keeps a signal with a listener, and the whole life with it. */
  let leftovers: (() => void)[] = [];
  const lostMemory = new Set<string>();
  const { desktop } = world;
  /** It may still notify while it stops. */
  let stopping: Monitor | null = null;
  desktop.isInMemory = () => (core ?? stopping)?.trayView().isUnwritten === true;
  // As the host does, which tells the core of new settings.
  let settings: SettingsStore | null = null;
  every(clock, SETTINGS_INTERVAL, () => void (core === null ? null : settings?.read()));
  const lifeline = createLifeline(() => {
    core = null;
    say('KILLED');
  });
  const closeLast = (): void => {
    for (const end of leftovers) end();
    leftovers = [];
    disk.close();
  };
  const portsOf = (life: Incarnation): Ports => ({
    clock: {
      now: () => clock.now(),
      after(ms, job) {
        life.call();
        return clock.after(ms, () => {
          if (life.isAlive()) job();
        });
      },
    },
    random: () => (life.isAlive() ? world.random() : 0.5),
    fetch: fetchOf(life, world, (end) => leftovers.push(end)),
    vault: noVault,
    notifier: {
      show: (request) => world.desktop.show(life, world.mutation.request(request)),
      onReturn(listener) {
        world.desktop.onReturn = () => life.isAlive() && listener();
        return () => undefined;
      },
      ...(keepsRecord ? { history: desktop.history } : {}),
      status: () => ({ tier: 'system', detail: plainMessage('') }),
    },
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    settings: world.settings.open(),
  });
  return {
    get core() {
      return core;
    },
    get kills() {
      return lifeline.kills;
    },
    lostMemory,
    killAfter: lifeline.killAfter,
    async start() {
      const life = lifeline.begin();
      for (const id of desktop.unwritten) lostMemory.add(id);
      desktop.unwritten.clear();
      const [profile] = DEFAULT_SETTINGS.profiles;
      if (profile === undefined) throw new Error('no profile');
      say('start');
      closeLast();
      const ports = portsOf(life);
      settings = ports.settings;
      try {
        core = createRestartingMonitor({
          ports,
          folder: disk.folder,
          profile: watchedSince === null ? profile : { ...profile, watchedSince },
          source: serviceAt({ baseUrl: service.url, key: service.key }),
          label: plainMessage(''),
          ledger: { ...disk.optionsOf(life), ...(prunes ? { keptEvents: KEPT_IN_LIFE } : {}) },
        });
        await core.start();
        if (keepsRecord) watchedSince ??= timestamp(clock.now());
      } catch (error) {
        if (!(error instanceof KilledError) && !isUnwritable(error)) throw error;
        core = null;
      }
      await settle();
    },
    async stop() {
      if (core === null) return;
      say('stop');
      const stopped = core.stop().catch((error: unknown) => {
        if (!(error instanceof KilledError)) throw error;
      });
      stopping = core;
      core = null;
      const { kills } = lifeline;
      await clock.advance(3_000);
      // A core that was killed while it stopped never gets there: its clock stands still.
      if (lifeline.kills === kills) await stopped;
      stopping = null;
      lifeline.end();
    },
    kill() {
      say('killed');
      core = null;
      lifeline.end();
      closeLast();
    },
    end() {
      lifeline.end();
      closeLast();
    },
  };
}

function fetchOf(
  life: Incarnation,
  { mutation, disk, service }: World,
  atTheEnd: (end: () => void) => void,
): Ports['fetch'] {
  return (asked, init = {}) => {
    // A library of a killed core may still reconnect: its request waits for ever and holds nothing.
    if (!life.isAlive()) return new Promise(() => undefined);
    life.call();
    const ledger = disk.ledger();
    const url = mutation.url(asked, ledger);
    const { pathname } = new URL(url);
    const headers = mutation.headers(pathname, new Headers(init.headers), ledger);
    const own = new AbortController();
    const { signal } = init;
    signal?.addEventListener('abort', () => own.abort(ENDED));
    atTheEnd(() => {
      if (signal)
        for (const listener of getEventListeners(signal, 'abort'))
          signal.removeEventListener('abort', listener as () => void);
      own.abort(ENDED);
    });
    const answered = Promise.resolve(
      mutation.answer(pathname) ?? service.fetch(url, { ...init, headers, signal: own.signal }),
    ).then((response) => {
      if (!life.isAlive()) return new Promise<Response>(() => undefined);
      return mutation.answered(pathname, response);
    });
    // A core that was killed right after the request does not handle its refusal.
    answered.catch(() => undefined);
    return answered;
  };
}
