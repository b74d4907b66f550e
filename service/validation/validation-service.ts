// Service, validation: serves the validation record, and recomputes it after later closes.
import { createHash } from 'node:crypto';
import type { Clock } from '../../shared/lib/clock.ts';
import { createProgressMeter, type Progress, type ShownProgress } from '../../shared/lib/progress.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { PROGRESS_HEADER } from '../../shared/wire/progress.ts';
import type { Logger } from '../logger.ts';
import { Refusal } from '../refusal.ts';
import type { ValidationRecord } from './compute.ts';
import type { ScoredCloses } from './scored-closes.ts';
import type { ValidationResult } from './worker.ts';

/** Minimum validity of a record, wall ms, also in the caches of clients. */
export const GOOD_FOR_MS = 900_000;
/** Longest wait of a request for the first record, wall ms: shorter than a client's, so that it learns why. */
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_S = 5;
/** How long a start has other work, wall ms: a kept record is not recomputed before. */
const START_MS = 60_000;

/** The scored closes of one symbol, which are read when they are asked for. */
export interface ClosesOfSymbol {
  readonly symbol: string;
  read(): ScoredCloses;
}

export interface ServedRecord {
  readonly record: ValidationRecord;
  /** In order of symbol. */
  readonly closes: readonly ClosesOfSymbol[];
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
  /** Keeps the record over restarts. Default: nothing does. */
  readonly keeper?: RecordKeeper;
  /** Computes a record, at high cost. @param instant world ms */
  readonly validate: (
    instant: number,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ) => Promise<ValidationResult>;
}

/** A record, and the world ms of the close up to which it was computed. */
export interface KeptRecord extends Pick<ServedRecord, 'record' | 'closes'> {
  readonly close: number;
}

export interface RecordKeeper {
  /** null: none of this model and these instruments. */
  read(): KeptRecord | null;
  /** Replaces the record. @returns it, as `read`; null: it cannot be kept */
  write(kept: KeptRecord): Promise<KeptRecord | null>;
}

export function createValidationService({
  clock,
  logger,
  worldNow,
  lastClose,
  keeper,
  validate,
}: ValidationServiceDeps): ValidationService {
  const ending = new AbortController();
  let latest: { readonly served: ServedRecord; readonly close: number } | null = null;
  let checkedAt = clock.now() - GOOD_FOR_MS + START_MS;
  let isNew = true;
  let running: Promise<ServedRecord> | null = null;
  let progress: ShownProgress | null = null;

  const serve = ({ record, closes, close }: KeptRecord): ServedRecord => {
    const hash = createHash('sha256').update(JSON.stringify(record)).digest('base64url');
    latest = { served: { record, closes, etag: `"${hash.slice(0, 22)}"` }, close };
    return latest.served;
  };
  const compute = async (): Promise<ServedRecord> => {
    const close = lastClose();
    const measure = createProgressMeter(clock);
    try {
      const { record, closes } = await validate(worldNow(), ending.signal, (reported) => {
        progress = measure(reported);
      });
      const kept = { record, closes: closes.map((one) => ({ symbol: one.symbol, read: () => one })), close };
      const served = serve(kept);
      // From then on the closes are in the file alone.
      void keeper?.write(kept).then((stored) => {
        if (stored !== null && latest?.served === served) serve(stored);
      });
      return served;
    } catch (error) {
      throw ending.signal.aborted ? refusal('The service is stopping.') : error;
    } finally {
      running = null;
      progress = null;
      checkedAt = clock.now();
    }
  };
  const begin = (): Promise<ServedRecord> => {
    running ??= compute();
    return running;
  };

  return {
    async current() {
      const kept = isNew ? keeper?.read() : null;
      isNew = false;
      if (kept != null) serve(kept);
      if (latest === null) return within(clock, begin(), () => progress);
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

const refusal = (why: string, progress: ShownProgress | null = null): Refusal =>
  new Refusal('temporarily_unavailable', `${why} Try again in a moment.`, {
    'retry-after': String(RETRY_AFTER_S),
    ...(progress === null ? {} : { [PROGRESS_HEADER]: JSON.stringify(progress) }),
  });

function within(
  clock: Clock,
  work: Promise<ServedRecord>,
  progress: () => ShownProgress | null,
): Promise<ServedRecord> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(refusal('The validation record is being computed.', progress()));
    const cancel = clock.after(TIMEOUT_MS, refuse);
    work.then(resolve, reject).finally(cancel);
  });
}
