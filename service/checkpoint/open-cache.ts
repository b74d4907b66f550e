// Service, checkpoint: opens the cache of a service.
import { createHash } from 'node:crypto';
import type { Logger } from '../logger.ts';
import type { Instrument } from '../market/types.ts';
import type { Checkpoints } from '../signals/closes-reader.ts';
import type { RecordKeeper } from '../validation/validation-service.ts';
import { cacheFileOf, openCacheFile, TEMPORARY } from './cache-file.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createRecordKeeper } from './kept-record.ts';

export interface CacheOptions {
  /** Of the program: another one may compute otherwise. */
  readonly version: string;
  readonly modelVersion: string;
  readonly instruments: readonly Instrument[];
  readonly logger: Logger;
}

export interface ServiceCache {
  readonly kept: { readonly checkpoints: Checkpoints; readonly recordKeeper: RecordKeeper };
  close(): void;
}

/**
 * @param store its path; null: a store in memory. Then only older rows leave memory, to a temporary file
 * @returns null if there can be no file
 */
export function openCache(
  store: string | null,
  { version, modelVersion, instruments, logger }: CacheOptions,
): ServiceCache | null {
  const file = openCacheFile(store === null ? TEMPORARY : cacheFileOf(store), logger);
  if (file === null) return null;
  const key = createHash('sha256')
    .update(JSON.stringify([version, modelVersion, instruments]))
    .digest('hex');
  return {
    kept: {
      checkpoints: createCheckpoints(file, store === null ? null : version, logger),
      recordKeeper: createRecordKeeper(file, key, logger),
    },
    close: file.close,
  };
}
