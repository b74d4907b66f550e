// Faults: a key in the real keychain, used by the real app, is found nowhere else.
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Profile } from '../../main/core/profiles/settings.ts';
import { barograph, type RunningApp, startApp } from '../harness/app.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { whyNoKeyring } from '../harness/keyring.ts';
import { openLink } from '../harness/link.ts';
import { notRun } from '../harness/not-run.ts';
import { runWithInput, type ScriptResult } from '../harness/processes.ts';
import { saying } from '../harness/saying.ts';
import { filesHolding, formsOf, holds, processesHolding } from '../harness/search.ts';
import { type RunningService, startService } from '../harness/service.ts';

const why = await whyNoKeyring();

/** A service that repeats every key in its error message. */
const LIVE = 'svc_live_plantedplantedplanted0011';

test('the search finds a planted secret', () => {
  const hidden = [
    LIVE,
    Buffer.from(`x${LIVE}y`).toString('base64'),
    Buffer.from(LIVE, 'utf16le'),
    Buffer.from(LIVE).toString('hex'),
  ];
  for (const content of hidden) expect(holds(content, LIVE)).toBe(true);
  expect(holds('svc_live_[hidden]', LIVE)).toBe(false);
  expect(formsOf(LIVE).length).toBeGreaterThan(6);
});

