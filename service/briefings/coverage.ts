// Service, briefings: the times that the log covers, and the times that the archive covers.
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

/** Extends and stores the coverage at an opening. The archive covers a downtime that the log omits. */
export function extendCoverage(store: Store, { reached, from, now }: LogOpening): Coverage {
  const stored = store.meta('briefing_archive');
  const before: Coverage =
    reached === null
      ? { logFrom: from, regions: [[now - ARCHIVE_MS, now]] }
      : stored === null
        ? NO_COVERAGE
        : (JSON.parse(stored) as Coverage);
  const coverage: Coverage =
    reached !== null && reached < from ? { logFrom: from, regions: [...before.regions, [reached, from]] } : before;
  store.setMeta('briefing_archive', JSON.stringify(coverage));
  return coverage;
}
