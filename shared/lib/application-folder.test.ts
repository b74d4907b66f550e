// Shared, test: the folder of the application on each platform.
import { expect, test } from 'vitest';
import { applicationFolder } from './application-folder.ts';

test('the folder of the application is that of the platform, or the one that the environment names', () => {
  const folder = (platform: string, env: Record<string, string> = {}, home = '/home/u') =>
    applicationFolder({ platform, env, home });
  expect(folder('linux')).toBe('/home/u/.local/share/barograph');
  expect(folder('linux', { XDG_DATA_HOME: '/data' })).toBe('/data/barograph');
  expect(folder('linux', { XDG_DATA_HOME: '' })).toBe('/home/u/.local/share/barograph');
  expect(folder('darwin')).toBe('/home/u/Library/Application Support/barograph');
  expect(folder('win32', {}, 'C:\\Users\\u')).toBe('C:\\Users\\u\\AppData\\Local\\barograph\\Data');
  expect(folder('win32', { LOCALAPPDATA: 'D:\\L' })).toBe('D:\\L\\barograph\\Data');
});
