// Test: the alerts of every window: the newest, and active ones of any age.
import { expect, test } from 'vitest';
import { MAX_ALERTS } from '../../../shared/channels/state.ts';
import { idOf } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';

const bench = setUpCoreBench();

test('an active High Risk and an unhandled one are kept, however many alerts follow', async () => {
  const rig = await bench.up();
  const active = bench.service.emit('SPY', 2);
  const over = bench.service.emit('DIA', 2);
  bench.service.emit('DIA', 0);
  const handled = bench.service.emit('IWM', 2);
  bench.service.emit('IWM', 0);
  await bench.clock.advance(300);
  rig.core.actions.acknowledge([idOf(rig, handled.event_id)], true);
  for (let index = 0; index <= MAX_ALERTS; index += 1) bench.service.emit('QQQ', index % 2 === 0 ? 2 : 0);
  await bench.clock.advance(5_000);
  const held = rig.snapshot().alerts.map(({ transition }) => transition.event_id);
  expect(held.slice(MAX_ALERTS)).toEqual([over.event_id, active.event_id]);
  expect(held).not.toContain(handled.event_id);
});
