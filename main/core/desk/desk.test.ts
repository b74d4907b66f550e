// Test: monitors of one desk, over the service's own handlers: they agree on who deals with an alert, also after cuts.
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { calls, idOf, minutes, rule, stepsOf } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { createDeskService, type DeskService } from '../../../test/harness/desk-service.ts';
import type { ManualClock } from '../../../test/harness/manual-clock.ts';
import { casesOf } from '../../../test/harness/run-length.ts';

const bench = setUpCoreBench();
let service: DeskService;
/** Names of the monitors that the desk of the service does not reach. */
const cut = new Set<string>();

beforeEach(() => {
  service = createDeskService(bench.clock);
  cut.clear();
});
afterEach(() => service.close());

async function upAs(name: string, isSharing = true, clock: ManualClock = bench.clock): Promise<CoreRig> {
  const fetch = service.fetchWith(bench.service.fetch, () => cut.has(name));
  const rig = await bench.up({ folder: join(bench.folder, name), ports: { fetch }, clock });
  if (isSharing) await calls(rig)['desk.save']({ by: name });
  return rig;
}
const alertIn = (rig: CoreRig, eventId: string) =>
  rig.snapshot().alerts.find(({ transition }) => transition.event_id === eventId);
const holderIn = (rig: CoreRig, eventId: string): string | null => {
  const alert = alertIn(rig, eventId);
  return alert?.acked_at == null ? null : (alert.acked_by ?? 'somebody');
};
const acknowledge = (rig: CoreRig, eventId: string, acknowledged = true) =>
  calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, eventId)], acknowledged });

describe('what one monitor does', () => {
  test('an alert that ann takes is acknowledged by ann on the monitor of bob, and is released for both', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await acknowledge(ann, id);
    await bench.clock.advance(6_000);
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual(['ann', 'ann']);
    expect(await stepsOf(bob, id)).toContain('acknowledged by ann, of your desk');
    await acknowledge(bob, id, false);
    await bench.clock.advance(60_000);
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual([null, null]);
    expect(await stepsOf(ann, id)).toContain('acknowledged taken back by bob, of your desk');
  });

  test('a note of hand-over is read on every monitor, and one that bob writes replaces it', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await calls(ann)['alerts.note']({ ledger_id: idOf(ann, id), note: 'Sold half, yours until 16:00' });
    await bench.clock.advance(6_000);
    expect(alertIn(bob, id)?.note).toBe('Sold half, yours until 16:00');
    await calls(bob)['alerts.note']({ ledger_id: idOf(bob, id), note: 'Flat' });
    await bench.clock.advance(6_000);
    expect(alertIn(ann, id)?.note).toBe('Flat');
    expect(await stepsOf(ann, id)).toContain('noted bob: Flat');
  });

  test('a note of several lines and columns is one line for the others, stays as it is here, and stops no other act', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await calls(ann)['alerts.note']({ ledger_id: idOf(ann, id), note: 'SPY\t100\nQQQ\t50' });
    await acknowledge(ann, id);
    await bench.clock.pass(minutes(2));
    expect([alertIn(ann, id)?.note, alertIn(bob, id)?.note]).toEqual(['SPY\t100\nQQQ\t50', 'SPY 100 QQQ 50']);
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual(['ann', 'ann']);
  });

  test('an alert that ann acknowledged sixty times is released for all', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    for (let times = 0; times < 60; times += 1) await acknowledge(ann, id);
    await bench.clock.pass(minutes(2));
    expect(holderIn(bob, id)).toBe('ann');
    await acknowledge(bob, id, false);
    await bench.clock.pass(minutes(2));
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual([null, null]);
  });

  test('a colleague who takes an alert ends its escalation', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const destination = { kind: 'ntfy', url: 'https://ntfy.example/boss', answers: null } as const;
    await calls(bob)['channels.save']({ channel: { id: 'boss', name: 'Boss', destination } });
    const steps = [{ after_minutes: 5, channels: ['boss'] }];
    await calls(bob)['rules.save']({ rule: rule({ escalation: { hours: { kind: 'always' }, steps } }) });
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(1));
    await acknowledge(ann, id);
    await bench.clock.pass(minutes(10));
    expect((await stepsOf(bob, id)).filter((step) => step.startsWith('escalated'))).toEqual([]);
  });

  test('a monitor whose desk is off sends nothing and hears nothing', async () => {
    const [ann, alone] = [await upAs('ann'), await upAs('alone', false)];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await acknowledge(alone, id);
    await bench.clock.pass(minutes(2));
    expect([service.acts(), holderIn(ann, id)]).toEqual([[], null]);
    await acknowledge(ann, id);
    await bench.clock.pass(minutes(2));
    expect([service.acts().length, alertIn(alone, id)?.acked_by]).toEqual([1, undefined]);
  });
});

