// Test: the escalation of alerts that nobody deals with, in a whole core.
import { describe, expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { DEFAULT_GROUPING, type Rule } from '../../../shared/settings/alert-rules.ts';
import { calls, idOf, minutes, rule, stepsOf } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import type { FetchLike } from '../ports.ts';

const bench = setUpCoreBench();
/** What each channel got: its topic, the title, and the id that a receiver knows it by. */
let sent: { readonly topic: string; readonly title: string; readonly sequence_id: string }[] = [];
let isRefusing = false;

const fetch: FetchLike = async (url, init = {}) => {
  if (new URL(url).host !== 'ntfy.example') return bench.service.fetch(url, init);
  if (isRefusing) return new Response(null, { status: 503 });
  sent.push(JSON.parse(String(init.body)));
  return Response.json({ id: 'x' });
};
const STEPS = [
  { after_minutes: 2, channels: ['phone'] },
  { after_minutes: 5, channels: ['phone', 'boss'] },
];

async function up(hours: Rule['escalation']['hours'] = { kind: 'always' }): Promise<CoreRig> {
  sent = [];
  isRefusing = false;
  const rig = await bench.up({ ports: { fetch } });
  for (const id of ['phone', 'boss']) {
    const destination = { kind: 'ntfy', url: `https://ntfy.example/${id}`, answers: null } as const;
    await calls(rig)['channels.save']({ channel: { id, name: id, destination } });
  }
  await calls(rig)['rules.save']({ rule: rule({ escalation: { hours, steps: STEPS } }) });
  return rig;
}
const topics = (): string[] => sent.map(({ topic }) => topic);
const ledgerIds = (rig: CoreRig): number[] => rig.snapshot().alerts.map(({ ledger_id }) => ledger_id);

describe('an alert that nobody deals with', () => {
  test('an open alert goes to each step at its time, once, under one id, and says how long it is open', {
    tags: ['long'],
  }, async () => {
    const rig = await up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(2) - 1_000);
    expect(topics()).toEqual([]);
    await bench.clock.advance(3_000);
    expect(topics()).toEqual(['phone']);
    await bench.clock.pass(minutes(60));
    expect(topics().sort()).toEqual(['boss', 'phone', 'phone']);
    expect(new Set(sent.map(({ sequence_id }) => sequence_id)).size).toBe(1);
    expect(sent[0]).toMatchObject({
      title: 'Still open: [SANDBOX] SPY is High Risk',
      message: expect.stringMatching(/^Nobody has dealt with it for 2 min\. /),
    });
    expect(await stepsOf(rig, event.event_id)).toContain(
      'escalated to boss, because nobody had dealt with it for 5 min',
    );
  });

  test('an open alert goes to no step that an earlier run sent, and to those that came while no program ran', async () => {
    const first = await up();
    bench.service.emit('SPY', 2);
    await bench.clock.pass(minutes(3));
    expect(topics()).toEqual(['phone']);
    const { settings } = first;
    await bench.down(first);
    await bench.clock.pass(minutes(10));
    const second = bench.rig({ ports: { fetch } });
    second.settings = settings;
    await second.core.start();
    await bench.clock.advance(minutes(1));
    expect(topics().sort()).toEqual(['boss', 'phone', 'phone']);
  });

  test('a step waits for the hours in which steps are sent', async () => {
    const at = new Date(bench.clock.now() + minutes(30));
    const time = (date: Date): string => date.toISOString().slice(11, 16);
    await up({
      kind: 'daily',
      zone: 'UTC',
      days: [0, 1, 2, 3, 4, 5, 6],
      from: time(at),
      to: time(new Date(at.getTime() + minutes(60))),
    });
    bench.service.emit('SPY', 2);
    await bench.clock.pass(minutes(28));
    expect(topics()).toEqual([]);
    await bench.clock.pass(minutes(4));
    expect(topics().sort()).toEqual(['boss', 'phone', 'phone']);
  });
});

test('good news is not escalated', async () => {
  const rig = await up();
  const events = ['signal.high_risk', 'signal.normal'] as const;
  await calls(rig)['rules.save']({
    rule: rule({ events: [...events], min_state: 0, escalation: { hours: { kind: 'always' }, steps: STEPS } }),
  });
  bench.service.emit('SPY', 0, { from: 2 });
  await bench.clock.pass(minutes(10));
  expect(rig.shown.map(({ title }) => title)).toEqual(['[SANDBOX] SPY is Normal']);
  expect(topics()).toEqual([]);
});

test('a notification that nobody deals with is sent again under its id, and no more once somebody has', async () => {
  const rig = await up();
  await calls(rig)['rules.save']({ rule: rule({ channels: ['phone'] }) });
  await calls(rig)['grouping.save']({ grouping: { ...DEFAULT_GROUPING, repeat_minutes: 30 } });
  const event = bench.service.emit('SPY', 2);
  await bench.clock.pass(minutes(61));
  const id = `barograph:${event.event_id}`;
  expect(rig.shown.map((one) => [one.id, one.title])).toEqual([
    [id, '[SANDBOX] SPY is High Risk'],
    [id, '[SANDBOX] SPY is still High Risk'],
    [id, '[SANDBOX] SPY is still High Risk'],
  ]);
  expect(topics()).toEqual(['phone', 'phone', 'phone']);
  expect(await stepsOf(rig, event.event_id)).toContain('escalated again, because nobody had dealt with it for 60 min');
  await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: true });
  await bench.clock.pass(minutes(45));
  expect(rig.shown).toHaveLength(3);
});

