// Bench: a window's full-text search over the offline archive, through the reader's thread.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { matchOf } from '../../../main/core/archive/match.ts';
import { startReaderThread } from '../../../main/core/archive/reader-thread.ts';
import { ARCHIVE_NAME } from '../../../main/core/archive/tables.ts';
import { compare, interleave, median, quantile } from '../measure.ts';
import type { Row } from '../row.ts';
import { fillArchive, SEARCHES } from '../support/full-archive.ts';

const BRIEFINGS = 100_000;
const LIMIT = 20;

export const search: Row = {
  name: 'search',
  what: `search over ${BRIEFINGS.toLocaleString('en-US')} briefings (and alerts, notes, news) in the reader's thread, ranked, with excerpts; p95 of ${SEARCHES.length} searches; ms`,
  floor: 'the bare FTS5 query over the same index in this thread: ranked, with a snippet, as many rows',
  goal: { atMost: 1.3 },
  async run({ folder, defer }) {
    fillArchive(folder, BRIEFINGS);
    const reader = startReaderThread(folder);
    defer(() => reader.close());
    const db = new Database(join(folder, ARCHIVE_NAME), { readonly: true });
    defer(() => db.close());
    const bare = db.prepare(
      `SELECT rowid, rank, snippet(briefings_fts, -1, '[', ']', '...', 24) AS excerpt FROM briefings_fts WHERE briefings_fts MATCH ? ORDER BY rank LIMIT ?`,
    );
    const medians: number[] = [];
    const each = async (one: (text: string) => unknown): Promise<number[]> => {
      const times: number[] = [];
      for (const text of SEARCHES) {
        const begun = performance.now();
        await one(text);
        times.push(performance.now() - begun);
      }
      return times;
    };
    const pair = await interleave({
      async product() {
        const times = await each((text) => reader.ask('search', { text, kinds: null, limit: LIMIT }));
        medians.push(median(times));
        return quantile(times, 0.95);
      },
      floor: async () => quantile(await each((text) => bare.all(matchOf(text) ?? '', LIMIT)), 0.95),
      budget: 20_000,
    });
    return compare(pair, {
      product: 'archive',
      floor: 'bare FTS5',
      unit: 'ms',
      notes: [`median search: ${median(medians).toFixed(1)} ms`],
    });
  },
};
