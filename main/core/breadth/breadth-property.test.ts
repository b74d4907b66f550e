// Test: over random changes of state and restarts, crossings are recorded exactly where the share crosses.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { State } from '../../../shared/domain/states.ts';
import { isBreadthReached } from '../../../shared/settings/breadth-conditions.ts';
import { rule } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { casesOf } from '../../../test/harness/run-length.ts';
import { DEFAULT_SETTINGS, type Settings } from '../profiles/settings.ts';

const bench = setUpCoreBench();
const SYMBOLS = ['SPY', 'QQQ', 'IWM', 'AAPL', 'XLK', 'ZZZ'];

type Step =
  | { readonly kind: 'turn'; readonly changes: readonly (readonly [number, State])[] }
  | { readonly kind: 'restart' };
const change = fc.tuple(fc.nat(SYMBOLS.length - 1), fc.constantFrom<State>(0, 1, 2, 2));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('turn' as const), changes: fc.array(change, { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

test('over random changes of state and restarts each crossing is an alert of its own, and each end is its end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 100 }), fc.array(step, { maxLength: 12 }), async (percent, steps) => {
      bench.fresh();
      const breadth = { list: 'all', percent, state: 2 } as const;
      let settings: Settings = {
        ...DEFAULT_SETTINGS,
        watchlists: [{ id: 'all', name: 'All', sections: [{ name: 'All', symbols: SYMBOLS }] }],
        alerting: {
          ...DEFAULT_SETTINGS.alerting,
          rules: [rule({ events: ['breadth.crossed'], min_state: 0, breadth })],
        },
      };
      const start = async () => {
        const rig = bench.rig({ settings });
        await rig.core.start();
        await bench.clock.advance(5_000);
        return rig;
      };
      let rig = await start();
      const states = SYMBOLS.map((): State => 0);
      let isReached = false;
      let crossings = 0;
      for (const one of steps) {
        if (one.kind === 'restart') {
          await bench.down(rig);
          settings = rig.settings;
          rig = await start();
        } else {
          for (const [index, to] of one.changes) {
            if (states[index] === to) continue;
            states[index] = to;
            bench.service.emit(SYMBOLS[index] ?? '', to);
          }
          await bench.clock.advance(5_000);
        }
        const symbols = SYMBOLS.filter((_, index) => states[index] === 2);
        const before = isReached;
        isReached = isBreadthReached(before, percent, { symbols, known: SYMBOLS.length, of: SYMBOLS.length });
        if (isReached && !before) crossings += 1;
        const alerts = rig.snapshot().local_alerts;
        expect(alerts).toHaveLength(crossings);
        const open = alerts.filter((alert) => !('over_since' in alert));
        expect(open).toHaveLength(isReached ? 1 : 0);
      }
      await bench.down(rig);
    }),
    { numRuns: casesOf(25, 8), seed: 20261130 },
  );
}, 60_000);