test('a reminder waits for the end of a silence, and a later alert does not join what it sent again', async () => {
  const rig = await up();
  await calls(rig)['grouping.save']({ grouping: { ...DEFAULT_GROUPING, repeat_minutes: 30 } });
  bench.service.emit('SPY', 2);
  await bench.clock.advance(minutes(1));
  const silence = { matchers: symbolMatchers(null), from: null, comment: '' };
  const until = new Date(bench.clock.now() + minutes(60)).toISOString();
  await calls(rig)['silences.add']({ ...silence, until });
  await bench.clock.pass(minutes(59));
  expect(rig.shown).toHaveLength(1);
  await bench.clock.pass(minutes(3));
  expect(rig.shown).toHaveLength(2);
  bench.service.emit('QQQ', 2);
  await bench.clock.advance(minutes(1));
  expect(rig.shown.at(-1)?.title).toBe('[SANDBOX] QQQ is High Risk');
});

test('a sandbox beside a production profile sends one notification again at a time, with its pause between two', {
  tags: ['long'],
}, async () => {
  sent = [];
  const rig = bench.rig({ ports: { fetch } });
  const [sandbox] = rig.settings.profiles;
  rig.settings = {
    ...rig.settings,
    profiles: [
      ...rig.settings.profiles,
      { ...sandbox, name: 'real', environment: 'production', enabled: true } as never,
    ],
  };
  await rig.core.start();
  await bench.clock.until(() => rig.snapshot().connection.indicators.open.state === 'ok');
  await bench.clock.advance(1_000);
  for (const symbol of ['SPY', 'QQQ', 'IWM']) {
    bench.service.emit(symbol, 2);
    await bench.clock.pass(minutes(6));
  }
  expect(rig.shown).toHaveLength(3);
  await calls(rig)['grouping.save']({ grouping: { ...DEFAULT_GROUPING, repeat_minutes: 30 } });
  await bench.clock.pass(minutes(30));
  const silence = { matchers: symbolMatchers(null), from: null, comment: '' };
  const before = rig.shown.length;
  await calls(rig)['silences.add']({ ...silence, until: new Date(bench.clock.now() + minutes(60)).toISOString() });
  await bench.clock.pass(minutes(62));
  expect(rig.shown).toHaveLength(before + 1);
  await bench.clock.pass(minutes(5));
  expect(rig.shown).toHaveLength(before + 2);
});

test('an alert that was notified again after a snooze is sent again once, and not by its first notification too', async () => {
  const rig = await up();
  await calls(rig)['rules.save']({ rule: rule({ channels: ['phone'] }) });
  await calls(rig)['grouping.save']({ grouping: { ...DEFAULT_GROUPING, repeat_minutes: 30 } });
  bench.service.emit('SPY', 2);
  await bench.clock.advance(minutes(1));
  const until = { kind: 'time', at: new Date(bench.clock.now() + minutes(15)).toISOString() } as const;
  await calls(rig)['alerts.snooze']({ ledger_ids: ledgerIds(rig), until });
  await bench.clock.pass(minutes(20));
  expect(rig.shown).toHaveLength(2);
  await bench.clock.pass(minutes(30));
  expect(rig.shown).toHaveLength(3);
});

describe('an alert that somebody deals with', () => {
  test.each<[string, (rig: CoreRig) => unknown]>([
    ['acknowledged', (rig) => calls(rig)['alerts.acknowledge']({ ledger_ids: ledgerIds(rig), acknowledged: true })],
    ['snoozed', (rig) => calls(rig)['alerts.snooze']({ ledger_ids: ledgerIds(rig), until: { kind: 'recovery' } })],
    ['over', () => bench.service.emit('SPY', 0, { from: 2 })],
    ['of a rule whose steps were removed', (rig) => calls(rig)['rules.save']({ rule: rule({}) })],
  ])('an alert that is %s goes to no step', async (_, deal) => {
    const rig = await up();
    bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(1));
    await deal(rig);
    await bench.clock.pass(minutes(10));
    expect(topics()).toEqual([]);
  });

  test('no step is sent whose receiver was away until somebody had dealt with the alert', async () => {
    const rig = await up();
    isRefusing = true;
    const event = bench.service.emit('SPY', 2);
    await bench.clock.pass(minutes(3));
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: true });
    isRefusing = false;
    await bench.clock.pass(minutes(20));
    expect(topics()).toEqual([]);
    expect(await stepsOf(rig, event.event_id)).toContain('answered given up: Somebody had dealt with it by then.');
  });
});
