// Service, market: rereads a changed price folder over several turns of the event loop.
import { messageOf } from '../../../shared/lib/result.ts';
import type { Logger } from '../../logger.ts';
import { overTurns } from '../../steps.ts';
import type { CsvSource } from './source.ts';

export interface FolderPoll {
  /** Reads the folder if it changed and no read is running. */
  poll(): void;
  /** Stops reading and recording. */
  stop(): void;
}

/** @param onChange called when the folder's contents changed, or whether they can be read */
export function createFolderPoll(
  source: Pick<CsvSource, 'refreshInSteps'>,
  logger: Pick<Logger, 'error'>,
  onChange: () => void,
): FolderPoll {
  let [isReading, isStopped, lastError] = [false, false, ''];
  const read = async (): Promise<void> => {
    try {
      const isChanged = await overTurns(source.refreshInSteps(), () => isStopped);
      if (isChanged || lastError !== '') onChange();
      lastError = '';
    } catch (failure) {
      // Logs a repeated error once: an unmounted disk stays unmounted for a while.
      const error = messageOf(failure);
      if (error === lastError) return;
      lastError = error;
      logger.error({ error }, 'prices cannot be read; keeping the last prices; retrying');
      onChange();
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
