// Test: the end of the last window: the app never runs without a window or a tray.
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/harness/eventually.ts';
import { createFakeElectron, type FakeElectron, type FakeWindow } from '../../test/harness/fake-electron.ts';
import { type CloseContext, closeOutcome, createClosePolicy } from './close-policy.ts';

const context: CloseContext = { platform: 'linux', tray: false, closeToTray: null, production: true };

describe('the outcome', () => {
  test.each<[string, Partial<CloseContext>]>([
    ['goes-on', { platform: 'darwin' }],
    ['goes-on', { platform: 'darwin', production: false }],
    ['ask-tray', { tray: true }],
    ['ask-tray', { tray: true, platform: 'win32', production: false }],
    ['goes-on', { tray: true, closeToTray: true }],
    ['ends', { tray: true, closeToTray: false }],
    ['ask-end', {}],
    // A choice made where there was a tray does not apply without one.
    ['ask-end', { closeToTray: true }],
    ['ends', { production: false }],
  ])('%s: %o', (next, given) => {
    expect(closeOutcome({ ...context, ...given })).toBe(next);
  });
});

describe('the user', () => {
  let fake: FakeElectron;
  let done: string[];
  let window: FakeWindow;
  const create = (given: Partial<CloseContext>) =>
    createClosePolicy({
      context: () => ({ ...context, ...given }),
      dialog: fake.module.dialog,
      keepInTray: () => done.push('tray'),
      quit: () => done.push('quit'),
    });
  beforeEach(() => {
    fake = createFakeElectron();
    done = [];
    window = new fake.module.BrowserWindow({}) as unknown as FakeWindow;
  });
  const close = (given: Partial<CloseContext>): boolean => create(given).mayClose(window as never);

  test('is not asked without a choice', () => {
    expect(close({ production: false })).toBe(true);
    expect(close({ tray: true, closeToTray: true })).toBe(true);
    expect(fake.prompts).toEqual([]);
  });

  test('keeps monitoring in the tray, and is not asked again', async () => {
    expect(close({ tray: true })).toBe(false);
    await eventually(() => expect(window.closed).toBe(true));
    expect(done).toEqual(['tray']);
    expect(fake.prompts).toMatchObject([{ message: 'Keep watching?', detail: expect.stringContaining('in the tray') }]);
  });

  test('keeps monitoring without a tray: the window is minimized', async () => {
    expect(close({})).toBe(false);
    await eventually(() => expect(window.done).toEqual(['minimize']));
    expect(window.closed).toBe(false);
    expect(fake.prompts[0]?.detail).toContain('no tray icons');
  });

  test('quits', async () => {
    fake.answer = 1;
    close({});
    await eventually(() => expect(done).toEqual(['quit']));
  });

  test('is not asked twice when closing again during the question', () => {
    const policy = create({});
    expect(policy.mayClose(window as never)).toBe(false);
    expect(policy.mayClose(window as never)).toBe(false);
    expect(fake.prompts).toHaveLength(1);
  });

  test('a last window that closes without the user does not end the monitoring of a production profile', () => {
    expect(create({}).goesOnWithout()).toBe(true);
    expect(create({ production: false }).goesOnWithout()).toBe(false);
    expect(create({ tray: true, closeToTray: false, production: false }).goesOnWithout()).toBe(false);
    const policy = create({ tray: true, closeToTray: false });
    expect(policy.goesOnWithout()).toBe(true);
    expect(policy.mayClose(window as never)).toBe(true);
    expect(policy.goesOnWithout()).toBe(false);
  });
});