test.each([-2, 2])('a release ends an acknowledgement also where the clock of ann is %i h off', async (hours) => {
  const { clock } = bench;
  const off: ManualClock = { ...clock, now: () => clock.now() + hours * 60 * minutes(1) };
  const [ann, bob] = [await upAs('ann', true, off), await upAs('bob')];
  const { event_id: id } = bench.service.emit('SPY', 2);
  await clock.advance(1_000);
  for (const [one, other] of [
    [ann, bob],
    [bob, ann],
  ] as const) {
    await acknowledge(one, id);
    await clock.pass(minutes(2));
    expect([ann, bob].map((rig) => holderIn(rig, id) !== null)).toEqual([true, true]);
    await acknowledge(other, id, false);
    await clock.pass(minutes(2));
    expect([ann, bob].map((rig) => holderIn(rig, id))).toEqual([null, null]);
  }
});

describe('a desk that was off for a while', () => {
  test('an acknowledgement that ann took back meanwhile does not return, and ends for the others', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await acknowledge(ann, id);
    await bench.clock.pass(minutes(2));
    await calls(ann)['desk.save']({ by: null });
    await acknowledge(ann, id, false);
    await bench.clock.pass(minutes(2));
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual([null, 'ann']);
    await calls(ann)['desk.save']({ by: 'ann' });
    await calls(bob)['alerts.note']({ ledger_id: idOf(bob, id), note: 'Is it yours?' });
    await bench.clock.pass(minutes(2));
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual([null, null]);
  });

  test('a note that ann wrote meanwhile stays when somebody takes the alert', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await calls(bob)['alerts.note']({ ledger_id: idOf(bob, id), note: 'Flat' });
    await bench.clock.pass(minutes(2));
    await calls(ann)['desk.save']({ by: null });
    await calls(ann)['alerts.note']({ ledger_id: idOf(ann, id), note: 'Sold half' });
    await calls(ann)['desk.save']({ by: 'ann' });
    await acknowledge(bob, id);
    await bench.clock.pass(minutes(2));
    expect([holderIn(ann, id), alertIn(ann, id)?.note]).toEqual(['bob', 'Sold half']);
  });
});

test('what the desk of one account did is not sent to another account, whose key a monitor has now', async () => {
  const other = createDeskService(bench.clock);
  const [first, second] = [service, other].map((one) => one.fetchWith(bench.service.fetch, () => false));
  let fetch = first;
  const ports = { fetch: (url: string, init?: RequestInit) => fetch?.(url, init) ?? bench.service.fetch(url, init) };
  const ann = await bench.up({ folder: join(bench.folder, 'ann'), ports });
  await calls(ann)['desk.save']({ by: 'ann' });
  const bob = await upAs('bob');
  const { event_id: id } = bench.service.emit('SPY', 2);
  await bench.clock.advance(1_000);
  await acknowledge(ann, id);
  await calls(bob)['alerts.note']({ ledger_id: idOf(bob, id), note: 'Sold half' });
  await bench.clock.pass(minutes(2));
  expect(service.acts()).toHaveLength(2);
  fetch = second;
  const keys = { tier: 'keychain', saved_at: timestamp(bench.clock.now()), prefix: 'bk_test_' } as const;
  ann.settings = { ...ann.settings, profiles: ann.settings.profiles.map((one) => ({ ...one, keys })) };
  await bench.clock.pass(minutes(5));
  expect(other.acts()).toEqual([]);
  await calls(ann)['alerts.note']({ ledger_id: idOf(ann, id), note: 'Flat' });
  await bench.clock.pass(minutes(2));
  expect(other.acts().map(({ note }) => note)).toEqual(['Flat']);
  other.close();
});

