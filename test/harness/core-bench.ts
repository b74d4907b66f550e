// Test harness: a fresh clock, service and folder for every test; stops cores after it.
import { afterEach, beforeEach } from 'vitest';
import type { Connection } from '../../shared/channels/state.ts';
import { type CoreRig, createCoreRig, type RigOptions } from './core-rig.ts';
import { folderInMemory } from './folders.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createWireService, type WireService } from './wire-service.ts';

export interface CoreBench {
  clock: ManualClock;
  service: WireService;
  /** Data folder of the profile, the same for every core of one test. */
  folder: string;
  /** Starts again within one test: another clock, service and folder. */
  fresh(): void;
  /** A core that is not started. */
  rig(options?: Partial<RigOptions>): CoreRig;
  /** Starts one and waits until the stream is open and everything is fetched. */
  up(options?: Partial<RigOptions>): Promise<CoreRig>;
  down(rig: CoreRig): Promise<void>;
  /** Requests for the stream so far. */
  streamRequests(): number;
}

/** Call at the top of a test file. */
export function setUpCoreBench(): CoreBench {
  const running = new Set<CoreRig>();
  let remove: () => void = () => undefined;
  const bench: CoreBench = {
    clock: createManualClock(),
    service: createWireService(createManualClock()),
    folder: '',
    fresh() {
      remove();
      const folder = folderInMemory();
      bench.clock = createManualClock();
      bench.service = createWireService(bench.clock);
      bench.folder = folder.path;
      remove = folder.remove;
    },
    rig(options = {}) {
      const rig = createCoreRig({ clock: bench.clock, service: bench.service, folder: bench.folder, ...options });
      running.add(rig);
      return rig;
    },
    async up(options = {}) {
      const rig = bench.rig(options);
      await rig.core.start();
      await bench.clock.until(() => rig.snapshot().connection.indicators.open.state === 'ok');
      await bench.clock.advance(100);
      return rig;
    },
    async down(rig) {
      running.delete(rig);
      const stopped = rig.core.stop();
      await bench.clock.advance(2_400);
      await stopped;
    },
    streamRequests: () => bench.service.requests.filter((request) => request.path === '/stream').length,
  };
  beforeEach(() => bench.fresh());
  afterEach(async () => {
    for (const rig of [...running]) await bench.down(rig);
    remove();
  });
  return bench;
}

export const shownIds = (rig: CoreRig): string[] => rig.shown.map((request) => request.id);
/** The ids of all alerts that were notified, alone or in a digest: once for each notification, however often it grew. */
export const namedIds = (rig: CoreRig): string[] => {
  const pairs = rig.shown.flatMap(({ id, names }) => (names ?? [id]).map((name) => `${id} ${name}`));
  return [...new Set(pairs)].map((pair) => pair.slice(pair.indexOf(' ') + 1));
};
/** The notification ids of these events. */
export const notificationIds = (...events: readonly { event_id: string }[]): string[] =>
  events.map((event) => `barograph:${event.event_id}`);
export const connectionOf = (rig: CoreRig): Connection => rig.snapshot().connection;
