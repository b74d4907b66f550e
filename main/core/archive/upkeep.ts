// Main, core: the archive's upkeep: a check after the start; daily check, retention and backup.
import type { ArchiveView } from '../../../shared/channels/archive.ts';
import { ArchiveViewSchema } from '../../../shared/channels/archive.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Guard } from '../guard.ts';
import { FLAGS_NAME } from './database.ts';
import type { ArchiveFiles } from './files.ts';
import { type ArchiveReader, DamageError } from './reader.ts';

export interface Upkeep {
  start(): void;
  stop(): void;
  /** Checks the archive now; a damaged one is quarantined and replaced. @throws Error with a message */
  check(): Promise<void>;
  /** Deletes items beyond their retention. */
  prune(): void;
  /** Why the daily round failed, as a message. */
  problem(): string | null;
  view(): Pick<ArchiveView, 'checked' | 'backup'>;
}

export interface UpkeepOptions {
  readonly guard: Guard;
  readonly files: ArchiveFiles;
  /** Asks a separate reader: a check of a large file must not block a search. */
  readonly ask: ArchiveReader['ask'];
  /** Closes the file in every reader. */
  readonly release: () => Promise<void>;
  readonly horizon: () => { readonly briefings: number; readonly news: number };
  readonly worldNow: () => number;
  readonly onChanged: () => void;
}

/** The start belongs to the window and the stream, ms. */
const FIRST_CHECK = 30_000;
const FIRST_ROUND = 60_000;
/** A larger file is checked once a day, not at every start, bytes. */
const CHECKED_AT_START = 64 * 1024 * 1024;
/** A computer may sleep through any hour: the day is compared often, ms. */
const CHECK_INTERVAL = 1_800_000;
/** Retention of cached answers: days for two years and more, hours for some months. */
const POINT_RETENTION = {
  history: 3 * 366 * DAY_MS,
  factors: 3 * 366 * DAY_MS,
  'regime day': 3 * 366 * DAY_MS,
  'regime hour': 100 * DAY_MS,
};
/** In the profile's folder. Files that can be fetched again or hold secrets are not copied. */
const BACKED_UP = ['ledger.sqlite', FLAGS_NAME];

export function createUpkeep({ guard, files, ask, release, horizon, worldNow, onChanged }: UpkeepOptions): Upkeep {
  const { clock } = guard;
  const { use } = files;
  let cancels: Cancel[] = [];
  let isStopped = false;
  let isBusy = false;
  let problem: string | null = null;

  const today = (): string => timestamp(clock.now()).slice(0, 10);
  const noteCheck = (sound: boolean, message: string): void => {
    use(({ flags }) => flags.setMetadata('checked', JSON.stringify({ at: timestamp(clock.now()), sound, message })));
    onChanged();
  };
  const check = async (): Promise<void> => {
    const found = await ask('check', {}).catch((error: unknown) => {
      if (error instanceof DamageError) return error.message;
      throw error;
    });
    if (isStopped) return;
    if (found === null) return noteCheck(true, 'sound');
    // Where an open file cannot be renamed, no reader may hold it.
    await release();
    files.replace();
    noteCheck(false, `damaged (${found}); set aside, and filled again from the service`);
  };
  const prune = (): void => {
    const { briefings, news } = horizon();
    const gone = use((store) => {
      for (const [series, retention] of Object.entries(POINT_RETENTION))
        store.queryCache.prune(series, worldNow() - retention);
      return (
        (briefings === Number.NEGATIVE_INFINITY ? 0 : store.briefings.prune(briefings)) +
        (news === Number.NEGATIVE_INFINITY ? 0 : store.news.prune(news))
      );
    });
    if (gone > 0) onChanged();
  };
  const backUp = async (): Promise<void> => {
    const { files: copies } = await ask('backup', { names: BACKED_UP, day: today() });
    const [file] = copies;
    if (isStopped || file === undefined) return;
    use(({ flags }) => flags.setMetadata('backup', JSON.stringify({ at: timestamp(clock.now()), file })));
    onChanged();
  };
  /** Independent steps: a disk too full for a backup still loses expired items. */
  const round = async (): Promise<void> => {
    const failed: string[] = [];
    for (const step of [check, async () => prune(), backUp]) {
      try {
        await step();
      } catch (error) {
        failed.push(messageOf(error));
      }
      if (isStopped) return;
    }
    const message =
      failed.length === 0 ? null : `The daily round of the archive did not come to its end (${failed.join('; ')}).`;
    if (message !== problem) onChanged();
    problem = message;
    if (message === null) use(({ flags }) => flags.setMetadata('maintained', today()));
  };
  const maintainIfDue = (): void => {
    if (isBusy || isStopped || use(({ flags }) => flags.getMetadata('maintained')) === today()) return;
    isBusy = true;
    guard.go(
      round().finally(() => {
        isBusy = false;
      }),
    );
  };

  return {
    start() {
      cancels = [
        clock.after(FIRST_CHECK, () => {
          if (use((store) => store.bytes()) <= CHECKED_AT_START)
            guard.go(
              check().catch((error: unknown) => {
                // The program ends, and its requests with it.
                if (!isStopped) throw error;
              }),
            );
        }),
        clock.after(FIRST_ROUND, maintainIfDue),
        every(clock, CHECK_INTERVAL, maintainIfDue),
      ];
    },
    stop() {
      isStopped = true;
      for (const cancel of cancels) cancel();
    },
    check,
    prune,
    problem: () => problem,
    view() {
      const read = <Name extends 'checked' | 'backup'>(name: Name): ArchiveView[Name] => {
        const written = use(({ flags }) => flags.getMetadata(name));
        const parsed = ArchiveViewSchema.shape[name].safeParse(written === null ? null : JSON.parse(written));
        return (parsed.data ?? null) as ArchiveView[Name];
      };
      return { checked: read('checked'), backup: read('backup') };
    },
  };
}
