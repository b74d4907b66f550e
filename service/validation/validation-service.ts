// Service, validation: serves the validation record, and recomputes it after later closes.
import { createHash } from 'node:crypto';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../logger.ts';
import { Refusal } from '../refusal.ts';
import type { ValidationResult } from './worker.ts';

/** Minimum validity of a record, wall ms, also in the caches of clients. */
export const GOOD_FOR_MS = 900_000;
/** Longest wait of a request for the first record, wall ms. */
const TIMEOUT_MS = 20_000;
const RETRY_AFTER_S = 5;

export interface ServedRecord extends ValidationResult {
  /** Strong entity tag of the record, with its quotes. */
  readonly etag: string;
}

export interface ValidationService {
  /**
   * The current record. A record older than GOOD_FOR_MS is recomputed if there is a later close, and served
   * meanwhile.
   * @throws Refusal temporarily_unavailable while the first record is computed, or if the service closes
   *   meanwhile; Error if the computation fails
   */
  current(): Promise<ServedRecord>;
  /** Aborts the computation. */
  close(): void;
}

export interface ValidationServiceDeps {
  /** The wall clock. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly worldNow: () => number;
  /** World ms of the newest close. */
  readonly lastClose: () => number;
  /** Computes a record, at high cost. @param instant world ms */
  readonly validate: (instant: number, signal: AbortSignal) => Promise<ValidationResult>;
}

export function createValidationService({
  clock,
  logger,
  worldNow,
  lastClose,
  validate,
}: ValidationServiceDeps): ValidationService {
  const ending = new AbortController();
  let latest: { readonly served: ServedRecord; readonly close: number } | null = null;
  let checkedAt = 0;
  let running: Promise<ServedRecord> | null = null;

  const compute = async (): Promise<ServedRecord> => {
    const close = lastClose();
    try {
      const { record, closes } = await validate(worldNow(), ending.signal);
      const etag = `"${createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 22)}"`;
      latest = { served: { record, closes, etag }, close };
      return latest.served;
    } catch (error) {
      throw ending.signal.aborted ? refusal('The service is stopping.') : error;
    } finally {
      running = null;
      checkedAt = clock.now();
    }
  };
  const begin = (): Promise<ServedRecord> => {
    running ??= compute();
    return running;
  };

  return {
    async current() {
      if (latest === null) return within(clock, begin());
      const isOld = clock.now() - checkedAt >= GOOD_FOR_MS && latest.close !== lastClose();
      if (isOld) {
        begin().catch((error: unknown) => {
          if (!ending.signal.aborted)
            logger.error({ error: messageOf(error) }, 'validation failed; keeping the last record');
        });
      }
      return latest.served;
    },
    close: () => ending.abort(),
  };
}

const refusal = (why: string): Refusal =>
  new Refusal('temporarily_unavailable', `${why} Try again in a moment.`, { 'retry-after': String(RETRY_AFTER_S) });

function within(clock: Clock, work: Promise<ServedRecord>): Promise<ServedRecord> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(TIMEOUT_MS, () => reject(refusal('The validation record is being computed.')));
    work.then(resolve, reject).finally(cancel);
  });
}
