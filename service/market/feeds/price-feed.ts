// Service, market feeds: the port between a vendor of prices and the service.
// A vendor knows its own formats, but neither tape nor engine.
import type { AssetClass } from '../../../shared/domain/instruments.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Outbound } from '../../network/outbound.ts';
import type { TapeAction } from '../tape/tape-action.ts';

export type FeedStep = 'day' | 'minute';

/** A bar as the vendor sent it, not adjusted. */
export interface FeedBar {
  readonly symbol: string;
  readonly step: FeedStep;
  /** Session date by the symbol's calendar. */
  readonly date: string;
  /** UTC ms; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** An open bar only shows that the symbol trades. */
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
  /** Of its prices; absent: not known. */
  readonly currency?: string;
}

export interface RefusedSymbol {
  readonly symbol: string;
  /** One sentence. */
  readonly reason: string;
}

export interface FeedOffer {
  readonly steps: readonly FeedStep[];
  /** Delay of prices, ms. */
  readonly delayMs: number;
  /** Time after a session's close from which `bars` has the final bar of the day, ms. */
  readonly closeDelayMs: number;
  /** Maximum life of a connection, ms; it is replaced before. null: no limit. */
  readonly connectionMs: number | null;
  /** Maximum number of symbols in a request for history. */
  readonly symbolsPerRequest: number;
  /** The same for the first fetch of years, recorded when complete. Absent: `symbolsPerRequest`. */
  readonly symbolsPerHistory?: number;
}

/** A host that serves some symbols of a feed in place of its vendor. */
export interface FeedSource {
  readonly name: string;
  /** Its offer for those symbols. */
  readonly offers: FeedOffer;
}

/** Receives live data. */
export interface FeedSink {
  /** Takes a bar; a later one of the same symbol, step and start corrects it. */
  bar(bar: FeedBar): void;
  /** Takes a halt, a resumption or a delisting. */
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
  /**
   * Whether to include days before `from` that changed since the last answer, if the vendor sends them
   * anyway.
   */
  readonly withChanged?: boolean;
  /** Called with an error that affects the rows of this symbol only. */
  readonly onFault?: (symbol: string, error: FeedError) => void;
}

/** live: needed for current prices. history: may wait. */
export type Priority = 'live' | 'history';

export interface FeedCheck {
  /** The vendor's clock less this computer's, ms. */
  readonly clockSkewMs: number;
  readonly plan: string | null;
  /** Warnings for the operator. */
  readonly notes?: readonly string[];
}

export interface PriceFeed {
  readonly offers: FeedOffer;
  /**
   * The host that serves a symbol; null: the vendor. Symbols of different hosts are requested separately, so
   * that no symbol waits for another's host. Absent: the vendor serves all symbols.
   */
  sourceOf?(symbol: string): FeedSource | null;
  /** Checks key, plan and clock. @throws FeedError that says what is wrong, where, and how to correct it */
  check(signal: AbortSignal): Promise<FeedCheck>;
  listings(symbols: readonly string[], signal: AbortSignal): Promise<readonly (FeedListing | RefusedSymbol)[]>;
  /** Bars page by page, oldest first for each symbol. @throws FeedError */
  bars(request: BarRequest, signal: AbortSignal): AsyncIterable<readonly FeedBar[]>;
  /** Corporate actions by session date. Absent: the vendor has none. @throws FeedError */
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
  /** The vendor's weight of the call. Default: 1. */
  readonly weight?: number;
  /** Statuses besides 200 that are returned, without a body: for unchanged, moved or missing files. */
  readonly statuses?: readonly number[];
  /** Limit of the answer's body. Default: 64 MB. */
  readonly mostBytes?: number;
}

/** The services that a vendor may use. */
export interface FeedDeps {
  /**
   * Waits for the account's budget, then fetches; throws instead of waiting for a long silence that the host
   * asked for. Does not follow redirects. Returns only answers with status 200 or one of `statuses`.
   * @throws FeedError for any other answer, and without an answer
   */
  readonly fetch: (url: string, init: FeedRequestInit) => Promise<Response>;
  /** `fetch` with another account's budget, for a vendor made of two. Absent: use `fetch`. */
  readonly fetchFor?: (vendor: Pick<FeedVendor, 'name' | 'perMinute' | 'cure'>) => FeedDeps['fetch'];
  /** For WebSockets. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Addresses in place of the vendor's own: `rest`, `stream`. */
  readonly hosts: Readonly<Record<string, string>>;
  /** The current key, which may change while the feed runs; null: none. */
  key(): string | null;
}

/** A vendor's properties that need no request. */
export interface FeedVendor {
  readonly name: string;
  /** The vendor's limit for an account, in weights, see `FeedRequestInit`. */
  readonly perMinute: number;
  /** Symbols to follow if the operator names none; empty: the operator must name some. */
  readonly defaultSymbols: readonly string[];
  readonly needsKey: boolean;
  /** Advice to the user for an answer with this status; null: none. */
  cure(status: number): string | null;
  /** A listing inferred from the symbol alone. */
  listing(symbol: string): FeedListing | RefusedSymbol;
  create(deps: FeedDeps): PriceFeed;
}

export class FeedError extends Error {
  /** fatal: retries are useless until a person acts. */
  readonly kind: 'retry' | 'fatal';
  /** Minimum wait before a retry, ms. */
  readonly retryAfterMs: number;

  /** @param message one sentence; for a fatal error with the cure */
  constructor(kind: 'retry' | 'fatal', message: string, retryAfterMs = 0) {
    super(message);
    this.name = 'FeedError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
