// Test: the running profiles follow the settings file each second, by a clock of the test.
import { expect, test } from 'vitest';
import { remote, SIMULATED } from '../../test/harness/application-bench.ts';
import { createManualClock, settle } from '../../test/harness/manual-clock.ts';
import { DEFAULT_SETTINGS, type Profile } from '../core/profiles/settings.ts';
import { createProfileFollower } from './profile-follower.ts';
import type { ProfileRuntime } from './profile-runtime.ts';

const desk = remote('desk', 8001);

function rig(first: readonly Profile[], failed: readonly string[] = []) {
  const clock = createManualClock();
  let profiles = first;
  let why: Error | null = null;
  const done: string[] = [];
  const said: string[] = [];
  const running = new Map<string, ProfileRuntime>();
  const run = (profile: Profile) => running.set(profile.name, { profile, keys: null } as unknown as ProfileRuntime);
  const failures = new Map<string, unknown>(failed.map((name) => [name, new Error('in use')]));
  for (const profile of first) if (!failures.has(profile.name)) run(profile);
  const follower = createProfileFollower({
    clock,
    settings: { read: () => ({ ...DEFAULT_SETTINGS, profiles: [...profiles] }) },
    runtimes: {
      running,
      failures,
      async end(name) {
        done.push(`end ${name}`);
        running.delete(name);
        failures.delete(name);
      },
    },
    logger: { info: () => undefined, warn: (_, line) => said.push(line) },
    async open(profile) {
      done.push(`open ${profile.name}`);
      if (why === null) {
        run(profile);
        return;
      }
      failures.set(profile.name, why);
      throw why;
    },
    runExclusive: (job) => job(),
  });
  return {
    done,
    said,
    fail: (error: Error | null) => {
      why = error;
    },
    async seconds(count: number, ...next: Profile[]): Promise<string[]> {
      if (next.length > 0) profiles = next;
      done.length = 0;
      for (let second = 0; second < count; second += 1) {
        await clock.advance(1_000);
        follower.check();
        await settle();
      }
      return [...done];
    },
  };
}

test('a profile that cannot be opened is tried again every half minute, and at once when it changes', async () => {
  const { seconds, fail, said } = rig([SIMULATED]);
  fail(new Error('in use by listen'));
  expect(await seconds(29, SIMULATED, desk)).toEqual(['open desk']);
  expect(await seconds(61)).toEqual(['open desk', 'open desk']);
  expect(said).toEqual(['The profile desk is not watched: in use by listen']);
  expect(await seconds(2, SIMULATED, remote('desk', 8002))).toEqual(['open desk']);
  fail(null);
  expect(await seconds(60)).toEqual(['open desk']);
});

test('the app also retries a profile that another program had at the start', async () => {
  const { seconds } = rig([SIMULATED, desk], ['desk']);
  expect(await seconds(28)).toEqual([]);
  expect(await seconds(5)).toEqual(['open desk']);
});

test('a failed profile that is removed and added again is opened at once', async () => {
  const { seconds, fail } = rig([SIMULATED]);
  fail(new Error('in use'));
  expect(await seconds(2, SIMULATED, desk)).toEqual(['open desk']);
  expect(await seconds(2, SIMULATED)).toEqual(['end desk']);
  expect(await seconds(2, SIMULATED, desk)).toEqual(['open desk']);
});

test('when the only profile is renamed, the new one begins before the old one ends', async () => {
  const { seconds } = rig([desk]);
  expect(await seconds(3, { ...desk, name: 'renamed' })).toEqual(['open renamed', 'end desk']);
});

test('the notes of the app about a profile do not restart it', async () => {
  const { seconds } = rig([desk]);
  const noted: Profile = {
    ...desk,
    keys: { tier: 'session', saved_at: null, prefix: null },
    peer: { address: 'http://127.0.0.1:8001', trust: 'proof' },
    relay: { on: true, port: 1, publicUrl: null },
    watchedSince: '2026-03-02T14:30:00.000Z',
  };
  expect(await seconds(3, noted)).toEqual([]);
});
