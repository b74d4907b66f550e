// Main, host: the interface by which a shell runs the service inside the app (see main/service).
import type { PriceAnswer, PriceFolder, PriceReport } from '../../shared/channels/profiles.ts';
import type { MarketScenario } from '../../shared/domain/scenarios.ts';
import type { ShownProgress } from '../../shared/lib/progress.ts';
import type { OwnPrices, PriceFeedSettings } from '../../shared/settings/profiles.ts';
import type { ServiceSource } from '../core/connection/service-source.ts';

export interface EmbeddedService extends ServiceSource {
  /** Seed of the simulated market; null with real prices. */
  readonly seed: number | null;
  /** What it found in its price folder; null: nothing yet, or it has none. */
  folder(): PriceFolder | null;
  /** Replaces the key of the vendor. */
  setFeedKey(key: string | null): void;
  /** Stops the clock of a replay, or lets it run. A replay starts paused; nothing else can be paused. */
  pause(isPaused: boolean): void;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** File that keeps the service's events and its simulated time between runs. */
  readonly db: string;
  /** The user's own prices; null: none. */
  readonly prices: OwnPrices | null;
  /** Live prices of a vendor; null: none. Without either the market is simulated. */
  readonly feed: PriceFeedSettings | null;
  /** The key of that vendor; null: none yet, or none needed. */
  readonly feedKey: string | null;
  /** Scenario of the simulated market; null: an ordinary market. */
  readonly scenario: MarketScenario | null;
  /** Receives one line after a crash of a service that was ready: it was restarted, or why it was not. */
  readonly say: (line: string) => void;
}

/** Returns at once; the status says how far the start is. A start that fails is tried again. */
export type EmbeddedServiceStarter = (options: EmbeddedOptions) => EmbeddedService;

/**
 * Checks a folder of prices, one of editorials and one of what is due, and reports the usable rows. Never throws
 * for invalid content.
 */
export type PriceChecker = (
  folders: Pick<OwnPrices, 'folder' | 'editorial' | 'events'>,
  /** Written to mapping.json of the folder before. */
  answers?: readonly PriceAnswer[],
  onProgress?: (progress: ShownProgress) => void,
) => Promise<PriceReport>;

/** The result of one test of a feed. */
export interface FeedFinding {
  readonly of: 'feed' | 'key' | 'clock' | 'symbols' | 'prices';
  readonly isRight: boolean;
  /** The fault, its location, and its remedy. */
  readonly text: string;
}

/** Tries key, plan, clock, symbols and newest prices of a vendor. Never throws for the vendor's answers. */
export type FeedChecker = (feed: PriceFeedSettings, key: string | null) => Promise<readonly FeedFinding[]>;

export interface EmbeddedServices {
  readonly start: EmbeddedServiceStarter;
  readonly checkPrices: PriceChecker;
  readonly checkFeed: FeedChecker;
}
