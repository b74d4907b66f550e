// Main, host: what a shell passes in so that the service can run inside the app. main/sandbox.ts is the one that does it.
import type { PriceReport } from '../../shared/channels/profiles.ts';
import type { OwnPrices } from '../../shared/settings/profiles.ts';

export interface EmbeddedService {
  readonly url: string;
  readonly key: string;
  /** Of the simulated market; null over prices of one's own. */
  readonly seed: number | null;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** File that keeps the service's events and its world's time from one run to the next. */
  readonly db: string;
  /** Prices of one's own; null: a simulated market. */
  readonly prices: OwnPrices | null;
  /** Told in one line when the service died and was started again, or could not be. */
  readonly say: (line: string) => void;
}

export type EmbeddedServiceStarter = (options: EmbeddedOptions) => Promise<EmbeddedService>;

/** Looks through a folder of prices, and one of editorials, and says what of them can be used. Never throws for what is wrong in them. */
export type PriceChecker = (folder: string, editorial: string | null) => Promise<PriceReport>;

export interface EmbeddedServices {
  readonly start: EmbeddedServiceStarter;
  readonly checkPrices: PriceChecker;
}
