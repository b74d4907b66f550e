// Service: runs the whole service inside an app (in a worker thread) on a loopback port.
// Serves a simulated market or a price folder.
import { randomBytes } from 'node:crypto';
import { createClock } from '../shared/lib/clock.ts';
import { messageOf } from '../shared/lib/result.ts';
import type { PriceFeedSettings } from '../shared/settings/profiles.ts';
import type { ServiceConfig } from './assemble.ts';
import { openEditorials } from './briefings/editorial.ts';
import { checkFeed, type FeedFinding } from './feed-check.ts';
import { listen } from './listen.ts';
import type { Logger } from './logger.ts';
import { openCsvFolder } from './market/csv/source.ts';
import { REAL_TIME, type WorldTime } from './market/world-clock.ts';
import type { Outbound } from './network/outbound.ts';
import { IN_MEMORY } from './store/store.ts';

export interface EmbeddedOptions extends Pick<ServiceConfig, 'world' | 'editorial'> {
  /** File that keeps the world over restarts; null: a new world each time, in memory. */
  readonly db: string | null;
  /** Returns the current key of the feed's account. Default: no key. */
  readonly feedKey?: () => string | null;
  readonly outbound: Outbound;
  /** A key of the world's environment to admit as live. */
  readonly key: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly time?: WorldTime;
  /** True while a replay is paused. Default: it never is. */
  readonly isPaused?: () => boolean;
  readonly logger?: Logger;
}

export interface EmbeddedService {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Resolves when every route answers.
 * @throws StoreError when `db` cannot be used; Error with one sentence for a price folder without prices
 */
export async function startEmbedded({
  db,
  key,
  port,
  time = REAL_TIME,
  feedKey = () => null,
  isPaused = () => false,
  outbound,
  logger = silent,
  ...config
}: EmbeddedOptions): Promise<EmbeddedService> {
  const { url, close } = await listen(
    { ...config, time, file: db ?? IN_MEMORY },
    {
      clock: createClock({ now: Date.now, setTimeout, clearTimeout }),
      logger,
      randomBytes,
      feedKey,
      outbound,
      keyScope: 'account',
      isPaused,
      // The host app is the only client: loopback targets are allowed, and limits do not apply.
      webhooks: { allowLoopback: true },
      plans: { plan: 'institutional', enforced: false },
    },
    { port, key },
  );
  return { url, key, close };
}

/** The results of the checks of a vendor's feed. */
export async function tryFeed(
  { name, symbols = [], hosts = {} }: PriceFeedSettings,
  key: string | null,
  outbound: Outbound,
): Promise<FeedFinding[]> {
  const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
  const findings: FeedFinding[] = [];
  for await (const finding of checkFeed({ feed: name, config: null, symbols, hosts }, { clock, outbound, key }))
    findings.push(finding);
  return findings;
}

export interface FolderReport {
  /** Why a service over these folders is impossible; null when it is possible. */
  readonly refused: string | null;
  /** The folder that `refused` concerns. */
  readonly refused_at: 'folder' | 'editorial' | null;
  readonly symbols: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
  /** The earliest of the symbols' last days; `to` is the latest. */
  readonly earliest_end: string | null;
  /** The last day that at least half of the symbols reach. */
  readonly median_end: string | null;
  readonly files: number;
  readonly rows: number;
  readonly used: number;
  readonly problems: readonly { readonly file: string; readonly line: number; readonly reason: string }[];
}

/** Reports the usable contents of a price folder and of a folder of editorials. */
export function reportFolders(folder: string, editorial: string | null): FolderReport {
  const noDays = { from: null, to: null, earliest_end: null, median_end: null };
  const none = { symbols: [], ...noDays, files: 0, rows: 0, used: 0, problems: [] };
  try {
    const { instruments, bars, counts, problems } = openCsvFolder(folder, { now: Date.now });
    const symbols = instruments.map(({ symbol }) => symbol);
    const ends = symbols
      .flatMap((symbol) => [bars(symbol)[0]?.date ?? [], bars(symbol).at(-1)?.date ?? []].flat())
      .sort();
    const lastDays = symbols.flatMap((symbol) => bars(symbol).at(-1)?.date ?? []).sort();
    const { files, rows, used } = counts;
    const ground = {
      symbols,
      from: ends[0] ?? null,
      to: ends.at(-1) ?? null,
      earliest_end: lastDays[0] ?? null,
      median_end: lastDays[lastDays.length >> 1] ?? null,
      files,
      rows,
      used,
    };
    try {
      const letters = editorial === null ? [] : openEditorials(editorial).problems;
      return { ...ground, refused: null, refused_at: null, problems: [...problems, ...letters] };
    } catch (error) {
      return { ...ground, refused: messageOf(error), refused_at: 'editorial', problems };
    }
  } catch (error) {
    return { ...none, refused: messageOf(error), refused_at: 'folder' };
  }
}
