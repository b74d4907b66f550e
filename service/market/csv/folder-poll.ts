// Service, market: reads a price folder again when it changed, over several turns of the event loop.
import { messageOf } from '../../../shared/lib/result.ts';
import type { Logger } from '../../logger.ts';
import { overTurns } from '../../steps.ts';
import type { CsvSource } from './source.ts';

export interface FolderPoll {
  /** Reads it if it changed, unless it is being read. */
  poll(): void;
  /** Nothing is read or recorded afterwards. */
  stop(): void;
}

/** @param onChange called when what the folder has is another one */
export function createFolderPoll(
  source: Pick<CsvSource, 'refreshInSteps'>,
  logger: Pick<Logger, 'error'>,
  onChange: () => void,
): FolderPoll {
  let [isReading, isStopped, lastError] = [false, false, ''];
  const read = async (): Promise<void> => {
    try {
      if (await overTurns(source.refreshInSteps(), () => isStopped)) onChange();
      lastError = '';
    } catch (failure) {
      // Logs the same error once: an unmounted disk stays unmounted for a while.
      const error = messageOf(failure);
      if (error !== lastError)
        logger.error({ error }, 'prices cannot be read; what was read stands, and it is tried again');
      lastError = error;
    }
  };
  return {
    poll() {
      if (isReading || isStopped) return;
      isReading = true;
      void read().finally(() => {
        isReading = false;
      });
    },
    stop() {
      isStopped = true;
    },
  };
}
