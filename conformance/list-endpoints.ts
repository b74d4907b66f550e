// Conformance: finds the world time, and lists that the specification names without a path.
import { DAY_MS } from '../shared/lib/time.ts';
import type { Probe } from './probe.ts';
import { fieldsOf, isInstant } from './shapes.ts';

const BRIEFING_PATHS = ['/api/briefings', '/briefings'];

/**
 * Finds the archive's path, which the specification omits (section 4.7), in the OpenAPI document, else by two
 * guesses.
 */
export async function briefingsPath(probe: Probe): Promise<string | null> {
  const { body } = await probe.get('/openapi.json');
  const documented = Object.keys(fieldsOf(fieldsOf(body)?.paths) ?? {}).find((path) => /\/briefings$/.test(path));
  for (const path of [...(documented === undefined ? [] : [documented]), ...BRIEFING_PATHS])
    if ((await probe.get(path)).status === 200) return path;
  return null;
}

/** First and last time of GET /history, ms; the last is the service's present, at most a bar old. */
export async function historyRange(probe: Probe): Promise<{ from: number; to: number }> {
  const times = (await probe.rows(`/history?symbol=${await probe.symbol()}&limit=100`)).flatMap((row) => {
    const at = row.timestamp ?? row.date ?? row.time;
    return isInstant(at) ? [Date.parse(at)] : [];
  });
  return times.length === 0
    ? { from: Number.NaN, to: probe.clock.now() }
    : { from: Math.min(...times), to: Math.max(...times) };
}

export interface ListEndpoint {
  readonly name: string;
  /** Path and query of its first page; null: not found. */
  path(probe: Probe): Promise<string | null>;
}

const fixed = (name: string, path: string): ListEndpoint => ({ name, path: async () => path });

/** The list endpoints. */
export const LISTS: readonly ListEndpoint[] = [
  fixed('snapshot', '/snapshot'),
  { name: 'history', path: async (probe) => `/history?symbol=${await probe.symbol()}` },
  fixed('alert-transitions', '/alert-transitions'),
  fixed('alerts', '/alerts'),
  fixed('market-news', '/market-news'),
  {
    name: 'regime-history',
    path: async (probe) =>
      `/regime/${await probe.symbol()}/history?from=${new Date((await historyRange(probe)).to - 30 * DAY_MS).toISOString()}`,
  },
  { name: 'briefings', path: briefingsPath },
];

export const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
