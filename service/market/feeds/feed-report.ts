// Service, market feeds: the status report of a followed feed, and the switch for its history.
import { untilAborted } from '../../../shared/lib/until-aborted.ts';
import type { Budget } from './account.ts';

export interface FeedReport {
  readonly name: string;
  /** refused: a person must act. */
  readonly status: 'following' | 'failing' | 'refused';
  /** Number of followed symbols. */
  readonly symbols: number;
  readonly delayMs: number;
  /** Wall ms at which the newest price came; null: none since the start. */
  readonly lastPriceAt: number | null;
  readonly budgets: readonly Budget[];
  /** The newest error, even after recovery. */
  readonly fault: FeedFault | null;
  /** Symbols that the vendor does not serve, with the reason. */
  readonly refused: ReadonlyMap<string, string>;
  /** Number of symbols with complete history. */
  readonly historyDone: number;
  readonly isHistoryStopped: boolean;
}

export interface FeedFault {
  readonly at: number;
  readonly message: string;
}

export interface FollowedFeed {
  report(): FeedReport;
  /** Stops or continues the first fetch of history, until the service ends. */
  stopHistory(isStopped: boolean): void;
}

/** Pauses work between two steps while closed. */
export class Gate {
  #opened: PromiseWithResolvers<void> | null = null;

  get isClosed(): boolean {
    return this.#opened !== null;
  }

  set(isClosed: boolean): void {
    if (isClosed) this.#opened ??= Promise.withResolvers();
    else {
      this.#opened?.resolve();
      this.#opened = null;
    }
  }

  /** Resolves when it is open. @throws the signal's reason */
  async pass(signal: AbortSignal): Promise<void> {
    while (this.#opened !== null) await untilAborted(this.#opened.promise, signal);
    signal.throwIfAborted();
  }
}
