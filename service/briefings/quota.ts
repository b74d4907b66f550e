// Service, briefings: limits transition briefings to one per four hours and one a day per symbol.
import { DAY_MS } from '../../shared/lib/time.ts';
import type { Entry } from './transition.ts';

const PART_MS = DAY_MS / 6;

export interface Quota {
  /** Takes the slot of `at` (world ms) if it is free. Call it in order of time. */
  take(at: number, entries: readonly Pick<Entry, 'symbol'>[]): boolean;
  /** Counts an existing briefing. Call it in order of time. */
  count(at: number, symbols: readonly string[]): void;
}

export function createQuota(): Quota {
  const usedSlots = new Set<number>();
  let day = Number.NaN;
  let coveredSymbols = new Set<string>();

  const enter = (at: number): void => {
    const today = Math.floor(at / DAY_MS);
    if (today === day) return;
    day = today;
    coveredSymbols = new Set();
    usedSlots.clear();
  };

  const quota: Quota = {
    take(at, entries) {
      enter(at);
      if (usedSlots.has(Math.floor(at / PART_MS)) || entries.every(({ symbol }) => coveredSymbols.has(symbol)))
        return false;
      quota.count(
        at,
        entries.map(({ symbol }) => symbol),
      );
      return true;
    },
    count(at, symbols) {
      enter(at);
      usedSlots.add(Math.floor(at / PART_MS));
      for (const symbol of symbols) coveredSymbols.add(symbol);
    },
  };
  return quota;
}
