// Test harness: the archive alone, over a wire service and a manual clock, in a folder of its own.
import { createClient } from '../../client/client.ts';
import { createCredentials } from '../../client/credentials.ts';
import { type Archive, type ArchiveOptions, createArchive } from '../../main/core/archive/archive.ts';
import { startNearReader } from '../../main/core/archive/reader.ts';
import { createGuard } from '../../main/core/guard.ts';
import { openLedger } from '../../main/core/ledger/ledger.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../main/core/profiles/settings.ts';
import { type ArchiveView, ArchiveViewSchema, BriefingQuerySchema } from '../../shared/channels/archive.ts';
import { type BriefingServer, createBriefingServer } from './briefing-server.ts';
import { folderInMemory } from './folders.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createWireService, type WireRequest } from './wire-service.ts';

export interface ArchiveBench {
  readonly clock: ManualClock;
  readonly briefings: BriefingServer;
  readonly folder: string;
  /** Requests of the archive. */
  readonly requests: readonly WireRequest[];
  readonly logged: readonly { readonly message: string; readonly fields: object }[];
  settings: Settings;
  mayAsk: boolean;
  archive: Archive;
  view(): ArchiveView;
  ids(query?: object): Promise<string[]>;
  /** Starts, and lets time pass until everything is fetched, or `limit` ms are over. */
  fill(limit?: number): Promise<void>;
  /** Ends this run and opens another over the same folder. */
  again(options?: Partial<ArchiveOptions>): Promise<void>;
  end(): Promise<void>;
}

export function createArchiveBench(
  first: Partial<ArchiveOptions> = {},
  environment: 'sandbox' | 'production' = 'sandbox',
): ArchiveBench {
  const clock = createManualClock();
  const briefings = createBriefingServer();
  // Its heart beats on a clock of its own: days pass here.
  const service = createWireService(createManualClock());
  service.fault = (request) => briefings.answer(request);
  const folder = folderInMemory();
  const ledger = openLedger(':memory:', '');
  const logged: { message: string; fields: object }[] = [];
  const log = (fields: object, message: string): void => void logged.push({ message, fields });
  const logger = { debug: log, info: log, warn: log, error: log };
  const guard = createGuard(clock, logger);
  const [profile] = DEFAULT_SETTINGS.profiles;
  if (profile === undefined) throw new Error('no profile');

  const open = (options: Partial<ArchiveOptions>): Archive =>
    createArchive({
      startReader: startNearReader,
      guard,
      random: () => 0.5,
      logger,
      settings: {
        read: () => bench.settings,
        write: (settings) => {
          bench.settings = settings;
        },
      },
      folder: folder.path,
      profile: { ...profile, environment },
      client: createClient({
        base: new URL(service.url),
        credentials: createCredentials(service.key, 'api-key'),
        fetch: service.fetch,
        clock,
      }),
      ledger,
      entries: () => [],
      world: clock,
      mayAsk: () => bench.mayAsk,
      onChanged: (view) => void ArchiveViewSchema.parse(view),
      ...options,
    });
  const bench: ArchiveBench = {
    clock,
    briefings,
    folder: folder.path,
    requests: service.requests,
    logged,
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
      bench.archive.on.caughtUp({ gaps: [] });
      await clock.until(() => bench.view().complete, limit).catch(() => undefined);
    },
    async again(options = {}) {
      await bench.archive.stop();
      bench.archive = open(options);
    },
    async end() {
      await bench.archive.stop();
      ledger.close();
      folder.remove();
    },
  };
  bench.archive = open(first);
  return bench;
}
