// Test harness: the archive alone, over a wire service and a manual clock, in a folder of its own.

import { createClient } from '../../client/client.ts';
import { type Archive, type ArchiveOptions, createArchive } from '../../main/core/archive/archive.ts';
import { createEventBus } from '../../main/core/events.ts';
import { createGuard } from '../../main/core/guard.ts';
import { openLedger } from '../../main/core/ledger/ledger.ts';
import type { Ports } from '../../main/core/ports.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../main/core/profiles/settings.ts';
import { createWorldClock, type WorldClock } from '../../main/core/time/world-clock.ts';
import { type ArchiveView, ArchiveViewSchema, BriefingQuerySchema } from '../../shared/channels/archive.ts';
import { calendarsOf } from '../../shared/domain/sessions.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { type BriefingServer, createBriefingServer } from './briefing-server.ts';
import { noVault } from './core-rig.ts';
import { folderInMemory } from './folders.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { startNearReader } from './near-reader.ts';
import { OWN_PEER } from './peer.ts';
import { createWireService, type WireRequest } from './wire-service.ts';

export interface ArchiveBench {
  readonly clock: ManualClock;
  readonly briefings: BriefingServer;
  readonly folder: string;
  /** Requests of the archive. */
  readonly requests: readonly WireRequest[];
  readonly logged: readonly { readonly message: string; readonly fields: object }[];
  readonly world: WorldClock;
  settings: Settings;
  mayAsk: boolean;
  archive: Archive;
  view(): ArchiveView;
  ids(query?: object): Promise<string[]>;
  /** Starts the archive and advances the clock until everything is fetched, or for `limit` ms. */
  fill(limit?: number): Promise<void>;
  /** Ends this run and opens another over the same folder. */
  again(options?: Partial<ArchiveOptions>): Promise<void>;
  end(): Promise<void>;
}

export function createArchiveBench(): ArchiveBench {
  const clock = createManualClock();
  const briefings = createBriefingServer();
  // The lock has its own clock: the test lets days pass.
  const service = createWireService(createManualClock());
  service.fault = (request) => briefings.answer(request);
  const folder = folderInMemory();
  const ledger = openLedger(':memory:', '');
  const logged: { message: string; fields: object }[] = [];
  const log = (fields: object, message: string): void => void logged.push({ message, fields });
  const ports: Ports = {
    clock,
    random: () => 0.5,
    fetch: service.fetch,
    vault: noVault,
    notifier: {
      show: () => Promise.reject(new Error('unused')),
      status: () => ({ tier: 'in_app', detail: plainMessage('') }),
    },
    logger: { debug: log, info: log, warn: log, error: log },
    settings: {
      read: () => bench.settings,
      change: (job) => {
        bench.settings = job(bench.settings);
      },
    },
    host: { archive: startNearReader },
  };
  const guard = createGuard(clock, ports.logger);
  const events = createEventBus(guard);
  const [profile] = DEFAULT_SETTINGS.profiles;
  if (profile === undefined) throw new Error('no profile');
  const world = createWorldClock(clock);
  const context = {
    ports,
    folder: folder.path,
    guard,
    events,
    profile,
    world,
    calendarOf: calendarsOf(profile.environment, () => null),
  };
  let unsubscribe: Cancel = () => undefined;

  const open = (options: Partial<ArchiveOptions> = {}): Archive => {
    const archive = createArchive({
      context,
      client: createClient({
        base: new URL(service.url),
        key: service.key,
        mode: 'api-key',
        peer: OWN_PEER,
        fetch: service.fetch,
        clock,
      }),
      ledger,
      mayAsk: () => bench.mayAsk,
      ...options,
    });
    unsubscribe();
    unsubscribe = events.subscribe(archive.on);
    archive.start();
    return archive;
  };
  const bench: ArchiveBench = {
    clock,
    briefings,
    folder: folder.path,
    requests: service.requests,
    logged,
    world,
    settings: DEFAULT_SETTINGS,
    mayAsk: true,
    archive: undefined as never,
    view: () => ArchiveViewSchema.parse(bench.archive.handlers['archive.read']({})),
    async ids(query = {}) {
      const { rows } = await bench.archive.handlers['briefings.list'](
        BriefingQuerySchema.parse({ limit: 200, ...query }),
      );
      return rows.map(({ id }) => id);
    },
    async fill(limit = 60_000) {
      world.sample(clock.now(), clock.now());
      bench.archive.on.caughtUp({ gaps: [] });
      await clock.until(() => bench.view().complete, limit).catch(() => undefined);
    },
    async again(options) {
      await bench.archive.stop();
      bench.archive = open(options);
    },
    async end() {
      await bench.archive.stop();
      ledger.close();
      folder.remove();
    },
  };
  bench.archive = open();
  return bench;
}
