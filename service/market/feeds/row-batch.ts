// Service, market feeds: collects the rows of an instant into one commit of the tape.
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

  /** @param onError is called with what recording threw */
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

  /** @throws what recording throws */
  flush(): void {
    const rows = this.#rows;
    this.drop();
    if (rows.length > 0) this.#record.take(rows);
  }

  /** Drops the pending rows; they are fetched again later. */
  drop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#rows = [];
  }
}
