// Service, briefings, test: which briefings a publisher remembers after a start.
import { afterEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { createTimetable } from '../market/timetable.ts';
import { createEventIds } from '../signals/event-id.ts';
import type { Briefing } from '../store/briefings.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { IN_MEMORY, openStore, type Store } from '../store/store.ts';
import { createArchive } from './archive.ts';
import { createComposer } from './composer.ts';
import { NO_EDITORIALS } from './editorial.ts';
import { createPublisher } from './publisher.ts';

const TODAY = Date.parse('2026-03-03T00:00:00Z');
const ids = createEventIds('test');
let store: Store;
afterEach(() => store.close());

const briefing = (date: number, symbol: string): Briefing => ({
  id: `brf_${date}`,
  type: 'transition',
  title: symbol,
  author: 'Equity desk',
  date,
  summary: '',
  symbols: [symbol],
  readingMinutes: 1,
  body: '',
});

const entry = (at: number, symbol: string): LoggedEvent => {
  const envelope = {
    event_id: ids.of(at, 0, 'signal.high_risk', symbol),
    event: 'signal.high_risk',
    timestamp: timestamp(at),
    data: { symbol, asset_class: 'etf' },
  } as unknown as LoggedEvent['envelope'];
  return { envelope, json: '' };
};

/** Symbols for which a publisher that opens at `now` begins a transition briefing. */
function begun(existing: readonly Briefing[], now: number, events: readonly LoggedEvent[]): string[] {
  store = openStore(IN_MEMORY, { environment: 'production', seed: null, clock: 'real' });
  store.transaction(() => existing.forEach((one) => void store.briefings.add(one, 'generated')));
  const timetable = createTimetable('production');
  const composer = createComposer(ids, 'production');
  const archive = createArchive({ timetable, detector: { tracks: new Map() } as never, log: store.log, composer });
  archive.cover({ logFrom: 0, regions: [] });
  const symbols: string[] = [];
  const publisher = createPublisher({
    ...{ environment: 'production', timetable, composer, archive, store, editorials: NO_EDITORIALS },
    contextFor(_instant, live) {
      if (live instanceof Set) symbols.push(...(live as ReadonlySet<string>));
      return null;
    },
    writer: { commit: () => [] },
  });
  publisher.open(now, now);
  publisher.publish(events, now + HOUR_MS);
  return symbols;
}

test('after a start the quota counts the briefings of today only', () => {
  const existing = [
    briefing(TODAY - DAY_MS + 13 * HOUR_MS, 'IWM'),
    briefing(TODAY - 2 * HOUR_MS, 'DIA'),
    briefing(TODAY + HOUR_MS, 'QQQ'),
    briefing(TODAY + 9 * HOUR_MS, 'SPY'),
  ];
  const now = TODAY + 10 * HOUR_MS;
  expect(begun(existing, now, [entry(now + 1, 'GLD')])).toEqual([]);
  store.close();
  expect(begun(existing, now, [entry(now + 2 * HOUR_MS, 'SPY'), entry(now + 2 * HOUR_MS + 1, 'IWM')])).toEqual(['IWM']);
});
