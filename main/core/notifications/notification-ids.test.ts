// Test: every event has its own notification, whatever ids a service chooses.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_GROUPING } from '../../../shared/settings/alert-rules.ts';
import { calls, inbox } from '../../../test/harness/alert-calls.ts';
import { namedIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig, RigOptions } from '../../../test/harness/core-rig.ts';
import { dispatchId, notificationId } from '../ledger/notification-ids.ts';

const bench = setUpCoreBench();
const SECOND = 1_000;
const FORMS: readonly [string, (turn: number) => string][] = [
  ['an @', (turn) => `sig@${turn}`],
  ['an @ at the end', (turn) => `${turn}@`],
  ['a %', (turn) => `${turn}%40`],
  ['colons', (turn) => `urn:sig:${turn}`],
  ['a slash', (turn) => `desk/${turn}`],
  ['the prefix of a digest', (turn) => `digest:${turn}`],
  ['the prefix of an outage', (turn) => `outage:${turn}`],
  ['the end of a repeat', (turn) => `sig:again:${turn}`],
];
/** High Risk of three symbols, a second apart, with ids of this form. */
async function turnHigh(form: (turn: number) => string): Promise<string[]> {
  const ids = [1, 2, 3].map(form);
  for (const [index, id] of ids.entries()) {
    bench.service.emit(['SPY', 'QQQ', 'IWM'][index] ?? '', 2, { id });
    await bench.clock.advance(SECOND);
  }
  await bench.clock.advance(5 * SECOND);
  return ids.map(notificationId);
}
const unacknowledged = async (rig: CoreRig): Promise<string[]> =>
  (await inbox(rig, { filter: 'unacked' })).map(({ alert }) => alert.transition.event_id);
const acknowledge = (rig: CoreRig, id: string) => rig.core.actions.answer(id, 'acknowledge');

describe.each(FORMS)('with %s in the ids of events', (_, form) => {
  test('three within a minute are one notification, and its answer is about all', async () => {
    const rig = await bench.up();
    const [first = '', second = '', third = ''] = await turnHigh(form);
    expect(rig.shown.map(({ id, names = [id] }) => [id, names])).toEqual([
      [first, [first]],
      [first, [first, second]],
      [first, [first, second, third]],
    ]);
    expect(acknowledge(rig, first)).toBeNull();
    expect(await unacknowledged(rig)).toEqual([]);
  });

  test('three that waited together are one notification under the id of the first, and its answer is about all', async () => {
    const rig = await bench.up();
    calls(rig)['grouping.save']({ grouping: { ...DEFAULT_GROUPING, wait_seconds: 5 } });
    const ids = await turnHigh(form);
    expect(rig.shown.map(({ names }) => names)).toEqual([ids]);
    expect(rig.shown[0]?.id).toBe(ids[0]);
    expect(acknowledge(rig, rig.shown[0]?.id ?? '')).toBeNull();
    expect(await unacknowledged(rig)).toEqual([]);
  });

  test('a notification shown before a ledger loss is not shown again', async () => {
    const shown = new Set<string>();
    const options: Partial<RigOptions> = {
      history: () => ({ shown, open: new Set(), newest: bench.clock.now() }),
      show: async ({ id, names = [id] }) => {
        for (const name of names) shown.add(name);
        return { tier: 'system', detail: null };
      },
    };
    const first = await bench.up(options);
    const ids = await turnHigh(form);
    await bench.down(first);
    for (const ending of ['', '-wal', '-shm']) rmSync(join(bench.folder, `ledger.sqlite${ending}`), { force: true });
    const second = await bench.up(options);
    await bench.clock.advance(60 * SECOND);
    expect(namedIds(second).filter((id) => ids.includes(id))).toEqual([]);
    expect(second.snapshot().ledger.events).toBe(3);
  });
});

test('different events have different ids, which are those of no digest, repeat, rule or notice', () => {
  const events = [
    'x',
    'digest:x',
    'x:again:1',
    'again:1',
    'ledger',
    'ledger@1',
    'settings',
    'test:rule',
    'profile:removed',
  ];
  const hostile = ['x@rule', 'x%40rule', 'x#2', 'x%232', '%64igest:x', 'x%3Aagain:1'];
  const ids = [...events, ...hostile].map(notificationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).not.toMatch(/[@#]|:again:\d+$|^barograph:(digest|ledger|settings|test|profile|again)(:|$)/);
  expect(['x', 'evt_01', 'urn:uuid:1-2', 'desk/1', 'digests:1'].map(notificationId)).toEqual([
    'barograph:x',
    'barograph:evt_01',
    'barograph:urn:uuid:1-2',
    'barograph:desk/1',
    'barograph:digests:1',
  ]);
});

test('a copy for a channel and the rows of an outage are dispatched under the id that they begin with', () => {
  const of = (id: string, channel = 'desktop', kind: 'alert' | 'digest' | 'outage' = 'alert') =>
    dispatchId({ id, channel, kind });
  expect([of('barograph:x'), of('barograph:x@r1', 'r1')]).toEqual(['barograph:x', 'barograph:x']);
  expect(
    ['barograph:outage:T', 'barograph:outage:T@2', 'barograph:outage:T@back'].map((id) => of(id, 'desktop', 'outage')),
  ).toEqual(Array.from({ length: 3 }, () => 'barograph:outage:T'));
  // Rows of an earlier version about an event whose id has an @.
  expect([of('barograph:digest:x@1', 'desktop', 'digest'), of('barograph:x@1@r1', 'r1')]).toEqual([
    'barograph:digest:x@1',
    'barograph:x@1',
  ]);
});
