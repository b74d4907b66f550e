// Test: what a symbol costs in memory. It has a process of its own, because others free memory meanwhile.
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openCache } from '../../service/checkpoint/open-cache.ts';
import { createEngine } from '../../service/engine/engine.ts';
import { createSyntheticMarket } from '../../service/market/synthetic/market.ts';
import type { MarketSource } from '../../service/market/types.ts';
import { type EvaluatedCloses, readCloses } from '../../service/signals/closes-reader.ts';
import { inOneTurn } from '../../service/steps.ts';
import { temporaryFolder } from '../harness/folders.ts';

/**
 * Bytes of one symbol after three years of days: the windows of its measures, its newest 32 to 64 rows, and
 * dates and closes of all. The prices of its source come on top.
 */
const MOST = 240_000;
const FIRST = '2023-03-01';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
function used(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('a symbol costs less than 240 kB, its older rows are in the cache', { tags: ['long'], timeout: 60_000 }, () => {
  const folder = temporaryFolder();
  const all = createSyntheticMarket({ seed: 7, symbols: 40 });
  const { instruments } = all;
  const market: MarketSource = {
    ...all,
    closedDays: (after, now) => all.closedDays((symbol) => after(symbol) ?? FIRST, now),
  };
  const logger = { debug: () => undefined, info: () => undefined, warn: expect.fail, error: expect.fail };
  const cache = openCache(join(folder.path, 'service.db'), {
    ...{ version: '1', modelVersion: '1', instruments, logger },
  });
  const read = (): EvaluatedCloses =>
    inOneTurn(
      readCloses(
        {
          market,
          newEngine: (saved) => createEngine({ instruments, factorsFrom: FIRST, saved }),
          checkpoints: cache?.kept.checkpoints ?? expect.fail(),
        },
        { instant: Date.parse('2026-03-02T14:30:00Z'), partOf: (day) => day, inUse: [] },
      ),
    );
  const costs = Array.from({ length: 4 }, () => {
    const held = [read()];
    const tracks = held.flatMap((closes) => [...closes.tracks.values()]);
    const symbols = tracks.length;
    expect(tracks.map(({ days, recent }) => days.length - recent.length)).not.toContain(0);
    tracks.length = 0;
    const before = used();
    held.length = 0;
    return (before - used()) / symbols;
  });
  // The first reading also fills caches, and with any the collector may drop compiled code that nothing runs.
  const cost = Math.min(...costs.slice(1));
  expect(cost).toBeLessThan(MOST);
  expect(cost).toBeGreaterThan(MOST / 2);
  cache?.close();
  folder.remove();
});
