// Service, market feeds: the port between a vendor of prices and the service.
// A vendor knows its own formats, and nothing of tape, engine or time of day.
import type { AssetClass } from '../../../shared/domain/instruments.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { TapeAction } from '../tape/tape-action.ts';

export type FeedStep = 'day' | 'minute';

/** One bar as the vendor sent it, not adjusted. */
export interface FeedBar {
  readonly symbol: string;
  readonly step: FeedStep;
  /** Session date by the symbol's calendar. */
  readonly date: string;
  /** UTC ms; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** An open one only shows that the symbol trades. */
  readonly isClosed: boolean;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** null: not known. */
  readonly volume: number | null;
}

export interface FeedListing {
  readonly symbol: string;
  readonly name: string;
  readonly assetClass: AssetClass;
  readonly calendar: SessionCalendar;
}

export interface RefusedSymbol {
  readonly symbol: string;
  /** One sentence. */
  readonly reason: string;
}

export interface FeedOffer {
  readonly steps: readonly FeedStep[];
  /** How late prices come, ms. */
  readonly delayMs: number;
  /** After a session's close, ms: from then on `bars` has the final bar of the day. */
  readonly closeDelayMs: number;
  /** The longest life of a connection, ms; it is renewed before. null: no limit. */
  readonly connectionMs: number | null;
  /** Symbols that one request of history answers. */
  readonly symbolsPerRequest: number;
  /** The same for the first fetch of years, which is recorded when it is whole. Absent: as many. */
  readonly symbolsPerHistory?: number;
}

/** A host that serves some symbols of a feed in place of its vendor. */
export interface FeedSource {
  readonly name: string;
  /** What it has of those symbols. */
  readonly offers: FeedOffer;
}

/** How live data reaches the service. */
export interface FeedSink {
  /** Also a corrected one: of the same symbol, step and start the newest counts. */
  bar(bar: FeedBar): void;
  /** Halt, resume, delisting. */
  status(action: TapeAction): void;
}

export interface BarRequest {
  readonly symbols: readonly string[];
  readonly step: FeedStep;
  /** UTC ms: bars that start in [from, to). */
  readonly from: number;
  readonly to: number;
  /** For `FeedDeps.fetch`. */
  readonly priority: Priority;
  /** Also days before `from` that changed since they were given, where the answer has them anyway. */
  readonly withChanged?: boolean;
  /** Called with an error that keeps the rows of this symbol away, and of no other. */
  readonly onFault?: (symbol: string, error: FeedError) => void;
}

/** live: the present needs it. history: it may wait. */
export type Priority = 'live' | 'history';

export type FeedCheck =
  /** `clockSkewMs`: the vendor's clock less this computer's. `notes`: warnings for the operator. */
  | {
      readonly ok: true;
      readonly clockSkewMs: number;
      readonly plan: string | null;
      readonly notes?: readonly string[];
    }
  /** What, where, and how to mend it. */
  | { readonly ok: false; readonly reason: string };

export interface PriceFeed {
  readonly offers: FeedOffer;
  /**
   * The host that serves a symbol; null: the vendor. Symbols of different hosts are asked apart, so that none of
   * them waits for another's host. Absent: all are the vendor's.
   */
  sourceOf?(symbol: string): FeedSource | null;
  /** Tries key, plan and clock. @throws FeedError where trying again may help */
  check(signal: AbortSignal): Promise<FeedCheck>;
  listings(symbols: readonly string[], signal: AbortSignal): Promise<readonly (FeedListing | RefusedSymbol)[]>;
  /** Oldest first for each symbol, page by page. @throws FeedError */
  bars(request: BarRequest, signal: AbortSignal): AsyncIterable<readonly FeedBar[]>;
  /** Dates are session dates. Absent: the vendor has none. @throws FeedError */
  actions?(
    request: { readonly symbols: readonly string[]; readonly from: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<readonly TapeAction[]>;
  /** Absent: the service polls `bars`. Ends with a FeedError, or with the signal's reason. */
  live?(symbols: readonly string[], sink: FeedSink, signal: AbortSignal): Promise<never>;
}

export interface FeedRequestInit {
  readonly signal: AbortSignal;
  readonly priority: Priority;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the vendor counts for the call. Default: 1. */
  readonly weight?: number;
  /** Statuses besides 200 that are returned, without a body: of files that did not change, moved, or are missing. */
  readonly statuses?: readonly number[];
  /** Limit of the answer's body. Default: 64 MB. */
  readonly mostBytes?: number;
}

/** What a vendor gets from the service. */
export interface FeedDeps {
  /**
   * Waits for the account's budget, then fetches; for a longer silence that the host asked for it does not wait, but
   * throws. Redirects are not followed. Only answers of status 200 are
   * returned, and of `statuses`.
   * @throws FeedError for any other one, and when there was none
   */
  readonly fetch: (url: string, init: FeedRequestInit) => Promise<Response>;
  /** The same within the budget of another account, for a vendor that is made of two. Absent: that of this one. */
  readonly fetchFor?: (vendor: Pick<FeedVendor, 'name' | 'perMinute' | 'cure'>) => FeedDeps['fetch'];
  readonly clock: Clock;
  /** Addresses in place of the vendor's own: `rest`, `stream`. */
  readonly hosts: Readonly<Record<string, string>>;
  /** As it is now: it may come, or be replaced, while the feed runs. null: none. */
  key(): string | null;
}

/** What the service knows of a vendor before it asks it anything. */
export interface FeedVendor {
  readonly name: string;
  /** The vendor's limit for one account: weights, see `FeedRequestInit`. */
  readonly perMinute: number;
  /** Symbols that are followed unless the operator names some; empty: symbols must be named. */
  readonly defaultSymbols: readonly string[];
  readonly needsKey: boolean;
  /** What a user does about an answer of this status; null: nothing special. */
  cure(status: number): string | null;
  /** By the symbol alone, before the vendor has said anything. */
  listing(symbol: string): FeedListing | RefusedSymbol;
  create(deps: FeedDeps): PriceFeed;
}

export class FeedError extends Error {
  /** fatal: retries are useless until a person acts. */
  readonly kind: 'retry' | 'fatal';
  /** Wait at least so long, ms. */
  readonly retryAfterMs: number;

  /** @param message one sentence; of a fatal one with the cure */
  constructor(kind: 'retry' | 'fatal', message: string, retryAfterMs = 0) {
    super(message);
    this.name = 'FeedError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
