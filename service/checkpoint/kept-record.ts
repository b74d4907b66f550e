// Service, checkpoint: keeps the validation record in the cache file.
import { z } from 'zod';
import { messageOf } from '../../shared/lib/result.ts';
import { ValidationSchema } from '../../shared/wire/validation.ts';
import type { Logger } from '../logger.ts';
import { overTurns } from '../steps.ts';
import { ScoredClosesSchema } from '../validation/scored-closes.ts';
import type { RecordKeeper } from '../validation/validation-service.ts';
import type { CacheFile } from './cache-file.ts';

/** Name of its value. */
const RECORD = 'validation record';

/** The parts are the scored closes by symbol. */
const HeadSchema = z.object({ key: z.string(), close: z.number(), record: ValidationSchema, symbols: z.number() });

/** @param key of program, model and instruments: a record of another one is not served */
export function createRecordKeeper(file: CacheFile, key: string, logger: Logger): RecordKeeper {
  const failed = (error: unknown): void =>
    logger.warn({ error: messageOf(error) }, 'the validation record cannot be kept');
  return {
    read() {
      try {
        const { data } = HeadSchema.safeParse(file.read(RECORD));
        if (data === undefined || data.key !== key) return null;
        const parts = Array.from({ length: data.symbols }, (_, index) => file.read(RECORD, index + 1));
        const closes = z.array(ScoredClosesSchema).safeParse(parts);
        return closes.success ? { result: { record: data.record, closes: closes.data }, close: data.close } : null;
      } catch (error) {
        failed(error);
        return null;
      }
    },
    write({ result: { record, closes }, close }) {
      const head = () => ({ key, close, record, symbols: closes.length });
      overTurns(file.replace(RECORD, closes, head), () => !file.isOpen).catch(failed);
    },
  };
}
