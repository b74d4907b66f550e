// Test: updates with a fake updater: no unasked check, no unsigned install, failures with a link.
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { saying } from '../../test/harness/saying.ts';
import { createUpdates, type Feed, isMacSignature, readFeed, type Updater } from './updates.ts';

const HOUR = 3_600_000;
const signed: Feed = { url: 'https://downloads.example/barograph', signed: true };

function setUp(feed: Feed | null, found: string | Error | null, enabled = true, download: Error | null = null) {
  const clock = createManualClock();
  const done: string[] = [];
  const updater: Updater = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    allowDowngrade: true,
    disableWebInstaller: false,
    requestHeaders: null,
    async checkForUpdates() {
      done.push('check');
      if (found instanceof Error) throw found;
      return { isUpdateAvailable: found !== null, updateInfo: { version: found ?? '0.1.0' } };
    },
    async downloadUpdate() {
      done.push('download');
      if (download !== null) throw download;
    },
    quitAndInstall: () => void done.push('install'),
  };
  const statuses: string[] = [];
  let isEnabled = enabled;
  const updates = createUpdates({
    feed,
    load: async () => updater,
    clock,
    isEnabled: () => isEnabled,
    onInstall: () => done.push('let go'),
    onChange: () => statuses.push(updates.view().status),
  });
  return { clock, updates, updater, done, statuses, want: (now: boolean) => (isEnabled = now) };
}

describe('when it checks', () => {
  test('no check is made before the user turns it on', async () => {
    const { clock, done, want } = setUp(signed, '0.2.0', false);
    await clock.advance(72 * HOUR);
    expect(done).toEqual([]);
    want(true);
    await clock.advance(24 * HOUR);
    expect(done[0]).toBe('check');
  });

  test('checks come a minute after the start, then once a day', async () => {
    const { clock, done, updates } = setUp(signed, null);
    await clock.advance(59_000);
    expect(done).toEqual([]);
    await clock.advance(2_000);
    expect(done).toEqual(['check']);
    await clock.advance(48 * HOUR);
    expect(done).toHaveLength(3);
    expect(updates.view()).toMatchObject({ status: 'current', version: null });
    updates.stop();
    await clock.advance(48 * HOUR);
    expect(done).toHaveLength(3);
  });

  test('a library that does not look is no proof that the version is current', async () => {
    const { updates, updater } = setUp(signed, null);
    updater.checkForUpdates = async () => null;
    await updates.check();
    expect(updates.view()).toMatchObject({
      status: 'failed',
      checked_at: null,
      message: saying(/how it was installed/),
    });
  });

  test('two concurrent checks make one request, and send no number that could track an installation', async () => {
    const { updates, done, updater } = setUp(signed, null, false);
    await Promise.all([updates.check(), updates.check()]);
    expect(done).toEqual(['check']);
    expect(updater).toMatchObject({ autoDownload: false, allowDowngrade: false, disableWebInstaller: true });
    expect(updater.requestHeaders).toEqual({ 'x-user-staging-id': 'none' });
  });

  test('a build without a feed refuses with that reason', async () => {
    const { updates, clock, done } = setUp(null, '0.2.0');
    await expect(updates.check()).rejects.toThrow('has no update address');
    await clock.advance(48 * HOUR);
    expect(done).toEqual([]);
    expect(updates.view()).toMatchObject({
      status: 'unknown',
      link: null,
      message: saying(/has no update address/),
    });
  });
});

describe('what it does', () => {
  test('a signed build downloads, and installs when the user asks', async () => {
    const { updates, done, statuses, updater } = setUp(signed, '0.2.0');
    await updates.check();
    expect(statuses).toEqual(['checking', 'loading', 'ready']);
    expect(updater.autoInstallOnAppQuit).toBe(true);
    expect(updates.view()).toMatchObject({ version: '0.2.0', link: signed.url });
    await updates.check();
    expect(done).toEqual(['check', 'download']);
    updates.install();
    expect(done).toEqual(['check', 'download', 'let go', 'install']);
  });

  test('an unsigned build only reports a newer one', async () => {
    const { updates, done, updater } = setUp({ ...signed, signed: false }, '0.2.0');
    await updates.check();
    expect(updates.view()).toMatchObject({ status: 'available', version: '0.2.0', link: signed.url });
    expect(updates.view().message).toEqual(saying(/not signed/));
    expect(done).toEqual(['check']);
    expect(updater.autoInstallOnAppQuit).toBe(false);
    expect(() => updates.install()).toThrow('no update');
    expect(done).toEqual(['check']);
  });

  test.each([
    ['checking', new Error('net::ERR_NAME_NOT_RESOLVED\n    at somewhere'), null],
    ['fetching', '0.2.0', new Error('sha512 checksum mismatch')],
  ])(
    'a failure in %s is reported, with the link to the download, and retried the next day',
    async (_where, found, download) => {
      const { updates, clock, done } = setUp(signed, found, true, download);
      await clock.advance(61_000);
      const { status, message, link } = updates.view();
      expect({ status, link }).toEqual({ status: 'failed', link: signed.url });
      expect(message).toEqual(saying(/^The update failed: (net::ERR_NAME_NOT_RESOLVED|sha512 checksum mismatch)$/));
      await clock.advance(24 * HOUR);
      expect(done.filter((what) => what === 'check')).toHaveLength(2);
    },
  );
});

describe('the feed', () => {
  const generic = 'provider: generic\nurl: https://downloads.example/b\n';
  test.each<[string, string | null, NodeJS.Platform, boolean, Feed | null]>([
    ['no file', null, 'linux', true, null],
    ['Linux', generic, 'linux', true, { url: 'https://downloads.example/b', signed: false }],
    ['Windows, unsigned', generic, 'win32', true, { url: 'https://downloads.example/b', signed: false }],
    [
      'Windows, signed',
      `${generic}publisherName:\n  - Example Ltd\n`,
      'win32',
      false,
      { url: 'https://downloads.example/b', signed: true },
    ],
    [
      'Windows, signed by nobody',
      `${generic}publisherName: []\n`,
      'win32',
      false,
      { url: 'https://downloads.example/b', signed: false },
    ],
    ['macOS, signed', generic, 'darwin', true, { url: 'https://downloads.example/b', signed: true }],
    [
      'macOS, unsigned',
      `${generic}publisherName: x\n`,
      'darwin',
      false,
      { url: 'https://downloads.example/b', signed: false },
    ],
    [
      'GitHub',
      'provider: github\nowner: a\nrepo: b\n',
      'linux',
      false,
      { url: 'https://github.com/a/b/releases', signed: false },
    ],
    ['without TLS', 'provider: generic\nurl: http://downloads.example/b\n', 'linux', false, null],
    ['no address', 'provider: generic\nurl: javascript:1\n', 'linux', false, null],
    ['another provider', 'provider: s3\nbucket: b\n', 'linux', false, null],
    ['no YAML', '\t:::', 'linux', false, null],
  ])('%s', (_name, text, platform, mac, feed) => {
    expect(readFeed(text, platform, mac)).toEqual(feed);
  });

  test('a Mac bundle is signed where its signature names a team', () => {
    expect(isMacSignature('Identifier=app.barograph.desktop\nTeamIdentifier=AB12CD34EF\nSealed Resources')).toBe(true);
    expect(isMacSignature('Signature=adhoc\nTeamIdentifier=not set\n')).toBe(false);
    expect(isMacSignature('')).toBe(false);
  });
});
