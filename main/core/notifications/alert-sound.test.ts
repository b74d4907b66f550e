// Test: the sound of a rule: who plays it, how often, and what ends it.

import { beforeEach, describe, expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import type { Sound } from '../../../shared/settings/alert-rules.ts';
import { textOf } from '../../../shared/text/message.ts';
import { calls, idOf, iso, minutes, rule } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig, RigOptions } from '../../../test/harness/core-rig.ts';
import { louder } from './sound-choice.ts';

const bench = setUpCoreBench();
const ALARM: Sound = { name: 'alarm', repeat_seconds: 30 };
const SECOND = 1_000;

beforeEach(() => {
  bench.service.environment = 'production';
  bench.service.accepts = () => true;
});

/** A production profile whose rule has this sound. */
async function up(sound: Sound | null, options: Partial<RigOptions> = {}): Promise<CoreRig> {
  const profile = { name: 'desk', environment: 'production' } as const;
  const rig = await bench.up({ profile, key: 'svc_live_0123456789abcdef', ...options });
  await calls(rig)['rules.save']({ rule: rule({ sound }) });
  return rig;
}
/** From now on, the window of the rig plays requested sounds, each once. */
const playsAll = (rig: CoreRig): void => {
  const played = calls(rig)['sound.played'];
  rig.sounds.push = (...due) => {
    for (const { id } of due) played({ id });
    return Array.prototype.push.apply(rig.sounds, due);
  };
};
const names = (rig: CoreRig): string[] => rig.sounds.map(({ name }) => name);
const bySound = (rig: CoreRig) => rig.shown.map(({ sound, silent }) => sound ?? (silent ? 'silent' : 'own'));

describe('with a window', () => {
  test('the sound of the rule is played once, there, and the desktop is silent', async () => {
    const rig = await up({ name: 'chime', repeat_seconds: null });
    playsAll(rig);
    bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(12));
    expect(names(rig)).toEqual(['chime']);
    expect(bySound(rig)).toEqual(['silent']);
  });

  test('an alert acknowledged while the windows are asked is not shown again', async () => {
    const rig = await up({ name: 'chime', repeat_seconds: null });
    const event = bench.service.emit('SPY', 2);
    await bench.clock.until(() => rig.sounds.length === 1);
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: true });
    await bench.clock.advance(10 * SECOND);
    expect(rig.shown).toHaveLength(1);
    expect(rig.withdrawn).toHaveLength(1);
  });

  test('a repeat ends with the acknowledgement', async () => {
    const rig = await up(ALARM);
    playsAll(rig);
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(95 * SECOND);
    expect(names(rig)).toEqual(['alarm', 'alarm', 'alarm', 'alarm']);
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: true });
    await bench.clock.advance(minutes(12));
    expect(rig.sounds).toHaveLength(4);
  });

  test('an unacknowledged repeat stops after ten minutes, or when the symbol is Normal', async () => {
    const rig = await up(ALARM);
    playsAll(rig);
    bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(30));
    expect(rig.sounds.length).toBeGreaterThanOrEqual(20);
    expect(rig.sounds.length).toBeLessThanOrEqual(21);
    const before = rig.sounds.length;
    bench.service.emit('QQQ', 2);
    await bench.clock.advance(10 * SECOND);
    bench.service.emit('QQQ', 0);
    await bench.clock.advance(minutes(3));
    expect(rig.sounds.length).toBe(before + 1);
  });

  test('a silence stops the repeat, and nothing sounds in quiet hours', async () => {
    const rig = await up(ALARM);
    playsAll(rig);
    bench.service.emit('SPY', 2);
    await bench.clock.advance(35 * SECOND);
    expect(rig.sounds).toHaveLength(2);
    const until = iso(bench.clock.now() + minutes(60));
    await calls(rig)['silences.add']({ matchers: symbolMatchers(['SPY']), from: null, until, comment: '' });
    await bench.clock.advance(minutes(5));
    expect(rig.sounds).toHaveLength(2);
    await calls(rig)['quiet.save']({
      quiet: {
        when: 'inside',
        hours: { kind: 'daily', zone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '23:59' },
      },
    });
    bench.service.emit('QQQ', 2);
    await bench.clock.advance(minutes(5));
    expect(rig.sounds).toHaveLength(2);
  });

  test('simultaneous alerts have one sound, the most urgent', async () => {
    const rig = await up({ name: 'chime', repeat_seconds: null });
    await calls(rig)['rules.save']({
      rule: rule({
        id: 'loud',
        sound: { name: 'alarm', repeat_seconds: null },
        scope: { kind: 'symbols', symbols: ['QQQ'] },
      }),
    });
    playsAll(rig);
    const at = iso(bench.clock.now());
    for (const symbol of ['SPY', 'QQQ', 'IWM']) bench.service.emit(symbol, 2, { at });
    await bench.clock.advance(minutes(1));
    expect(names(rig)).toContain('alarm');
    expect(rig.sounds.length).toBeLessThanOrEqual(2);
  });

  test('the desktop plays when the window does not play in time', async () => {
    const rig = await up({ name: 'bell', repeat_seconds: null });
    bench.service.emit('SPY', 2);
    await bench.clock.advance(5 * SECOND);
    expect(names(rig)).toEqual(['bell']);
    expect(bySound(rig)).toEqual(['silent', 'bell']);
    expect(new Set(rig.shown.map(({ id }) => id)).size).toBe(1);
  });
});

