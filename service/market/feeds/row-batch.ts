// Service, market feeds: batches live rows into one commit of the tape.
// A minute ends for all symbols at once, and each commit waits for the disk.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { FeedRecord } from './feed-market.ts';
import type { FeedBar } from './price-feed.ts';

const WAIT_MS = 200;

export class RowBatch {
  readonly #record: FeedRecord;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #rows: FeedBar[] = [];
  #cancel: Cancel | null = null;

  /** @param onError called with an error of recording */
  constructor(record: FeedRecord, clock: Clock, onError: (error: unknown) => void) {
    this.#record = record;
    this.#clock = clock;
    this.#onError = onError;
  }

  add(rows: readonly FeedBar[]): void {
    if (rows.length === 0) return;
    this.#rows.push(...rows);
    this.#cancel ??= this.#clock.after(WAIT_MS, () => {
      try {
        this.flush();
      } catch (error) {
        this.#onError(error);
      }
    });
  }

  /** Records the pending rows. @throws the error of recording */
  flush(): void {
    const rows = this.#rows;
    this.drop();
    if (rows.length > 0) this.#record.take(rows);
  }

  /** Drops the pending rows; a later fetch of history brings them. */
  drop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#rows = [];
  }
}
