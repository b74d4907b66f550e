// Service, limits: counts calls per endpoint and caller in the current minute of the wall clock.
// Minutes of the epoch, so that all windows end together.
import { MINUTE_MS } from '../../shared/lib/time.ts';

/**
 * Maximum number of separate callers per endpoint and minute; further callers share one count, to bound
 * memory.
 */
const MAX_CALLERS = 10_000;
const REST = '';

/** A counted endpoint: a route, or an unknown path. */
export interface Endpoint {
  readonly method?: string;
  readonly path: string;
}

/** Calls within a minute, by endpoint and caller. */
export interface MinuteCalls {
  /** Number of the minute since the epoch. */
  readonly minute: number;
  readonly calls: readonly (readonly [name: string, calls: number])[];
}

export interface Windows {
  /** Calls by `who` to `endpoint` in the minute of `now`, including calls that other nodes reported. */
  used(endpoint: Endpoint, who: string, now: number): number;
  count(endpoint: Endpoint, who: string, now: number): void;
  /** Calls by `who` to `endpoint` at other nodes since the last time that it was asked, of the minute of `now`. */
  newElsewhere(endpoint: Endpoint, who: string, now: number): number;
  /** Calls counted here since the last time, of the minute of `now`. */
  takeCalls(now: number): MinuteCalls;
  /** @param all calls of all nodes, for the reported names */
  receiveCalls(all: MinuteCalls): void;
}

export function createWindows(): Windows {
  let minute = Number.NaN;
  const endpoints = new Map<object, Map<string, number>>();
  /** By name: unreported calls, reported calls, and calls at other nodes. */
  const [fresh, taken, elsewhere] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  /** By name: the part of `elsewhere` that was asked for. */
  const asked = new Map<string, number>();
  const turn = (now: number): void => {
    const current = Math.floor(now / MINUTE_MS);
    if (current === minute) return;
    minute = current;
    for (const counts of [endpoints, fresh, taken, elsewhere, asked]) counts.clear();
  };
  const at = (endpoint: Endpoint, now: number): Map<string, number> => {
    turn(now);
    let counts = endpoints.get(endpoint);
    if (counts === undefined) {
      counts = new Map();
      endpoints.set(endpoint, counts);
    }
    return counts;
  };
  const nameIn = (counts: Map<string, number>, who: string): string =>
    counts.size < MAX_CALLERS || counts.has(who) ? who : REST;
  return {
    used(endpoint, who, now) {
      const counts = at(endpoint, now);
      return (counts.get(nameIn(counts, who)) ?? 0) + (elsewhere.get(nameOf(endpoint, who)) ?? 0);
    },
    count(endpoint, who, now) {
      const counts = at(endpoint, now);
      const name = nameIn(counts, who);
      add(counts, name, 1);
      add(fresh, nameOf(endpoint, name), 1);
    },
    newElsewhere(endpoint, who, now) {
      turn(now);
      const name = nameOf(endpoint, who);
      const [all, before] = [elsewhere.get(name) ?? 0, asked.get(name) ?? 0];
      asked.set(name, Math.max(all, before));
      return Math.max(0, all - before);
    },
    takeCalls(now) {
      turn(now);
      const calls = [...fresh];
      fresh.clear();
      for (const [name, count] of calls) add(taken, name, count);
      return { minute, calls };
    },
    receiveCalls(all) {
      if (all.minute !== minute) return;
      for (const [name, count] of all.calls) elsewhere.set(name, Math.max(0, count - (taken.get(name) ?? 0)));
    },
  };
}

const nameOf = ({ method = '', path }: Endpoint, who: string): string => `${method} ${path} ${who}`;

const add = (counts: Map<string, number>, name: string, more: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + more);

/** The first instant of the next window, ms. */
export const minuteEnd = (now: number): number => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