describe('without a window', () => {
  test('the notification carries the sound, and is shown again for each repeat', async () => {
    const rig = await up(ALARM);
    rig.detach();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(65 * SECOND);
    expect(bySound(rig)).toEqual(['alarm', 'alarm', 'alarm']);
    expect(new Set(rig.shown.map(({ id }) => id)).size).toBe(1);
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: true });
    await bench.clock.advance(minutes(5));
    expect(rig.shown).toHaveLength(3);
  });

  test('after a restart the repeat continues, and the first sound is not played again', async () => {
    const profile = { name: 'desk', environment: 'production' } as const;
    const first = await up(ALARM);
    first.detach();
    bench.service.emit('SPY', 2);
    await bench.clock.advance(10 * SECOND);
    await bench.down(first);
    const rig = bench.rig({ profile, key: 'svc_live_0123456789abcdef' });
    rig.settings = first.settings;
    rig.detach();
    await rig.core.start();
    await bench.clock.advance(20 * SECOND);
    expect(rig.shown).toEqual([]);
    await bench.clock.advance(20 * SECOND);
    expect(bySound(rig)).toEqual(['alarm']);
  });
});

test('a rule without a sound leaves it to the desktop, and a sandbox is silent', async () => {
  const rig = await up(null);
  bench.service.emit('SPY', 2);
  await bench.clock.advance(minutes(1));
  expect([rig.sounds, bySound(rig)]).toEqual([[], ['own']]);
  bench.fresh();
  const sandbox = await bench.up();
  await calls(sandbox)['rules.save']({ rule: rule({ sound: ALARM }) });
  bench.service.emit('SPY', 2);
  await bench.clock.advance(minutes(2));
  expect([sandbox.sounds, bySound(sandbox)]).toEqual([[], ['silent']]);
});

test.each([
  ['a window', true, true, /^A window played it/],
  ['the desktop', false, true, /plays its sound/],
  ['a desktop that plays none', false, false, /this desktop plays no sounds/],
])('a test is played by %s, and says so', async (_, hasWindow, plays, said) => {
  const rig = await up(null, { show: async () => ({ tier: 'system', detail: null, plays }) });
  if (hasWindow) playsAll(rig);
  else rig.detach();
  const tested = await calls(rig)['sound.test']({ name: 'bell' });
  expect(textOf(tested.detail)).toMatch(said);
  expect(bySound(rig)).toEqual(hasWindow ? [] : ['bell']);
});

test('of two sounds the more urgent is played, at the shorter interval', () => {
  const once: Sound = { name: 'bell', repeat_seconds: null };
  expect(louder(null, once)).toEqual(once);
  expect(louder(ALARM, once)).toEqual(ALARM);
  expect(louder(once, { name: 'chime', repeat_seconds: 60 })).toEqual({ name: 'bell', repeat_seconds: 60 });
});
