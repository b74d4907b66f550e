// Test: changes of the settings file by another program are followed while profiles run.
import { mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Profiles } from '../../shared/channels/profiles.ts';
import { remote, SIMULATED, setUpApplicationBench } from '../../test/harness/application-bench.ts';
import type { Application } from './application.ts';
import { lockFolder } from './folder-lock.ts';

const bench = setUpApplicationBench();
const KEY = 'svc_live_plantedplantedplanted0021';
const URL_ = 'http://127.0.0.1:8001';

async function profiles(app: Application, profile = app.shown): Promise<Profiles> {
  const answer = await bench.call(app, 'profiles.read', {}, profile);
  if (answer?.ok !== true) throw new Error(JSON.stringify(answer));
  return answer.value as Profiles;
}
const statuses = async (app: Application): Promise<string[]> =>
  // The connection state does not matter here.
  (await profiles(app)).profiles.map(
    ({ name, status }) => `${name} ${status.replace(/^(connected|offline)$/, 'here')}`,
  );

describe('the settings file that another program changes is followed within seconds', () => {
  const desk = remote('desk', 8001);
  const isOver = (app: Application, name: string): string[] => {
    const ended: string[] = [];
    app.core(name)?.attach({ push: () => undefined, end: (why) => ended.push(`${name} ${why}`) });
    return ended;
  };

  test('an added profile is watched and shown, a removed, disabled or renamed one is not; no other is disturbed', {
    tags: ['long'],
  }, async () => {
    bench.settle(SIMULATED);
    const app = await bench.start();
    const before = app.monitor('sandbox');
    const pushed: string[] = [];
    app.core('sandbox')?.attach({
      push: (name, payload) => {
        if (name === 'profiles.changed')
          pushed.push((payload as Profiles).profiles.map((one) => `${one.name} ${one.status}`).join());
      },
      end: () => pushed.push('ended'),
    });
    const settled = async (...expected: string[]): Promise<void> => {
      await expect.poll(() => statuses(app), { timeout: 5_000 }).toEqual(expected);
      expect(app.monitor('sandbox')).toBe(before);
      expect(pushed).not.toContain('ended');
    };
    bench.settle(SIMULATED, desk);
    await settled('sandbox here', 'desk here');
    expect(app.trayViews().map(({ profile }) => profile)).toEqual(['sandbox', 'desk']);
    expect(pushed.join()).toMatch(/desk opening.*desk (connected|offline)/);
    let ended = isOver(app, 'desk');
    bench.settle(SIMULATED, { ...desk, enabled: false });
    await settled('sandbox here', 'desk off');
    expect(ended).toEqual(['desk over']);
    const lock = lockFolder(join(bench.folder, 'profiles/desk'), 'listen');
    expect(lock.held).toBe(true);
    if (lock.held) lock.release();
    bench.settle(SIMULATED, desk);
    await settled('sandbox here', 'desk here');
    ended = isOver(app, 'desk');
    bench.settle(SIMULATED, { ...desk, name: 'renamed' });
    await settled('sandbox here', 'renamed here');
    expect(ended).toEqual(['desk over']);
    expect(app.core('desk')).toBeNull();
    bench.settle(SIMULATED);
    await settled('sandbox here');
    await expect.poll(() => app.trayViews()).toHaveLength(1);
  });

  test('the first one removed: windows and commands find another one', { tags: ['long'] }, async () => {
    bench.settle(SIMULATED, desk);
    const app = await bench.start();
    bench.settle(desk);
    await expect.poll(() => app.shown, { timeout: 5_000 }).toBe('desk');
    expect(await statuses(app)).toEqual(['desk here']);
  });

  test('a profile with another address is watched there from the start, and its windows go on there; BAROGRAPH_KEY is not sent there', {
    tags: ['long'],
  }, async () => {
    bench.settle(desk, SIMULATED);
    const app = await bench.start({ environment: { BAROGRAPH_KEY: KEY } });
    const [before, other] = [app.monitor('desk'), app.monitor('sandbox')];
    const ended = isOver(app, 'desk');
    bench.settle(remote('desk', 8002), SIMULATED);
    await expect.poll(() => ended, { timeout: 5_000 }).toEqual(['desk restarted']);
    expect(app.monitor('desk')).not.toBe(before);
    expect(app.monitor('sandbox')).toBe(other);
    expect((await profiles(app)).profiles[0]).toMatchObject({
      source: { url: 'http://127.0.0.1:8002' },
      key: { status: 'none' },
    });
    bench.settle(desk, SIMULATED);
    await expect
      .poll(async () => (await profiles(app)).profiles[0], { timeout: 5_000 })
      .toMatchObject({ source: { url: URL_ }, status: 'offline', key: { status: 'ready' } });
  });

  test('a key that another program stored is used', { tags: ['long'] }, async () => {
    bench.settle(desk, SIMULATED);
    const app = await bench.start();
    const key = async () => (await profiles(app)).profiles[0]?.key?.status;
    expect(await key()).toBe('none');
    const vault = '0123456789ab';
    bench.keychain.items.set(`barograph/${vault}/desk api-key`, KEY);
    const keys = { tier: 'keychain', saved_at: '2026-03-02T14:30:00.000Z', prefix: 'svc_live_' } as const;
    const changed = { ...bench.settings(), vault, profiles: [{ ...desk, keys }, SIMULATED] };
    writeFileSync(join(bench.folder, 'settings.json'), JSON.stringify(changed));
    await expect.poll(key, { timeout: 5_000 }).toBe('ready');
  });

  test('settings without an enabled profile change nothing, and are reported once', { tags: ['long'] }, async () => {
    bench.settle(SIMULATED, desk);
    const app = await bench.start();
    const before = app.monitor('desk');
    bench.settle({ ...SIMULATED, enabled: false }, { ...desk, enabled: false });
    const said = () => bench.said.filter((line) => line.includes('has no enabled profile'));
    await expect.poll(said, { timeout: 5_000 }).toHaveLength(1);
    expect(app.monitor('desk')).toBe(before);
    expect(app.trayViews()).toHaveLength(2);
  });
});

test('settings that are temporarily unreadable are reported once, and every profile keeps running', async () => {
  bench.settle(SIMULATED);
  const app = await bench.start();
  const file = join(bench.folder, 'settings.json');
  renameSync(file, `${file}.away`);
  mkdirSync(file);
  const said = () =>
    bench.said.filter((line) => line.includes('settings.json cannot be read (') && line.includes('is a folder'));
  await expect.poll(said, { timeout: 15_000 }).toHaveLength(1);
  rmdirSync(file);
  renameSync(`${file}.away`, file);
  expect(await statuses(app)).toEqual(['sandbox here']);
  expect(said()).toHaveLength(1);
}, 30_000);