test.each([400, 404, 429, 500, 200])('an act is sent after a gateway answered garbage with %i', async (status) => {
  let isBroken = true;
  const desk = service.fetchWith(bench.service.fetch, () => false);
  const fetch: typeof desk = async (url, init) =>
    isBroken && url.includes('/desk/acts') ? new Response('<html>Bad gateway</html>', { status }) : desk(url, init);
  const ann = await bench.up({ folder: join(bench.folder, 'ann'), ports: { fetch } });
  await calls(ann)['desk.save']({ by: 'ann' });
  const { event_id: id } = bench.service.emit('SPY', 2);
  await bench.clock.advance(1_000);
  await acknowledge(ann, id);
  await bench.clock.pass(minutes(2));
  isBroken = false;
  await bench.clock.pass(minutes(2));
  expect(service.acts().map(({ by, act }) => [by, act])).toEqual([['ann', 'taken']]);
});

test('a monitor whose key may not write reads what others do, and keeps its own acts', async () => {
  const desk = service.fetchWith(bench.service.fetch, () => false);
  const fetch: typeof desk = async (url, init) =>
    url.endsWith('/desk/acts') && init?.method === 'POST'
      ? Response.json({ code: 'forbidden', message: 'This key may only read.', doc_url: '' }, { status: 403 })
      : desk(url, init);
  const ann = await bench.up({ folder: join(bench.folder, 'ann'), ports: { fetch } });
  await calls(ann)['desk.save']({ by: 'ann' });
  const bob = await upAs('bob');
  const { event_id: id } = bench.service.emit('SPY', 2);
  await bench.clock.advance(1_000);
  await calls(ann)['alerts.note']({ ledger_id: idOf(ann, id), note: 'Sold half' });
  await acknowledge(bob, id);
  await bench.clock.pass(minutes(2));
  expect(holderIn(ann, id)).toBe('bob');
  expect(await calls(ann)['desk.read']({})).toMatchObject({ waiting: 1, problem: expect.anything() });
});

