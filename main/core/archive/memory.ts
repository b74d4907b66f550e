// Main, core: caches the window's queries; offline it returns the last good answer with its time.
import Database from 'better-sqlite3';
import { type Channels, channels } from '../../../shared/channels/channels.ts';
import type { OutputOf } from '../../../shared/channels/ends.ts';
import { type Row, RowSchema } from '../../../shared/channels/state.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { createTables } from '../files/migrate.ts';
import type { CoreContext } from '../module.ts';
import { ArchiveClosedError, type ArchiveFiles } from './files.ts';
import { ARCHIVE_MIGRATIONS } from './migrations.ts';
import { type CacheAccess, createQueryCache, type QueryCache } from './query-cache.ts';
import { createSeriesMemory, mayRecall, type SeriesMemory } from './series-memory.ts';
import { ARCHIVE_TABLES } from './tables.ts';

export interface Memory extends SeriesMemory {
  /**
   * One object. `key`: the query. @throws the error of `read`, where nothing is cached or the symbol is not
   * covered
   */
  one<Name extends OneName>(
    name: Name,
    key: string,
    read: () => Promise<OutputOf<Channels[Name]>>,
  ): Promise<OutputOf<Channels[Name]>>;
  /** The last answer, of this run or an earlier one; null: none is cached. */
  known<Name extends OneName>(name: Name, key: string): OutputOf<Channels[Name]> | null;
  /** The current rows of the watchlists; written at most once a minute. */
  keepRows(rows: readonly Row[]): void;
  /** The rows of the last run. */
  rows(): Row[];
}

/** Channels whose whole answer is cached. */
type OneName = 'factors.read' | 'regime.read' | 'validation.read' | 'instruments.read';

/** Name of the rows among the answers, and the interval of their writes, ms. */
const ROWS = 'rows';
const ROWS_EVERY = 60_000;

/** A program without an archive caches for this run. */
export function createMemory({ guard, ports }: CoreContext, files: Pick<ArchiveFiles, 'isAvailable' | 'use'>): Memory {
  const { clock } = guard;
  let rowsSavedAt = Number.NEGATIVE_INFINITY;
  let own: QueryCache | null = null;
  const attempt: CacheAccess = (work) => {
    try {
      if (files.isAvailable) return files.use(({ queryCache }) => work(queryCache));
      own ??= openOwnCache();
      return work(own);
    } catch (error) {
      if (!(error instanceof ArchiveClosedError))
        ports.logger.warn({ problem: messageOf(error) }, 'what was read could not be remembered');
      return null;
    }
  };
  const known: Memory['known'] = (name, key) => {
    const found = attempt((queryCache) => queryCache.answer(name, key));
    // The answer may come from another version of this program.
    const value = channels[name].output.safeParse(found?.value);
    if (found === null || !value.success) return null;
    return { ...value.data, cached_at: timestamp(found.at) } as OutputOf<Channels[typeof name]>;
  };
  return {
    ...createSeriesMemory(attempt, clock),
    known,
    async one(name, key, read) {
      try {
        const answer = await read();
        attempt((queryCache) => queryCache.keepAnswer(name, key, answer, clock.now()));
        return answer;
      } catch (error) {
        const found = mayRecall(error) ? known(name, key) : null;
        if (found === null) throw error;
        return found;
      }
    },
    keepRows(rows) {
      const now = clock.now();
      // A program without an archive has nothing to restore at its next start.
      if (!files.isAvailable || Math.abs(now - rowsSavedAt) < ROWS_EVERY) return;
      rowsSavedAt = now;
      attempt((queryCache) => queryCache.keepAnswer(ROWS, '', rows, now));
    },
    rows() {
      const found = files.isAvailable ? attempt((queryCache) => queryCache.answer(ROWS, '')) : null;
      return Array.isArray(found?.value) ? found.value.flatMap((row) => RowSchema.safeParse(row).data ?? []) : [];
    },
  };
}

function openOwnCache(): QueryCache {
  const db = new Database(':memory:');
  createTables(db, ARCHIVE_TABLES, ARCHIVE_MIGRATIONS.length);
  return createQueryCache(db);
}
