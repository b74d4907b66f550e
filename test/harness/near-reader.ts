// Test harness: a reader of the archive in the test's own thread.
import { createTaskRunner, DamageError, type ReaderFactory } from '../../main/core/archive/reader.ts';
import { isDamage } from '../../main/core/files/sqlite-file.ts';
import { messageOf } from '../../shared/lib/result.ts';

export const startNearReader: ReaderFactory = (folder) => {
  const runner = createTaskRunner(folder);
  return {
    ask: (name, ask) =>
      runner.answer(name, ask).catch((error: unknown) => {
        throw isDamage(error) ? new DamageError(messageOf(error)) : error;
      }),
    close: async () => runner.close(),
  };
};
