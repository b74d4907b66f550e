// Test: tray, dock and task bar against a fake Electron: sign, number, text, menu, rate of changes.
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeElectron, type FakeElectron, type FakeImage, FakeTray } from '../../test/harness/fake-electron.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { HEALTHY_VIEW, SANDBOX_VIEW } from '../../test/harness/tray-views.ts';
import type { TrayView } from '../core/views/tray-view.ts';
import { createTray, trayText } from './tray.ts';
import { composite, createTrayPictures, SHEET_NUMBERS, SHEET_SIGNS, type TrayIconSpec } from './tray-picture.ts';

let fake: FakeElectron;
let clock = createManualClock();
let views: TrayView[];
let acts: string[];
let emitChange: () => void;
let specs: TrayIconSpec[];

beforeEach(() => {
  specs = [];
  fake = createFakeElectron();
  clock = createManualClock();
  views = [HEALTHY_VIEW];
  acts = [];
  fake.app.quit = () => acts.push('quit');
});

function show(platform: NodeJS.Platform = 'linux', hasTray = true) {
  const { module } = fake;
  const pictures = createTrayPictures(module.nativeImage, join(import.meta.dirname, '../../assets/tray'), 16);
  return createTray({
    platform,
    clock,
    electron: module,
    pictures: {
      ...pictures,
      sign(spec) {
        specs.push(spec);
        return pictures.sign(spec);
      },
    },
    hasTray,
    application: {
      trayViews: () => views,
      onTrayChanged: (listener) => {
        emitChange = listener;
        return () => acts.push('stopped');
      },
      acknowledgeAll: (which) => acts.push(`acknowledge ${which.map(({ profile }) => profile)}`),
    },
    open: (profile) => acts.push(`open ${profile}`),
  });
}
const tray = (): FakeTray => {
  const [first] = FakeTray.all;
  if (first === undefined || FakeTray.all.length > 1) throw new Error('not one tray');
  return first;
};
const labels = (): (string | undefined)[] => tray().menu.flatMap(({ label }) => (label === undefined ? [] : [label]));
const press = (label: string): void => {
  const click = tray().menu.find((item) => item.label?.startsWith(label))?.click as (() => void) | undefined;
  if (click === undefined) throw new Error(`the menu has no ${label}`);
  click();
};

describe('the tray', () => {
  test('has the status as text, and offers the actions', () => {
    views = [SANDBOX_VIEW, { ...HEALTHY_VIEW, high: ['SPY'], elevated: ['QQQ'], needsAttention: [7] }];
    show();
    expect(tray().toolTip).toBe('Barograph: 1 High Risk (SPY), 1 Elevated, 1 not acknowledged');
    expect(labels()).toEqual([
      'Open Barograph',
      'desk: 1 High Risk (SPY), 1 Elevated, 1 not acknowledged',
      '[SANDBOX] sandbox: 5 High Risk, 3 not acknowledged',
      'Acknowledge all (1)',
      'Quit Barograph',
    ]);
    press('Open');
    press('[SANDBOX]');
    press('Acknowledge');
    press('Quit');
    tray().emit('click');
    expect(acts).toEqual(['open null', 'open sandbox', 'acknowledge desk', 'quit', 'open null']);
  });

  test('has nothing to acknowledge when no alert waits', () => {
    show();
    expect(tray().menu.find(({ label }) => label === 'Nothing to acknowledge')).toMatchObject({ enabled: false });
    expect(tray().toolTip).toBe('Barograph: all 27 Normal');
  });

  test('follows the state at a limited rate, and is redrawn only after a change', async () => {
    show();
    const first = tray().image;
    emitChange();
    emitChange();
    await clock.advance(600);
    expect(tray().image).toBe(first);
    views = [{ ...HEALTHY_VIEW, outageSince: Date.UTC(2026, 2, 2, 14, 2), high: ['SPY'] }];
    emitChange();
    expect(tray().image).toBe(first);
    await clock.advance(600);
    expect(tray().image).not.toBe(first);
    expect(tray().toolTip).toMatch(/^Barograph: no data since \d\d:\d\d, SPY was High Risk$/);
  });

  test('on a Mac is a picture that the system tints, with the number beside it', () => {
    views = [SANDBOX_VIEW];
    show('darwin');
    expect(tray()).toMatchObject({ title: ' 3', image: { isTemplate: true } });
    expect(fake.app.badge).toBe(3);
  });

  test.each([
    ['linux', true, 'unknown'],
    ['linux', false, 'unknown'],
    ['win32', true, 'dark'],
    ['win32', false, 'light'],
  ] as const)('is drawn for the bar behind it; the theme of Linux does not tell which (%s, dark: %s)', (...given) => {
    const [platform, isDark, bar] = given;
    Object.assign(fake.module.nativeTheme, { shouldUseDarkColorsForSystemIntegratedUI: isDark });
    show(platform);
    expect(specs.map((spec) => spec.bar)).toEqual([bar]);
  });

  test('is gone when the app ends', () => {
    show().stop();
    expect(tray().destroyed).toBe(true);
    expect(acts).toEqual(['stopped']);
  });

  test('is absent where no tray is known to exist; the number is on the dock alone', async () => {
    views = [SANDBOX_VIEW];
    show('linux', false);
    expect(FakeTray.all).toEqual([]);
    expect(fake.app.badge).toBe(3);
    views = [HEALTHY_VIEW];
    emitChange();
    await clock.advance(600);
    expect(fake.app.badge).toBe(0);
  });

  test('on Windows the number is drawn over the button in the task bar, with a text', () => {
    const window = new fake.module.BrowserWindow({});
    views = [SANDBOX_VIEW];
    show('win32');
    expect(window).toMatchObject({ overlay: '3 not acknowledged' });
  });

  test.each(['show', 'minimize'] as const)(
    'on Windows a window opened later has the number too (%s)',
    async (first) => {
      views = [SANDBOX_VIEW];
      show('win32');
      const window = new fake.module.BrowserWindow({});
      window[first]();
      await clock.advance(600);
      expect(window).toMatchObject({ overlay: '3 not acknowledged' });
    },
  );
});

