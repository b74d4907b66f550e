// Main, host: the interface by which a shell runs the service inside the app (see main/service).
import type { PriceReport } from '../../shared/channels/profiles.ts';
import type { MarketScenario } from '../../shared/domain/scenarios.ts';
import type { OwnPrices, PriceFeedSettings } from '../../shared/settings/profiles.ts';

export interface EmbeddedService {
  readonly url: string;
  readonly key: string;
  /** Of the simulated market; null with real prices. */
  readonly seed: number | null;
  /** The key of the vendor, from now on. */
  setFeedKey(key: string | null): void;
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
  /** What happens in the simulated market; null: an ordinary one. */
  readonly scenario: MarketScenario | null;
  /** Receives one line when the service died and was restarted, or could not be. */
  readonly say: (line: string) => void;
}

export type EmbeddedServiceStarter = (options: EmbeddedOptions) => Promise<EmbeddedService>;

/**
 * Checks a folder of prices, and one of editorials, and reports what is usable. Never throws for invalid
 * content.
 */
export type PriceChecker = (folder: string, editorial: string | null) => Promise<PriceReport>;

/** What was tried of a feed. */
export interface FeedFinding {
  readonly of: 'feed' | 'key' | 'clock' | 'symbols' | 'prices';
  readonly isRight: boolean;
  /** What is wrong, where, and how to mend it. */
  readonly text: string;
}

/** Tries key, plan, clock, symbols and newest prices of a vendor. Never throws for what the vendor says. */
export type FeedChecker = (feed: PriceFeedSettings, key: string | null) => Promise<readonly FeedFinding[]>;

export interface EmbeddedServices {
  readonly start: EmbeddedServiceStarter;
  readonly checkPrices: PriceChecker;
  readonly checkFeed: FeedChecker;
}
