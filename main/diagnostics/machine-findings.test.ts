// Test: the findings on this computer.

import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { dataSize } from '../../shared/text/format.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { isAtLeast, type MachineInspection, machineFindings } from './machine-findings.ts';

const SOUND: MachineInspection = {
  node: { version: '24.1.0', required: '>=20.19' },
  folder: { path: '/data', exists: true, problem: null, mode: 0o700, free: 5 * 1024 ** 3 },
  settings: { status: 'valid', problem: null, hasCopy: true, quarantined: [] },
  files: [],
  enabled: 1,
  app: { status: 'runs', pid: 7, address: 'http://127.0.0.1:4780', silence: null },
  desktop: {
    platform: 'linux',
    electron: false,
    service: { tier: 'system', detail: plainMessage('Notifications go to dunst 1.') },
  },
};
const { folder, settings, app, desktop } = SOUND;

test('all well', () => {
  expect(machineFindings(SOUND).map(({ name, status, cure }) => [name, status, cure])).toEqual(
    ['Node', 'data folder', 'disk', 'settings', 'app', 'notifications'].map((name) => [name, 'ok', null]),
  );
});

const CASES: readonly [Partial<MachineInspection>, string, string, RegExp][] = [
  [{ node: { version: '18.9.0', required: '>=20.19' } }, 'Node', 'fail', /18\.9\.0 runs, and >=20\.19 is needed/],
  [{ folder: { ...folder, exists: false } }, 'data folder', 'warn', /does not exist yet/],
  [
    { folder: { ...folder, problem: 'it is not a folder' } },
    'data folder',
    'fail',
    /cannot be used: it is not a folder/,
  ],
  [{ folder: { ...folder, mode: 0o750 } }, 'data folder', 'warn', /Other users/],
  [{ folder: { ...folder, mode: null } }, 'data folder', 'ok', /writable/],
  [{ folder: { ...folder, free: null } }, 'disk', 'warn', /does not report/],
  [{ folder: { ...folder, free: 500 * 1024 ** 2 } }, 'disk', 'warn', /Only 500\.0 MB/],
  [{ folder: { ...folder, free: 2048 } }, 'disk', 'fail', /Only 2 KB/],
  [{ settings: { ...settings, status: 'missing', hasCopy: false } }, 'settings', 'ok', /no settings\.json yet/],
  [{ settings: { ...settings, status: 'missing' } }, 'settings', 'warn', /missing; there is a copy/],
  [{ settings: { ...settings, status: 'unreadable', problem: 'EACCES' } }, 'settings', 'fail', /^EACCES$/],
  [
    { settings: { ...settings, status: 'damaged', problem: 'not JSON.', hasCopy: false } },
    'settings',
    'fail',
    /no copy/,
  ],
  [{ settings: { ...settings, problem: 'SP Y' } }, 'settings', 'warn', /^SP Y$/],
  [
    { settings: { ...settings, quarantined: [{ name: 'settings.bad-1.json', problem: 'not JSON' }] } },
    'settings',
    'warn',
    /bad-1\.json \(not JSON\)/,
  ],
  [{ enabled: 0 }, 'profiles', 'fail', /No profile is turned on/],
  [{ app: { status: 'none', pid: null, address: null, silence: null } }, 'app', 'warn', /is not running/],
  [{ app: { status: 'left', pid: null, address: null, silence: null } }, 'app', 'warn', /ended unexpectedly/],
  [{ app: { ...app, address: null } }, 'app', 'ok', /desktop application \(process 7\)/],
  [{ app: { ...app, silence: 'refused' } }, 'app', 'fail', /does not answer at http:\/\/127\.0\.0\.1:4780: refused/],
  [
    { desktop: { ...desktop, service: { tier: 'in_app', detail: plainMessage('There is no bus.') } } },
    'notifications',
    'warn',
    /There is no bus\. Only a window/,
  ],
  [
    { desktop: { platform: 'darwin', electron: true, service: null } },
    'notifications',
    'ok',
    /desktop application shows/,
  ],
  [{ desktop: { platform: 'darwin', electron: false, service: null } }, 'notifications', 'warn', /Only a window/],
];
test.each(CASES)('%j', (change, name, status, text) => {
  const found = machineFindings({ ...SOUND, ...change });
  expect(found.filter((one) => one.status !== 'ok').map((one) => one.name)).toEqual(status === 'ok' ? [] : [name]);
  const finding = found.find((one) => one.name === name);
  expect(finding).toMatchObject({ status, found: expect.stringMatching(text) });
  expect(finding?.cure === null).toBe(status === 'ok');
});

test.each([
  ['20.19.0', true],
  ['20.18.9', false],
  ['v21.0.0', true],
  ['9.99.9', false],
])('%s is at least 20.19: %s', (version, is) => {
  expect(isAtLeast(version, '>=20.19')).toBe(is);
});

test('the range of package.json is read, and any other form is an error', () => {
  expect(isAtLeast(process.versions.node, manifest.engines.node)).toBe(true);
  expect(() => isAtLeast('24.0.0', '^20')).toThrow('engines.node');
});

test.each([
  [1, '1 KB'],
  [3 * 1024 ** 2, '3.0 MB'],
  [1.5 * 1024 ** 3, '1.5 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(dataSize(bytes)).toBe(text);
});
