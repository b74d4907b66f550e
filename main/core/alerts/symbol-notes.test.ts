// Test: the notes in a symbol's chart and those of its alerts, across a restart and a lost file.
import { expect, test } from 'vitest';
import { calls, idOf } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';

const bench = setUpCoreBench();
const AT = '2026-02-27T15:00:00.000Z';
const read = async (rig: CoreRig, symbol = 'SPY') => (await calls(rig)['notes.read']({ symbol })).notes;

test('a note is added, changed and removed; each pushes a new version', async () => {
  const rig = await bench.up();
  const { id } = await calls(rig)['notes.save']({ id: null, symbol: 'SPY', at: AT, text: 'Fed' });
  await bench.clock.advance(100);
  expect(rig.alertings.at(-1)).toMatchObject({ notes_version: 1 });
  expect(await read(rig)).toEqual([{ kind: 'symbol', id, at: AT, text: 'Fed' }]);
  expect(await read(rig, 'QQQ')).toEqual([]);
  const later = '2026-02-27T16:00:00.000Z';
  await calls(rig)['notes.save']({ id, symbol: 'SPY', at: later, text: 'Fed minutes' });
  expect(await read(rig)).toEqual([{ kind: 'symbol', id, at: later, text: 'Fed minutes' }]);
  await calls(rig)['notes.remove']({ id });
  await bench.clock.advance(100);
  expect(await read(rig)).toEqual([]);
  expect(rig.alertings.at(-1)).toMatchObject({ notes_version: 3 });
  const gone = 'This note was removed.';
  await expect(async () => calls(rig)['notes.remove']({ id })).rejects.toThrow(gone);
  await expect(async () => calls(rig)['notes.save']({ id, symbol: 'SPY', at: AT, text: 'x' })).rejects.toThrow(gone);
});

test('notes on alerts are among them, in the order of their time', async () => {
  const rig = await bench.up();
  const event = bench.service.emit('SPY', 2);
  await bench.clock.advance(300);
  const ledger_id = idOf(rig, event.event_id);
  await calls(rig)['alerts.note']({ ledger_id, note: 'sold half' });
  await calls(rig)['notes.save']({ id: null, symbol: 'SPY', at: AT, text: 'before' });
  expect(await read(rig)).toMatchObject([
    { kind: 'symbol', text: 'before' },
    { kind: 'alert', ledger_id, text: 'sold half' },
  ]);
  await calls(rig)['alerts.note']({ ledger_id, note: '' });
  expect(await read(rig)).toHaveLength(1);
});
