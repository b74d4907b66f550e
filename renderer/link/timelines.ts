// Renderer: reads timelines from the core: the chosen symbol's at once, those of the list one after the other, so that
// sparklines never crowd out what the user waits for, nor eat the service's rate limit.
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';

/** When a timeline was read: it is read again when one of these is another. */
export interface TimelineVersion {
  /** Grows when what was read before may have holes. */
  readonly epoch: number;
  /** The session day of the last decision. */
  readonly day: number | null;
  /** How often the ledger had outgrown what a window holds: within one of these, the window has received every event since. */
  readonly outgrown: number;
}

export interface TimelineReader {
  /** Reads now, whatever was read before. */
  read(symbol: string): void;
  /** Reads unless what was read still holds: same epoch, same day, and no more events since than the window holds. */
  show(symbol: string, version: TimelineVersion): void;
  /** Reads, one after the other, what was not read on this day; replaces an earlier order. */
  fill(symbols: readonly string[], day: number | null): void;
}

export function createTimelineReader(window: Window<Channels>, ingest: Ingest): TimelineReader {
  const read = new Map<string, TimelineVersion>();
  const inFlight = new Set<string>();
  let latest: TimelineVersion = { epoch: 0, day: null, outgrown: 0 };
  let order: readonly string[] = [];
  let isFilling = false;
  let isReplaced = false;

  const readOne = async (symbol: string): Promise<void> => {
    if (inFlight.has(symbol)) return;
    inFlight.add(symbol);
    const version = latest;
    ingest({ kind: 'query.started', query: 'timelines', key: symbol, progress: null });
    try {
      ingest({
        kind: 'query.succeeded',
        query: 'timelines',
        key: symbol,
        value: await window.call('timeline.read', { symbol }),
      });
      read.set(symbol, version);
    } catch (error) {
      ingest({ kind: 'query.failed', query: 'timelines', key: symbol, message: messageOf(error) });
    } finally {
      inFlight.delete(symbol);
    }
  };
  const fillOn = async (): Promise<void> => {
    if (isFilling) return;
    isFilling = true;
    do {
      isReplaced = false;
      for (const symbol of order) {
        if (isReplaced) break;
        if (read.get(symbol)?.day !== latest.day) await readOne(symbol);
      }
    } while (isReplaced);
    isFilling = false;
  };

  return {
    read: (symbol) => void readOne(symbol),
    show(symbol, version) {
      latest = version;
      const last = read.get(symbol);
      const isGood = last?.epoch === version.epoch && last.day === version.day && last.outgrown === version.outgrown;
      if (!isGood) void readOne(symbol);
    },
    fill(symbols, day) {
      order = symbols;
      latest = { ...latest, day };
      isReplaced = true;
      void fillOn();
    },
  };
}
