// Service, market feeds: batches live rows into one commit of the tape.
// A minute ends for all symbols at once, and each commit waits for the disk.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { FeedBar } from './price-feed.ts';

const WAIT_MS = 200;

/** @param onError called with an error of recording */
export function createRowBatch(
  take: (bars: readonly FeedBar[]) => void,
  clock: Clock,
  onError: (error: unknown) => void,
) {
  let rows: FeedBar[] = [];
  let cancel: Cancel | null = null;
  /** Drops the pending rows; a later fetch of history brings them. */
  const drop = (): void => {
    cancel?.();
    cancel = null;
    rows = [];
  };
  /** Records the pending rows. @throws the error of recording */
  const flush = (): void => {
    const pending = rows;
    drop();
    if (pending.length > 0) take(pending);
  };
  const add = (more: readonly FeedBar[]): void => {
    if (more.length === 0) return;
    rows.push(...more);
    cancel ??= clock.after(WAIT_MS, () => {
      try {
        flush();
      } catch (error) {
        onError(error);
      }
    });
  };
  return { add, flush, drop };
}
