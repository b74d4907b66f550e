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

/** The parts are the scored closes of these symbols. */
const HeadSchema = z.object({
  key: z.string(),
  close: z.number(),
  record: ValidationSchema,
  symbols: z.array(z.string()),
});

/** @param key of program, model and instruments: a record of another one is not served */
export function createRecordKeeper(file: CacheFile, key: string, logger: Logger): RecordKeeper {
  const failed = (error: unknown): null => {
    logger.warn({ error: messageOf(error) }, 'the validation record cannot be kept');
    return null;
  };
  const read: RecordKeeper['read'] = () => {
    try {
      const { head, parts = [] } = file.value(RECORD) ?? {};
      const { data } = HeadSchema.safeParse(head);
      if (data === undefined || data.key !== key || !parts.every(file.isWhole)) return null;
      const closes = data.symbols.map((symbol, index) => ({
        symbol,
        read: () => ScoredClosesSchema.parse(file.part(parts[index] as number)),
      }));
      return { record: data.record, closes, close: data.close };
    } catch (error) {
      return failed(error);
    }
  };
  return {
    read,
    async write({ record, closes, close }) {
      const symbols = closes.map(({ symbol }) => symbol);
      const parts = function* () {
        for (const one of closes) yield one.read();
      };
      try {
        await overTurns(
          file.replace(RECORD, parts(), () => ({ key, close, record, symbols })),
          () => !file.isOpen,
        );
        return read();
      } catch (error) {
        return failed(error);
      }
    },
  };
}
