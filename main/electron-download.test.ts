// Test: fetching Electron from a mirror on loopback that breaks, hangs, refuses and lies.

import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { textOf } from '../shared/text/message.ts';
import {
  ARCHIVE_NAME,
  type ElectronMirror,
  electronArchive,
  startElectronMirror,
  VERSION,
  writeElectronPackage,
} from '../test/harness/electron-mirror.ts';
import { eventually } from '../test/harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../test/harness/folders.ts';
import { type HttpProxy, startHttpProxy } from '../test/harness/http-proxy.ts';
import { createManualClock, type ManualClock } from '../test/harness/manual-clock.ts';
import { lockFile } from './core/files/file-lock.ts';
import { type ElectronFetch, fetchElectron } from './electron-download.ts';
import { UsageError } from './host/command-line.ts';

const SIZE = 300_000;
const HALF = 150_000;
const MINUTE = 60_000;

let folder: TemporaryFolder;
let mirror: ElectronMirror;
let clock: ManualClock;
beforeEach(async () => {
  folder = temporaryFolder();
  const archive = electronArchive('exit 0', SIZE);
  writeElectronPackage(folder.path, archive);
  mirror = await startElectronMirror(archive);
  clock = createManualClock();
  vi.stubEnv('ELECTRON_MIRROR', mirror.url);
  vi.stubEnv('electron_config_cache', join(folder.path, 'cache'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await mirror.close();
  folder.remove();
});

const inPackage = (...path: string[]): string => join(folder.path, 'node_modules', 'electron', ...path);
const work = (): string => join(folder.path, 'node_modules', '.cache', 'barograph', 'electron');
const part = (): string => join(work(), `${ARCHIVE_NAME}.part`);
const partSize = (): number => (existsSync(part()) ? statSync(part()).size : 0);
/** The file has its size a little before the download knows. */
async function arrived(bytes: number): Promise<void> {
  let seen = 0;
  await eventually(() => {
    expect(partSize()).toBe(bytes);
    seen += 1;
    expect(seen).toBe(3);
  });
}
const fetch = (again = false, environment: NodeJS.ProcessEnv = {}): ElectronFetch =>
  fetchElectron({ root: folder.path, clock, environment, again });
/** Its status after a fetch that fails. */
async function failure(again = false, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const download = fetch(again, environment);
  expect(await download.binary).toBeNull();
  return textOf(download.status());
}

describe('a fetch', () => {
  test('installs the archive of the mirror, and leaves nothing but the cache', async () => {
    const download = fetch();
    expect(await download.binary).toBe(inPackage('dist', 'electron'));
    expect(statSync(inPackage('dist', 'electron')).mode & 0o111).toBe(0o111);
    expect(textOf(download.status())).toBe(`Electron ${VERSION} is here: the next start opens it.`);
    expect(readdirSync(work())).toEqual(['lock.sqlite']);
    expect(mirror.ranges).toEqual([undefined]);
  });

  test('takes an archive that is in the cache of other programs without asking anybody', async () => {
    await fetch().binary;
    rmSync(inPackage('path.txt'));
    mirror.answers.push({ status: 500 });
    expect(await fetch().binary).toBe(inPackage('dist', 'electron'));
    expect(mirror.ranges).toHaveLength(1);
  });

  test('goes on where the connection broke', async () => {
    mirror.answers.push({ bytes: HALF }, { bytes: 10_000 });
    const { binary } = fetch();
    await arrived(HALF);
    mirror.reset();
    await arrived(HALF + 10_000);
    mirror.reset();
    expect(await binary).not.toBeNull();
    expect(mirror.ranges).toEqual([undefined, `bytes=${HALF}-`, `bytes=${HALF + 10_000}-`]);
  });

  test('begins anew at a mirror that cannot go on', async () => {
    mirror.resumes = false;
    mirror.answers.push({ bytes: HALF });
    const { binary } = fetch();
    await arrived(HALF);
    mirror.reset();
    expect(await binary).not.toBeNull();
    expect(mirror.ranges).toEqual([undefined, `bytes=${HALF}-`]);
  });

  test('follows a redirect, as that of releases to their store', async () => {
    const location = `${mirror.url}store/v${VERSION}/${ARCHIVE_NAME}`;
    mirror.answers.push({ status: 302, location }, { bytes: HALF }, { status: 302, location });
    const { binary } = fetch();
    await arrived(HALF);
    mirror.reset();
    expect(await binary).not.toBeNull();
    expect(mirror.ranges).toEqual([undefined, undefined, `bytes=${HALF}-`, `bytes=${HALF}-`]);
  });

  test('needs no byte of a part that is complete', async () => {
    mkdirSync(work(), { recursive: true });
    writeFileSync(part(), mirror.archive);
    expect(await fetch().binary).not.toBeNull();
    expect(mirror.ranges).toEqual([`bytes=${mirror.archive.length}-`]);
  });

  test('begins anew where the part is longer than the file', async () => {
    mkdirSync(work(), { recursive: true });
    writeFileSync(part(), Buffer.concat([mirror.archive, mirror.archive]));
    expect(await fetch().binary).not.toBeNull();
    expect(mirror.ranges).toHaveLength(2);
  });

  test('ends an attempt after thirty seconds without a byte, and no sooner', async () => {
    mirror.answers.push({ bytes: HALF });
    const download = fetch();
    await arrived(HALF);
    await clock.advance(29_999);
    expect(mirror.ranges).toHaveLength(1);
    await clock.advance(1);
    expect(await download.binary).not.toBeNull();
    expect(mirror.ranges).toEqual([undefined, `bytes=${HALF}-`]);
  });

  test('says how far it is, how fast, and how long it takes', async () => {
    mirror.answers.push({ bytes: HALF }, { bytes: 50_000 });
    const download = fetch();
    const said: string[] = [];
    download.onChange(() => said.push(textOf(download.status())));
    expect(textOf(download.status())).toBe(`Electron ${VERSION}: connecting.`);
    await arrived(HALF);
    await clock.advance(2_000);
    expect(said.at(-1)).toBe(`Electron ${VERSION}: 147 KB of 294 KB (49 %), 0 KB/s.`);
    mirror.reset();
    await arrived(HALF + 50_000);
    await clock.advance(1_000);
    expect(said.at(-1)).toBe(`Electron ${VERSION}: 196 KB of 294 KB (66 %), 25 KB/s, 4.0\u00a0s left.`);
    download.stop();
    expect(await download.binary).toBeNull();
  });

  test('that is stopped keeps its part, and is no failure', async () => {
    mirror.answers.push({ bytes: HALF });
    const download = fetch();
    await arrived(HALF);
    download.stop();
    expect(await download.binary).toBeNull();
    expect(readdirSync(work()).sort()).toEqual([`${ARCHIVE_NAME}.part`, 'lock.sqlite']);
    expect(await fetch().binary).not.toBeNull();
    expect(mirror.ranges).toEqual([undefined, `bytes=${HALF}-`]);
  });

  test('removes parts of other versions and folders of killed processes', async () => {
    mkdirSync(join(work(), 'electron-download-x'), { recursive: true });
    writeFileSync(join(work(), 'electron-v44.0.0-linux-x64.zip.part'), 'old');
    await fetch().binary;
    expect(readdirSync(work())).toEqual(['lock.sqlite']);
  });

  test('waits while another start fetches it, and takes what that one left', async () => {
    mirror.answers.push({ bytes: HALF });
    const first = fetch();
    await arrived(HALF);
    const second = fetch();
    await eventually(() => expect(textOf(second.status())).toBe(`Electron ${VERSION}: another start is fetching it.`));
    mirror.reset();
    expect(await first.binary).not.toBeNull();
    await clock.advance(1_000);
    expect(await second.binary).toBe(inPackage('dist', 'electron'));
    expect(mirror.ranges).toHaveLength(2);
  });

  test('that waits for another start can be stopped', async () => {
    mkdirSync(work(), { recursive: true });
    const unlock = lockFile(join(work(), 'lock.sqlite'), 0);
    const download = fetch();
    download.stop();
    await clock.advance(1_000);
    expect(await download.binary).toBeNull();
    unlock();
  });
});

describe('a failure', () => {
  test('names a status, and the file', async () => {
    mirror.answers.push({ status: 404 });
    expect(await failure()).toContain(
      `could not be fetched: 127.0.0.1:${mirror.port} answers 404 to /v${VERSION}/${ARCHIVE_NAME}. The first start after `,
    );
  });

  test('is known at once where the host refuses or is unknown', async () => {
    await mirror.close();
    expect(await failure()).toContain(`127.0.0.1:${mirror.port}: nothing listens there.`);
    vi.stubEnv('ELECTRON_MIRROR', 'http://mirror.invalid/');
    expect(await failure(true)).toMatch(/: mirror\.invalid: (no such host|the name cannot be looked up)\./);
    mirror = await startElectronMirror(mirror.archive);
  });

  test('is known after five seconds where no connection comes about, and no sooner', async () => {
    // Accepts, and never shakes hands.
    const silent = createTcpServer().listen(0, '127.0.0.1');
    const accepted = once(silent, 'connection');
    await once(silent, 'listening');
    const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    vi.stubEnv('ELECTRON_MIRROR', `https://${host}/`);
    const download = fetch();
    const [socket] = await accepted;
    await clock.advance(4_999);
    expect(textOf(download.status())).toBe(`Electron ${VERSION}: connecting.`);
    await clock.advance(1);
    expect(await download.binary).toBeNull();
    expect(textOf(download.status())).toContain(`: ${host}: no answer in time.`);
    socket.destroy();
    silent.close();
  });

  test('of an attempt that brings no byte ends the fetch and keeps the part', async () => {
    mirror.answers.push({ bytes: HALF }, { status: 503 });
    const download = fetch();
    await arrived(HALF);
    mirror.reset();
    expect(await download.binary).toBeNull();
    expect(textOf(download.status())).toContain('answers 503');
    expect(partSize()).toBe(HALF);
    expect(await fetch(true).binary).not.toBeNull();
  });

  test('of a host that connects and says nothing is a stall', async () => {
    mirror.answers.push({ bytes: 0 });
    const download = fetch();
    await eventually(() => expect(mirror.ranges).toHaveLength(1));
    await clock.advance(29_000);
    expect(textOf(download.status())).toBe(`Electron ${VERSION}: connecting.`);
    await clock.advance(1_000);
    expect(await download.binary).toBeNull();
    expect(textOf(download.status())).toContain(`127.0.0.1:${mirror.port}`);
  });

  test('of a wrong checksum deletes what arrived', async () => {
    const { archive } = mirror;
    mirror.archive = electronArchive('exit 1', SIZE);
    expect(await failure()).toMatch(/did not match expected checksum/);
    expect(readdirSync(work()).sort()).toEqual(['failure.json', 'lock.sqlite']);
    mirror.archive = archive;
    expect(await fetch(true).binary).not.toBeNull();
    expect(mirror.ranges).toEqual([undefined, undefined]);
  });

  test('of a package that this user may not write is known before the download', async () => {
    rmSync(inPackage(), { recursive: true });
    writeElectronPackageFile();
    expect(await failure()).toMatch(/could not be fetched/);
    expect(mirror.ranges).toEqual([]);
  });

  test('is tried again at a start after five minutes, then an hour, then a day each time', async () => {
    const attempts = async (): Promise<number> => {
      const before = mirror.ranges.length;
      mirror.answers.push({ status: 503 });
      await failure();
      mirror.answers.length = 0;
      return mirror.ranges.length - before;
    };
    expect(await attempts()).toBe(1);
    for (const minutes of [5, 60, 24 * 60, 24 * 60]) {
      clock.jump(minutes * MINUTE - 1);
      expect(await attempts()).toBe(0);
      clock.jump(1);
      expect(await attempts()).toBe(1);
    }
    expect(await failure()).toMatch(/answers 503 .*\. The first start after \w+ \d+ \w+ \d\d:\d\d tries again/);
  });

  test('stands in the way of no other version, no explicit start and no clock that was set back', async () => {
    const failOnce = async (): Promise<void> => {
      mirror.answers.push({ status: 503 });
      await failure(true);
    };
    await failOnce();
    expect(await fetch(true).binary).not.toBeNull();
    rmSync(inPackage('path.txt'));
    expect(existsSync(join(work(), 'failure.json'))).toBe(false);
    rmSync(join(folder.path, 'cache'), { recursive: true });
    await failOnce();
    clock.jump(-24 * 60 * MINUTE);
    expect(await fetch().binary).not.toBeNull();
    rmSync(inPackage('path.txt'));
    rmSync(join(folder.path, 'cache'), { recursive: true });
    await failOnce();
    const record = JSON.parse(readFileSync(join(work(), 'failure.json'), 'utf8'));
    writeFileSync(join(work(), 'failure.json'), JSON.stringify({ ...record, version: '44.0.0' }));
    expect(await fetch().binary).not.toBeNull();
  });
});

describe('a proxy', () => {
  let proxy: HttpProxy;
  beforeEach(async () => {
    proxy = await startHttpProxy({ http: mirror.port });
    vi.stubEnv('ELECTRON_MIRROR', 'http://mirror.invalid/');
  });
  afterEach(() => proxy.close());

  test.each(['HTTP_PROXY', 'npm_config_proxy'])('of %s carries the download', async (name) => {
    expect(await fetch(false, { [name]: proxy.url }).binary).not.toBeNull();
    expect(proxy.asked).toEqual([`GET http://mirror.invalid/v${VERSION}/${ARCHIVE_NAME} user:planted`]);
  });

  test('is not asked for an exception, nor for this computer', async () => {
    for (const exception of ['NO_PROXY', 'npm_config_noproxy'])
      expect(await failure(true, { HTTP_PROXY: proxy.url, [exception]: '.invalid' })).toContain('mirror.invalid: ');
    vi.stubEnv('ELECTRON_MIRROR', mirror.url);
    expect(await fetch(true, { HTTP_PROXY: proxy.url }).binary).not.toBeNull();
    expect(proxy.asked).toEqual([]);
  });

  test('of npm wins; it is named when it refuses, without its password', async () => {
    vi.stubEnv('ELECTRON_MIRROR', 'https://mirror.invalid/');
    proxy.refusalOf = () => 502;
    const said = await failure(true, { HTTPS_PROXY: 'http://127.0.0.1:9', npm_config_https_proxy: proxy.url });
    expect(said).toContain(`: mirror.invalid, through the proxy ${proxy.host}: `);
    expect(said).toContain('502');
    expect(said).not.toContain('planted');
    expect(proxy.asked).toEqual(['CONNECT mirror.invalid:443 user:planted']);
  });

  test('whose address cannot be used is an error of its own', () => {
    expect(() => fetch(false, { HTTPS_PROXY: 'ftp://proxy.example' })).toThrow(UsageError);
  });
});

/** A file where the package's folder was. */
function writeElectronPackageFile(): void {
  mkdirSync(inPackage(), { recursive: true });
  writeFileSync(inPackage('package.json'), JSON.stringify({ version: VERSION }));
  writeFileSync(join(folder.path, 'node_modules', '.cache'), '');
}