describe('pictures', () => {
  test('every sign has a picture in the sheet, and another for the sandbox', () => {
    expect(new Set(SHEET_SIGNS.map(({ sign, sandbox: foot }) => `${sign} ${foot}`)).size).toBe(8);
    expect(SHEET_NUMBERS.at(-1)).toBe('9+');
  });

  test('are cut for normal and for dense screens', () => {
    const pictures = createTrayPictures(fake.module.nativeImage, join(import.meta.dirname, '../../assets/tray'), 24);
    const picture = pictures.sign({ sign: 'offline', sandbox: true, bar: 'light', count: 200 }) as unknown as FakeImage;
    expect(picture.operations).toMatchObject([
      { scaleFactor: 1, width: 24, height: 24 },
      { scaleFactor: 2, width: 48, height: 48 },
    ]);
  });

  test('a number covers the sign where it is opaque, and shows it where it is not', () => {
    const ground = Buffer.from([100, 100, 100, 255, 40, 40, 40, 255, 0, 0, 0, 0]);
    const top = Buffer.from([200, 10, 10, 255, 0, 0, 0, 0, 50, 50, 50, 128]);
    expect([...composite(ground, top)]).toEqual([200, 10, 10, 255, 40, 40, 40, 255, 50, 50, 50, 128]);
    expect([...composite(Buffer.from([255, 255, 255, 255]), Buffer.from([128, 0, 0, 128]))]).toEqual([
      255, 127, 127, 255,
    ]);
  });
});

test.each<[string, Partial<TrayView>]>([
  ['Barograph: all 27 Normal', {}],
  [
    'Barograph: 1 High Risk (SPY), 4 Elevated, 1 not acknowledged',
    { high: ['SPY'], elevated: ['A', 'B', 'C', 'D'], needsAttention: [1] },
  ],
  ['Barograph: no data since 14:02, SPY was High Risk', { high: ['SPY'], outageSince: Date.UTC(2026, 2, 2, 14, 2) }],
  [
    'Barograph: no data since 14:02, A, B, C and 1 more were High Risk',
    { high: ['A', 'B', 'C', 'D'], outageSince: Date.UTC(2026, 2, 2, 14, 2) },
  ],
  ['Barograph: no data since 00:00', { outageSince: Date.UTC(2026, 2, 2) }],
  ['[SANDBOX] Barograph: 5 High Risk, 3 not acknowledged', SANDBOX_VIEW],
  ['[REPLAY] Barograph: 2 Elevated, 1 without a signal', { replay: true, elevated: ['A', 'B'], unknown: 1 }],
  ['Barograph: all 3 Normal, 1 without a signal', { normal: 3, unknown: 1 }],
  ['Barograph: no signal yet', { normal: 0, unknown: 27 }],
  ['Barograph: all 27 Normal, the ledger cannot be written', { isUnwritten: true }],
  [
    'Barograph: no data since 00:00, the ledger cannot be written',
    { outageSince: Date.UTC(2026, 2, 2), isUnwritten: true },
  ],
])('%s', (message, view) => {
  expect(trayText({ ...HEALTHY_VIEW, ...view }, 'UTC')).toBe(message);
});