describe.skipIf(why)(`a key in the keychain${notRun(why)}`, () => {
  let folder: TemporaryFolder;
  let data: string;
  let service: RunningService;
  let parrot: Server;
  let complains = false;
  let app: RunningApp;
  const printed: ScriptResult[] = [];
  const profiles = async (args: readonly string[], input = ''): Promise<ScriptResult> => {
    const ended = await runWithInput('barograph', ['profiles', ...args, '--data-dir', data], input, bus());
    printed.push(ended);
    return ended;
  };
  const bus = (): Record<string, string> => ({ DBUS_SESSION_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS ?? '' });

  beforeAll(async () => {
    folder = temporaryFolder();
    data = join(folder.path, 'data');
    service = await startService({ environment: 'sandbox', db: join(folder.path, 'service.sqlite'), symbols: 3 });
    parrot = createServer((request, response) => {
      const key = String(request.headers['x-api-key'] ?? request.headers.authorization ?? '');
      const isFine = request.url === '/' || !complains;
      response.writeHead(isFine ? 200 : 401, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          isFine
            ? { data: [] }
            : { code: 'unauthorized', message: `Your key ${key} is unknown.`, doc_url: 'https://x.example' },
        ),
      );
    });
    await new Promise<void>((resolve) => parrot.listen(0, '127.0.0.1', resolve));
    const remote = (name: string, environment: Profile['environment'], baseUrl: string): Profile => ({
      name,
      environment,
      baseUrl,
      mode: 'auto',
      enabled: true,
    });
    await profiles(['list']);
    writeFileSync(
      join(data, 'settings.json'),
      JSON.stringify({
        ...DEFAULT_SETTINGS,
        profiles: [
          remote('desk', 'sandbox', service.url),
          remote('parrot', 'production', `http://127.0.0.1:${(parrot.address() as AddressInfo).port}`),
        ],
      }),
    );
  });
  afterAll(async () => {
    await app?.process.kill();
    await service?.process.kill();
    parrot?.close();
    for (const name of ['desk', 'parrot']) await profiles(['key', 'forget', name]);
    folder?.remove();
  });

  test('is set without showing in any process of this machine', async () => {
    const setting = Promise.all([
      profiles(['key', 'set', 'desk'], `${service.key}\n`),
      profiles(['key', 'set', 'parrot'], `${LIVE}\n`),
    ]);
    let isDone = false;
    let polls = 0;
    const done = setting.finally(() => {
      isDone = true;
    });
    const seen = new Set<string>();
    while (!isDone) {
      for (const found of [...processesHolding(service.key), ...processesHolding(LIVE)]) seen.add(found);
      polls += 1;
      await new Promise((resolve) => void setImmediate(resolve));
    }
    for (const { code, out } of await done) {
      expect(out).toContain('was saved in the system');
      expect(code, out).toBe(0);
    }
    expect(polls).toBeGreaterThan(10);
    expect([...seen]).toEqual([]);
  });

  test('opens the stream of the app, and stays hidden where a service repeats it in an error', async () => {
    complains = true;
    app = await startApp({ dataDir: data });
    const link = await openLink(app.url);
    await expect.poll(async () => (await link.call('state.snapshot')).connection.indicators.open.state).toBe('ok');
    expect(await link.call('key.state')).toMatchObject({
      status: 'ready',
      tier: 'keychain',
      ending: service.key.slice(-4),
    });
    await service.trigger('signal.high_risk', 'SPY');
    await expect.poll(() => app.notifications().length).toBeGreaterThan(0);

    const opened = await barograph('open', '--no-open', '--profile', 'parrot', '--data-dir', data);
    const other = await openLink(opened.replace('ready ', '').trim());
    await expect
      .poll(async () => (await other.call('state.snapshot')).connection.refused)
      .toEqual(saying(/\[hidden\]/));

    const answers = [link.received(), other.received()];
    for (const path of ['/', '/session', '/link', '/nothing', '/settings.json', '/run.json'])
      answers.push(await (await fetch(`${new URL(app.url).origin}${path}`)).text());
    for (const secret of [service.key, LIVE]) {
      expect(answers.filter((text) => holds(text, secret))).toEqual([]);
      expect(processesHolding(secret)).toEqual([]);
    }
    link.close();
    other.close();
  });

  test('is in no file and no printed line, while the app runs and afterwards', async () => {
    const leaks = () => [service.key, LIVE].flatMap((secret) => filesHolding(data, secret));
    expect(leaks()).toEqual([]);
    expect((await app.process.stop()).code, app.process.printed()).toBe(0);
    expect(leaks()).toEqual([]);
    const said = `${app.process.printed()}${JSON.stringify(printed)}`;
    for (const secret of [service.key, LIVE]) expect(holds(said, secret)).toBe(false);
  });

  test('moves to a passphrase and back, and is described without its text', async () => {
    const passphrase = { BAROGRAPH_PASSPHRASE: 'correct horse' };
    const move = (to: string) =>
      runWithInput('barograph', ['profiles', 'key', 'move', 'desk', '--to', to, '--data-dir', data], '', {
        ...bus(),
        ...passphrase,
      });
    expect(await move('passphrase')).toMatchObject({ code: 0, err: '' });
    expect((await profiles(['key', 'show', 'desk'])).out).toMatch(
      /^tier\ta file encrypted with a passphrase\nprefix\tsvc_test_\n/,
    );
    expect(filesHolding(data, service.key)).toEqual([]);
    expect(await move('keychain')).toMatchObject({ code: 0, err: '' });
    expect((await profiles(['key', 'show', 'desk'])).out).toMatch(/^tier\tthe system's keychain /);
  });

  test('without a keychain the app names the tier of the key and its error; it tries no other tier and does not connect', async () => {
    const savedAddress = process.env.DBUS_SESSION_BUS_ADDRESS;
    process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nowhere/bus';
    try {
      app = await startApp({ dataDir: data });
    } finally {
      process.env.DBUS_SESSION_BUS_ADDRESS = savedAddress;
    }
    const link = await openLink(app.url);
    await expect
      .poll(async () => await link.call('key.state'))
      .toMatchObject({
        status: 'failed',
        tier: 'keychain',
        tier_label: { code: 'tier.keychain', values: { platform: 'linux' } },
        ending: null,
      });
    const { connection } = await link.call('state.snapshot');
    expect(connection.refused).toEqual(saying(/^The system's keychain \(Secret Service\) cannot be used: .*\.$/));
    expect(app.process.printed()).toContain("desk: The system's keychain (Secret Service) cannot be used: ");
    link.close();
    await app.process.stop();
  });

  test('is deleted when it is forgotten', async () => {
    expect((await profiles(['key', 'forget', 'desk'])).out).toBe('The key of desk was deleted from this computer.\n');
    expect((await profiles(['key', 'forget', 'desk'])).out).toMatch(/^There was no key of desk in the system/);
  });
});