describe('while a monitor is cut off', () => {
  test('the first of two who take an alert holds it, and the other reads who was first', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    cut.add('ann');
    await acknowledge(ann, id);
    await bench.clock.advance(minutes(1));
    await acknowledge(bob, id);
    await bench.clock.advance(minutes(1));
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual(['ann', 'bob']);
    cut.clear();
    await bench.clock.pass(minutes(3));
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual(['ann', 'ann']);
    expect(await stepsOf(bob, id)).toContainEqual(expect.stringMatching(/^acknowledged by ann, of your desk, \d min/));
  });

  test('a release ends what it knew: who took the alert meanwhile still holds it', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await acknowledge(bob, id);
    await bench.clock.advance(minutes(1));
    cut.add('bob');
    await acknowledge(ann, id, false);
    await acknowledge(ann, id);
    await acknowledge(bob, id, false);
    await bench.clock.advance(minutes(1));
    cut.clear();
    await bench.clock.pass(minutes(3));
    expect([holderIn(ann, id), holderIn(bob, id)]).toEqual(['ann', 'ann']);
  });

  test('a release that comes late ends what was read after it was made', async () => {
    const [ann, bob, cleo] = [await upAs('ann'), await upAs('bob'), await upAs('cleo')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    cut.add('cleo');
    await acknowledge(ann, id);
    await bench.clock.advance(minutes(1));
    cut.add('bob');
    await acknowledge(bob, id, false);
    await bench.clock.advance(minutes(1));
    cut.delete('cleo');
    await bench.clock.advance(minutes(1));
    expect(holderIn(cleo, id)).toBe('ann');
    cut.delete('bob');
    await bench.clock.pass(minutes(3));
    expect([ann, bob, cleo].map((rig) => holderIn(rig, id))).toEqual([null, null, null]);
  });

  test('what was done is sent after a restart, and an alert that is taken before it arrives comes as taken', async () => {
    const ann = await upAs('ann');
    cut.add('ann');
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await acknowledge(ann, id);
    await bench.down(ann);
    cut.clear();
    const again = bench.rig({
      folder: join(bench.folder, 'ann'),
      ports: { fetch: service.fetchWith(bench.service.fetch, () => false) },
    });
    again.settings = ann.settings;
    await again.core.start();
    await bench.clock.pass(minutes(2));
    expect(service.acts().map(({ by, act }) => [by, act])).toEqual([['ann', 'taken']]);
    const bob = await upAs('bob');
    await bench.clock.pass(minutes(2));
    expect(holderIn(bob, id)).toBe('ann');
  });

  test('a service that lost everything gets it again from the monitors', async () => {
    const [ann, bob] = [await upAs('ann'), await upAs('bob')];
    const { event_id: id } = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await acknowledge(ann, id);
    await bench.clock.advance(minutes(1));
    service.lose();
    await calls(bob)['alerts.note']({ ledger_id: idOf(bob, id), note: 'Flat' });
    await bench.clock.pass(minutes(4));
    expect(
      service
        .acts()
        .map(({ by, act }) => [by, act])
        .toSorted(),
    ).toEqual([
      ['ann', 'taken'],
      ['bob', 'noted'],
    ]);
    expect([alertIn(ann, id)?.note, holderIn(bob, id)]).toEqual(['Flat', 'ann']);
  });
});

const NAMES = ['ann', 'bob', 'cleo'] as const;
const actions = fc.array(
  fc.record({
    who: fc.constantFrom(...NAMES),
    does: fc.constantFrom('takes', 'takes', 'releases', 'notes', 'is cut', 'returns'),
    pause: fc.integer({ min: 0, max: 20_000 }),
  }),
  { minLength: 4, maxLength: 14 },
);

test('after any cuts every monitor agrees on holder and note, and no act is lost or doubled', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (steps) => {
      bench.fresh();
      service.close();
      service = createDeskService(bench.clock);
      cut.clear();
      const rigs = new Map<string, CoreRig>();
      for (const name of NAMES) rigs.set(name, await upAs(name));
      const { event_id: id } = bench.service.emit('SPY', 2);
      await bench.clock.advance(1_000);
      let done = 0;
      for (const { who, does, pause } of steps) {
        const rig = rigs.get(who) as CoreRig;
        if (does === 'is cut') cut.add(who);
        else if (does === 'returns') cut.delete(who);
        else if (does === 'notes')
          await calls(rig)['alerts.note']({ ledger_id: idOf(rig, id), note: `${who} ${done}` });
        else await acknowledge(rig, id, does === 'takes');
        if (does !== 'is cut' && does !== 'returns') done += 1;
        await bench.clock.advance(pause + 1);
      }
      cut.clear();
      await bench.clock.pass(minutes(4));
      const ends = [...rigs.values()].map((rig) => JSON.stringify([holderIn(rig, id), alertIn(rig, id)?.note]));
      expect(new Set(ends).size).toBe(1);
      expect(service.acts()).toHaveLength(done);
      for (const rig of rigs.values()) await bench.down(rig);
    }),
    { numRuns: casesOf(12, 2) },
  );
}, 60_000);
