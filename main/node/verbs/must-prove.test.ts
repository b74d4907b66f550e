// Test: a command that names an address demands the proof that its service gave to a profile.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../client/client.ts';
import { UNKNOWN_LISTENER } from '../../../client/key-gate.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/harness/folders.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createPeer } from '../../core/profiles/peer.ts';
import { DEFAULT_SETTINGS, type Profile } from '../../core/profiles/settings.ts';
import { createSettingsStore } from '../../host/settings-store.ts';
import { mustProve } from './must-prove.ts';
import { connectTo } from './service-flags.ts';
import { watchedBy } from './watch-target.ts';

const KEY = 'svc_test_plantedplantedplanted0022';
const URL_OF_IT = 'http://127.0.0.1:8787';

let folder: TemporaryFolder;
let server: Server | null = null;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  server?.close();
  server = null;
  folder.remove();
});

const settingsWith = (peer: NonNullable<Profile['peer']>): string =>
  JSON.stringify({
    ...DEFAULT_SETTINGS,
    profiles: [{ name: 'desk', environment: 'sandbox', baseUrl: peer.address, mode: 'auto', enabled: true, peer }],
  });
const write = (text: string, name = 'settings.json'): void => writeFileSync(join(folder.path, name), text);

describe('a proof', () => {
  test('a proof is needed at the address at which the service proved itself, with any path, and nowhere else', () => {
    write(settingsWith({ address: URL_OF_IT, trust: 'proof' }));
    const addresses = [URL_OF_IT, `${URL_OF_IT}/v1`, 'http://127.0.0.1:8788', 'https://127.0.0.1:8787'];
    expect(addresses.map((url) => mustProve(folder.path, url))).toEqual([true, true, false, false]);
  });

  test('no proof is needed where the user allowed the service without one', () => {
    write(settingsWith({ address: URL_OF_IT, trust: 'user' }));
    expect(mustProve(folder.path, URL_OF_IT)).toBe(false);
  });

  test('of damaged settings the last good copy says whether a proof is needed; without a copy it is', () => {
    write('{');
    expect(mustProve(folder.path, 'http://127.0.0.1:8788')).toBe(true);
    write(settingsWith({ address: URL_OF_IT, trust: 'proof' }), 'settings.last-good.json');
    expect([URL_OF_IT, 'http://127.0.0.1:8788'].map((url) => mustProve(folder.path, url))).toEqual([true, false]);
  });

  test('no proof is needed without settings, and the check creates no folder', () => {
    const none = join(folder.path, 'none');
    expect([mustProve(none, URL_OF_IT), existsSync(none)]).toEqual([false, false]);
    mkdirSync(none);
    expect([mustProve(none, URL_OF_IT), existsSync(join(none, 'settings.json'))]).toEqual([false, false]);
  });
});

test('a verb with --url sends nothing but the question to a program that took the address', async () => {
  const received: string[] = [];
  const own = createServer((request, response) => {
    received.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(request.url?.startsWith('/proof') ? 404 : 200).end('{}');
  });
  server = own;
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
  const ask = () => connectTo({ dataDir: folder.path, url, key: KEY }).page('snapshot');
  expect(await ask()).not.toMatchObject({ error: { kind: 'unproven' } });
  received.length = 0;
  write(settingsWith({ address: url, trust: 'proof' }));
  expect(await ask()).toMatchObject({ ok: false, error: { kind: 'unproven', code: 'absent_proof' } });
  expect(received).toHaveLength(1);
  expect(received.join()).not.toContain('planted');
});

describe('listen --url', () => {
  const target = () => watchedBy({ dataDir: folder.path, url: `${URL_OF_IT}/v1` }, { BAROGRAPH_KEY: KEY }, fetch);
  /**
   * Sends a request as the core does, to a service without proofs, on a platform that hides the listener's
   * owner.
   */
  async function asked(profile: Profile | null): Promise<string> {
    if (profile === null) throw new Error('no profile');
    const client = createClient({
      base: new URL(`${URL_OF_IT}/v1/`),
      key: KEY,
      mode: 'auto',
      peer: createPeer(
        profile,
        createSettingsStore(folder.path, () => undefined),
        () => UNKNOWN_LISTENER,
      ),
      clock: createManualClock(),
      fetch: async (address) =>
        address.includes('/proof')
          ? new Response('', { status: 404 })
          : Response.json({ data: [], has_more: false, next_cursor: null }),
    });
    const answer = await client.page('snapshot');
    return answer.ok ? 'sent' : answer.error.code;
  }

  test('of a service without proofs connects also where the owner of the listener is unknown', async () => {
    const { profile, key } = await target();
    expect(key).toBe(KEY);
    expect(profile?.peer).toEqual({ address: URL_OF_IT, trust: 'user' });
    expect(await asked(profile)).toBe('sent');
  });

  test('of a service that proved itself before does not', async () => {
    write(settingsWith({ address: URL_OF_IT, trust: 'proof' }));
    const { profile } = await target();
    expect(profile?.peer).toEqual({ address: URL_OF_IT, trust: 'proof' });
    expect(await asked(profile)).toBe('absent_proof');
  });

  test('the trust of a profile is read from the settings at each request', async () => {
    write(settingsWith({ address: URL_OF_IT, trust: 'user' }));
    const store = createSettingsStore(folder.path, () => undefined);
    const [profile = null] = store.read().profiles;
    expect(await asked(profile)).toBe('sent');
    store.change((now) => ({ ...now, profiles: now.profiles.map(({ peer: _, ...rest }) => rest) }));
    expect(await asked(profile)).toBe('unknown_owner');
  });
});
