// Test: electron-builder.yml has what the product promises. pack.long.test.ts gives it to the packager.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sourceFiles, TOP } from '../architecture/files.ts';

const config = parse(readFileSync(join(TOP, 'electron-builder.yml'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
describe('the configuration of packages', () => {
  test('every fuse of Electron is set', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      enableCookieEncryption: true,
      grantFileProtocolExtraPrivileges: false,
    });
    expect(config.asar).toBe(true);
  });
  test('three systems have packages of their own', () => {
    expect(config.win.target).toEqual(['nsis']);
    expect(config.mac.target).toEqual(['dmg', 'zip']);
    expect(config.linux.target).toEqual(['deb', 'rpm', 'AppImage']);
  });
  test('a hardened Mac package may compile JavaScript and do nothing else', () => {
    expect(config.mac).toMatchObject({
      hardenedRuntime: true,
      extendInfo: { NSUserNotificationAlertStyle: 'alert', LSAppNapIsDisabled: true },
    });
    const plist = readFileSync(join(TOP, config.mac.entitlements), 'utf8');
    expect([...plist.matchAll(/<key>([^<]+)<\/key>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
    ]);
  });
  test('packages register the links of the app, and their icons are there', () => {
    expect(config.protocols).toMatchObject([{ schemes: ['barograph'] }]);
    for (const icon of [config.mac.icon, config.win.icon, `${config.linux.icon}/512x512.png`])
      expect(existsSync(join(TOP, config.directories.buildResources, icon)), icon).toBe(true);
  });
  test('nothing is published, and no update feed is assumed', () => {
    expect(config.publish).toBeNull();
    expect(manifest.scripts.dist).toContain('--publish never');
  });
});

test('imports of the main process are dependencies; imports of the window alone are bundled', () => {
  const used = new Set(
    sourceFiles(TOP, ['main', 'service', 'shared', 'client', 'conformance'])
      .filter((path) => !/\.test\.ts$/.test(path))
      .flatMap((path) =>
        [
          ...readFileSync(join(TOP, path), 'utf8').matchAll(
            /(?:\bfrom |\bimport |\bimport\(|import\.meta\.resolve\()'([a-z@][\w./@-]*)'/g,
          ),
        ].map(([, name = '']) => packageOf(name)),
      )
      .filter((name) => !name.startsWith('node:')),
  );
  // The build tool, Electron itself, which the packager adds, and what fetches it for a start from the sources.
  for (const tool of ['vite', 'electron', '@electron/get']) used.delete(tool);
  expect([...used].filter((name) => manifest.dependencies[name] === undefined)).toEqual([]);
  expect(Object.keys(manifest.dependencies).filter((name) => !used.has(name))).toEqual([]);
});

const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');
