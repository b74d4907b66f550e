// Service: runs the whole service inside an app (in a worker thread) on a loopback port.
// Serves a simulated market or a price folder.
import { randomBytes } from 'node:crypto';
import { createClock } from '../shared/lib/clock.ts';
import type { Progress } from '../shared/lib/progress.ts';
import type { PriceFeedSettings } from '../shared/settings/profiles.ts';
import type { RuntimeDeps, ServiceConfig } from './assemble.ts';
import type { FeedFinding } from './feed-check.ts';
import { listen } from './listen.ts';
import type { Logger } from './logger.ts';
import { REAL_TIME, type WorldTime } from './market/world-clock.ts';
import type { Outbound } from './network/outbound.ts';
import { IN_MEMORY } from './store/store.ts';

export interface EmbeddedOptions
  extends Pick<ServiceConfig, 'world' | 'editorial' | 'events'>,
    Pick<RuntimeDeps, 'onFolder'> {
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
  /** Receives how far the start is. */
  readonly onProgress?: (progress: Progress) => void;
  /** Whether to end a start that goes on. Default: never. */
  readonly isStopped?: () => boolean;
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
  onProgress = () => undefined,
  isStopped = () => false,
  onFolder = () => undefined,
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
      onProgress,
      isStopped,
      onFolder,
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
  const { checkFeed } = await import('./feed-check.ts');
  const findings: FeedFinding[] = [];
  for await (const finding of checkFeed({ feed: name, config: null, symbols, hosts }, { clock, outbound, key }))
    findings.push(finding);
  return findings;
}
