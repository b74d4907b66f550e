// Main, core: the archive's upkeep: a check after the start; daily check, retention and backup.
import { isDeepStrictEqual } from 'node:util';
import { type ArchiveView, ArchiveViewSchema } from '../../../shared/channels/archive.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { CoreContext } from '../module.ts';
import type { ArchiveFiles } from './files.ts';
import { FLAG_TABLES, FLAGS_NAME } from './flags.ts';
import { DamageError } from './reader.ts';
import type { Readers } from './readers.ts';
import type { RetentionPolicy } from './retention.ts';
import { ARCHIVE_NAME } from './tables.ts';

export interface Upkeep {
  start(): void;
  stop(): void;
  /** Checks the archive now; a damaged one is quarantined and replaced. @throws Error with a message */
  check(): Promise<void>;
  /** Deletes items beyond their retention, once world time is known. */
  prune(): void;
  /** Deletes expired items, by this computer's time where world time is not known. */
  removeExpired(): void;
  /** Why the daily round failed. */
  problem(): Message | null;
  view(): Pick<ArchiveView, 'checked' | 'backup'>;
}

export interface UpkeepOptions {
  readonly context: CoreContext;
  readonly files: ArchiveFiles;
  readonly readers: Pick<Readers, 'askDedicated' | 'release'>;
  readonly retention: RetentionPolicy;
}

/** Delay of the first check and round, ms: window and stream start first. */
const FIRST_CHECK = 30_000;
const FIRST_ROUND = 60_000;
/** A larger file is checked once a day, not at every start, bytes. */
const CHECKED_AT_START = 64 * 1024 * 1024;
/** Interval at which the day is compared, ms. Often, because a computer may sleep through any hour. */
const CHECK_INTERVAL = 1_800_000;
/** Retention of cached points: days for two years and more, hours for some months. */
const POINT_RETENTION = {
  history: 3 * 366 * DAY_MS,
  factors: 3 * 366 * DAY_MS,
  'regime day': 3 * 366 * DAY_MS,
  'regime hour': 100 * DAY_MS,
};
/** Files of the profile's folder. Those that can be fetched again, or hold secrets, are not copied. */
const BACKED_UP = [FLAGS_NAME, 'ledger.sqlite'];

export function createUpkeep({ context, files, readers, retention }: UpkeepOptions): Upkeep {
  const { guard, events, world } = context;
  const { clock } = guard;
  const { use } = files;
  let cancels: Cancel[] = [];
  let isStopped = false;
  let isBusy = false;
  let problem: Message | null = null;
  const today = (): string => timestamp(clock.now()).slice(0, 10);
  const backups = createBackups({ context, files, readers }, today);
  const noteCheck = (sound: boolean, found: Message): void => {
    const checked = { at: timestamp(clock.now()), sound, message: found };
    use(({ metadata }) => metadata.set('checked', JSON.stringify(checked)));
    events.signal('archiveWritten');
  };
  const check = async (): Promise<void> => {
    // A check of a large file must not block a search.
    const found = await readers.askDedicated('check', {}).catch((error: unknown) => {
      if (error instanceof DamageError) return error.message;
      throw error;
    });
    if (isStopped) return;
    if (found === null) return noteCheck(true, message('archive.check_sound'));
    // Some platforms cannot rename an open file.
    await readers.release();
    files.replace();
    noteCheck(false, message('archive.check_damaged', { why: found }));
  };
  const removeExpired = (): void => {
    const { briefings, news } = retention.horizon();
    const gone = use((store) => {
      for (const [series, kept] of Object.entries(POINT_RETENTION))
        store.answers.prunePoints(series, world.now() - kept);
      return (
        (briefings === Number.NEGATIVE_INFINITY ? 0 : store.briefings.prune(briefings)) +
        (news === Number.NEGATIVE_INFINITY ? 0 : store.news.prune(news))
      );
    });
    if (gone > 0) events.signal('archiveWritten');
  };
  const prune = (): void => {
    // This computer's clock may differ from the items' world time by years.
    if (world.isKnown()) removeExpired();
  };
  const maintain = async (): Promise<void> => {
    const copies = BACKED_UP.map((name) => () => backups.copy(name));
    const failed = await runSteps([check, async () => prune(), ...copies, backups.record], () => isStopped);
    if (isStopped) return;
    const before = problem;
    problem = failed.length === 0 ? null : message('archive.maintenance_failed', { why: failed.join('; ') });
    if (!isDeepStrictEqual(problem, before)) events.signal('archiveWritten');
    if (problem === null) use(({ metadata }) => metadata.set('maintained', today()));
  };
  const isMaintained = (): boolean => {
    try {
      return use(({ metadata }) => metadata.get('maintained')) === today();
    } catch {
      // The files cannot be opened: the steps run all the same, and report their errors.
      return false;
    }
  };
  const maintainIfDue = (): void => {
    if (isBusy || isStopped || isMaintained()) return;
    isBusy = true;
    guard.go(
      maintain().finally(() => {
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
                // The core is stopping, which rejects open requests.
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
    removeExpired,
    problem: () => problem,
    view: () => ({ checked: lastRun(files, 'checked'), backup: lastRun(files, 'backup') }),
  };
}

/** The daily copies of files. */
function createBackups({ context, files, readers }: Omit<UpkeepOptions, 'retention'>, today: () => string) {
  /** Day of the last copy of each file in this run: a repeated round does not copy a file again. */
  const copiedOn = new Map<string, string>();
  /** The newest copy that no record of a backup names; null: none. */
  let newestCopy: string | null = null;
  return {
    async copy(name: string): Promise<void> {
      const day = today();
      if (copiedOn.get(name) === day) return;
      const tables = name === FLAGS_NAME ? { tables: { of: ARCHIVE_NAME, names: FLAG_TABLES } } : {};
      const { files: copies } = await readers.askDedicated('backup', { names: [name], day, ...tables });
      copiedOn.set(name, day);
      newestCopy = copies.at(-1) ?? newestCopy;
    },
    /** Records the backup of the day once every file is copied. */
    async record(): Promise<void> {
      const file = newestCopy;
      if (file === null || BACKED_UP.some((name) => copiedOn.get(name) !== today())) return;
      const at = timestamp(context.guard.clock.now());
      files.use(({ metadata }) => metadata.set('backup', JSON.stringify({ at, file })));
      newestCopy = null;
      context.events.signal('archiveWritten');
    },
  };
}

/** Runs independent steps: a disk too full for a backup still loses expired items. @returns what failed */
async function runSteps(steps: readonly (() => Promise<void>)[], isStopped: () => boolean): Promise<string[]> {
  const failed: string[] = [];
  for (const step of steps) {
    if (isStopped()) break;
    await step().catch((error: unknown) => void failed.push(messageOf(error)));
  }
  return failed;
}

function lastRun<Name extends 'checked' | 'backup'>({ use }: ArchiveFiles, name: Name): ArchiveView[Name] {
  const written = use(({ metadata }) => metadata.get(name));
  const parsed = ArchiveViewSchema.shape[name].safeParse(written === null ? null : JSON.parse(written));
  return (parsed.data ?? null) as ArchiveView[Name];
}
