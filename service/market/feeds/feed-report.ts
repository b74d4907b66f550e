// Service, market feeds: what a person sees of a feed that is followed, and what a person may stop.
import type { Budget } from './account.ts';

export interface FeedReport {
  readonly name: string;
  /** refused: a person must do something. */
  readonly status: 'following' | 'failing' | 'refused';
  /** Number of followed symbols. */
  readonly symbols: number;
  readonly delayMs: number;
  /** Wall ms of the newest price; null: none since the start. */
  readonly lastPriceAt: number | null;
  readonly budgets: readonly Budget[];
  /** The newest error, also after recovery. */
  readonly fault: FeedFault | null;
  /** Symbols that the vendor does not serve, with the reason. */
  readonly refused: ReadonlyMap<string, string>;
  /** Number of symbols with their whole history. */
  readonly historyDone: number;
  readonly isHistoryStopped: boolean;
}

export interface FeedFault {
  readonly at: number;
  readonly message: string;
}

export interface FollowedFeed {
  report(): FeedReport;
  /** Stops the first fetch of history, or lets it continue, until the service ends. */
  stopHistory(isStopped: boolean): void;
}

/** Work that may be stopped between two parts. */
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
    while (this.#opened !== null) {
      const ended = Promise.withResolvers<never>();
      const give = (): void => ended.reject(signal.reason);
      signal.addEventListener('abort', give, { once: true });
      await Promise.race([this.#opened.promise, ended.promise]).finally(() =>
        signal.removeEventListener('abort', give),
      );
    }
    signal.throwIfAborted();
  }
}
