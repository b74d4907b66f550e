// Service, briefings: the periods that the log and the archive cover.
import { DAY_MS } from '../../shared/lib/time.ts';
import type { LogOpening } from '../log/log-feed.ts';
import type { Store } from '../store/store.ts';

/** How far back the archive of a first start reaches, world ms. */
const ARCHIVE_MS = 90 * DAY_MS;

export type Region = readonly [from: number, to: number];

export interface Coverage {
  /** World ms from which the log has no gap; +Infinity before it is opened. */
  readonly logFrom: number;
  /** Times whose briefings are written on request, world ms. */
  readonly regions: readonly Region[];
}

export const NO_COVERAGE: Coverage = { logFrom: Number.POSITIVE_INFINITY, regions: [] };

/**
 * Extends the coverage at an opening; the leader stores it. The archive covers a downtime that the log omits.
 */
export function extendCoverage(store: Store, { reached, from, now }: LogOpening, leads: boolean): Coverage {
  const stored = store.meta('briefing_archive');
  const before: Coverage =
    reached === null
      ? { logFrom: from, regions: [[now - ARCHIVE_MS, now]] }
      : stored === null
        ? NO_COVERAGE
        : (JSON.parse(stored) as Coverage);
  const coverage: Coverage =
    reached !== null && reached < from ? { logFrom: from, regions: [...before.regions, [reached, from]] } : before;
  const text = JSON.stringify(coverage);
  if (leads && stored !== text) store.transaction(() => store.setMeta('briefing_archive', text));
  return coverage;
}
