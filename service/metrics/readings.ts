// Service, metrics: what a scrape reads from the parts of the service at that instant.
import type { AssetClass } from '../../shared/domain/instruments.ts';
import { SECOND_MS } from '../../shared/lib/time.ts';

export interface ServiceReadings {
  /** Number of the newest event in the log. */
  readonly seq: number;
  /** How far the evaluation is behind the world, world s. */
  readonly lag: number;
  readonly streams: number;
  /** How long the oldest delivery has been due, s of the clock of the retries; 0 without one. */
  readonly oldestDue: number;
  readonly isReady: boolean;
  /** Age of the oldest evaluated price of each class, world s. */
  readonly priceAges: ReadonlyMap<AssetClass, number>;
  /** Number of covered symbols by the health of their prices. */
  readonly symbols: ReadonlyMap<string, number>;
  /** Of a node of a cluster. */
  readonly node?: NodeReadings;
}

export interface NodeReadings {
  /** Term of the last known leader. */
  readonly epoch: number;
  readonly leads: boolean;
  /** Position in the journal up to which this node has applied everything. */
  readonly position: number;
  /** Entries that the journal has beyond that. */
  readonly behind: number;
  readonly isConnected: boolean;
  /** Lanes of webhook deliveries that this node sends. */
  readonly lanes: number;
}

export interface ReadingsDeps {
  /** End of the log, and the world ms up to which everything is evaluated. */
  readonly end: () => { readonly seq: number; readonly worldTime: number };
  /** World ms, also while no leader evaluates. */
  readonly now: () => number;
  readonly instruments: readonly { readonly symbol: string; readonly assetClass: AssetClass }[];
  readonly hasSignal: (symbol: string) => boolean;
  readonly health: (symbol: string) => { readonly data_health?: string; readonly data_age_seconds?: number };
  readonly streams: () => number;
  readonly oldestDueMs: () => number;
  readonly isReady: () => boolean;
}

export function readService(deps: ReadingsDeps): ServiceReadings {
  const { seq, worldTime } = deps.end();
  const priceAges = new Map<AssetClass, number>();
  const symbols = new Map<string, number>();
  for (const { symbol, assetClass } of deps.instruments) {
    if (!deps.hasSignal(symbol)) continue;
    const { data_age_seconds = 0, data_health = 'current' } = deps.health(symbol);
    priceAges.set(assetClass, Math.max(priceAges.get(assetClass) ?? 0, data_age_seconds));
    symbols.set(data_health, (symbols.get(data_health) ?? 0) + 1);
  }
  return {
    seq,
    // No lag before the first step.
    lag: Number.isFinite(worldTime) ? Math.max(0, deps.now() - worldTime) / SECOND_MS : 0,
    streams: deps.streams(),
    oldestDue: deps.oldestDueMs() / SECOND_MS,
    isReady: deps.isReady(),
    priceAges,
    symbols,
  };
}
