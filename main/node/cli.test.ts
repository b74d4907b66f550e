// Test: the command line: errors are one line and exit code 2; profiles, compute and trigger work.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { runVerb as run } from '../../test/harness/verb-run.ts';
import { SettingsSchema } from '../core/profiles/settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const here = (): string[] => ['--data-dir', folder];

test.each([
  [[], /^barograph: a command is needed\. --help lists them\.$/],
  [['profiles'], /a command is needed/],
  [['nope'], /unknown command 'nope'/],
  [['open', '--data-dir', '/nowhere'], /^barograph: Barograph does not run in \/nowhere\. Start it: npm start$/],
  [['trigger'], /Give the name of an event, or --fixture/],
  [['trigger', 'signal.normal', '--fixture', 'x.json'], /Give the name of an event, or --fixture/],
  [['trigger', '--fixture', '/nowhere.json'], /--fixture \/nowhere\.json: ENOENT/],
  [['trigger', 'signal.created', '--symbol', 'SPY', '--state', 'red'], /--state red: must be normal, elevated/],
  [['trigger', 'signal.created', '--symbol', 'SPY', '--confidence', '101'], /--confidence 101: must be a number/],
  [['trigger', 'signal.created', '--symbol', 'SPY', '--confidence', 'x'], /--confidence x: must be a number/],
  [['trigger', 'signal.sideways'], /signal\.sideways is no event that can be triggered\. Give one of signal\.normal, /],
  [['trigger', 'signal.high_risk', '--symbol', 'S P Y'], /--symbol S P Y: this is no symbol/],
  [
    ['trigger', 'signal.high_risk', '--symbol', 'SPY', '--data-dir', '/nowhere'],
    /No app with a sandbox runs in \/nowhere/,
  ],
  [['trigger', 'signal.high_risk', '--url', 'ftp://x'], /--url ftp:\/\/x: must be an http or https address/],
  [['trigger', 'signal.high_risk', '--key', 'svc_live_0123456789abcdef'], /--key takes svc_test_ keys only/],
  [['replay', '--from', '2026-03-01'], /required option '--subscription <id>' not specified/],
  [['replay', '--subscription', 'all'], /required option '--from <moment>' not specified/],
  [['replay', '--subscription', 'all', '--from', 'yesterday'], /--from yesterday: it must be an ISO 8601 date/],
  [
    ['replay', '--subscription', 'all', '--from', '2026-03-01', '--to', '2026-03-01T10:00'],
    /--to 2026-03-01T10:00: it must be/,
  ],
  [
    ['replay', '--subscription', 'all', '--from', '2026-03-01', '--data-dir', '/nowhere'],
    /No app with a sandbox runs in \/nowhere/,
  ],
  [
    ['doctor', '--profile', 'nope', '--data-dir', '/nowhere'],
    /^barograph: --profile nope: there is no such profile\. Profiles: sandbox\.$/,
  ],
  [['conformance'], /conformance needs the address of a service, or --feed NAME/],
  [['conformance', 'risk.example'], /URL risk\.example: must be an http or https address/],
  [
    ['conformance', 'http://127.0.0.1:9', '--key', 'svc_live_0123456789abcdef'],
    /--key takes svc_test_ keys only.* goes into BAROGRAPH_KEY/,
  ],
  [['conformance', 'http://127.0.0.1:9', '--only', 'no-such-check'], /--only no-such-check: there is no such check/],
  [['conformance', 'http://127.0.0.1:9', '--dashboard', 'x'], /--dashboard x: must be an http or https address/],
  [['compute'], /required option '--prices <folder>' not specified/],
  [['keys'], /a command is needed/],
  [['keys', 'list', '--data-dir', '/nowhere'], /There is no store of a service in \/nowhere/],
  [['keys', 'list', '--db', '/nowhere.db'], /There is no store at \/nowhere\.db/],
  [['keys', 'issue', '--plan', 'gold'], /--plan gold: it must be one of pro, desk, institutional/],
  [['keys', 'issue', '--scope', 'write'], /--scope write: it must be one of read, webhooks/],
  [['keys', 'issue', '--account', 'a b'], /--account takes/],
  [['keys', 'issue', '--contract', 'burst=5'], /--contract belongs to --plan institutional/],
  [
    ['keys', 'issue', '--plan', 'institutional', '--contract', 'burst=many'],
    /--contract burst=many: it must be like monthly=/,
  ],
  [
    ['keys', 'issue', '--plan', 'institutional', '--contract', 'depth=5'],
    /--contract depth=5: it must be like monthly=/,
  ],
  [['keys', 'rotate', 'key_1', '--overlap', 'soon'], /--overlap soon: it must be like 0, 90s/],
  [['keys', 'rotate', 'key_1', '--overlap', '400d'], /--overlap 400d: it must be like/],
  [['keys', 'rotate'], /missing required argument 'id'/],
  [['profiles', 'key'], /a command is needed/],
  [
    ['profiles', 'key', 'set', 'desk', 'svc_live_0123456789abcdef'],
    /too many arguments for 'set'.* svc_live_\[hidden\]/,
  ],
  [['profiles', 'key', 'move', 'desk'], /required option '--to <tier>'/],
  [['profiles', 'key', 'set', 'desk', '--keep', 'drawer'], /--keep drawer: it must be keychain or passphrase/],
  [['profiles', 'key', 'move', 'desk', '--to', 'session'], /BAROGRAPH_KEY/],
  [['compute', '--prices', '/nowhere'], /--prices \/nowhere: this is not a folder/],
])('%j', async (args, pattern) => {
  const { code, out, err } = await run(...args);
  expect(code).toBe(2);
  expect(out).toBe('');
  expect(err.trim()).toMatch(pattern);
  expect(err.trim()).not.toContain('\n');
  expect(err).not.toContain('0123456789abcdef');
});

test('as a process it ends with that code, also when its reader closes early', { tags: ['long'] }, async () => {
  const cli = join(import.meta.dirname, 'cli.ts');
  const wrong = await new Promise<unknown>((resolve) =>
    execFile(process.execPath, [cli, 'nope'], (problem) => resolve(problem?.code)),
  );
  expect(wrong).toBe(2);
  const help = await new Promise<string>((resolve) =>
    execFile('sh', ['-c', `"${process.execPath}" "${cli}" --help | head -1`], (_problem, out) => resolve(out)),
  );
  expect(help).toBe('Usage: barograph [options] [command]\n');
});

test('--help exits with 0', async () => {
  const { code, out, err } = await run('--help');
  expect([code, err]).toEqual([0, '']);
  for (const verb of ['open', 'trigger', 'compute', 'keys', 'profiles']) expect(out).toContain(verb);
});

test('--version names the version of the package', async () => {
  expect(await run('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
});

describe('profiles', () => {
  const settings = () => SettingsSchema.parse(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')));

  test('the state map of a service is added, changed, listed and removed', async () => {
    const desk = ['desk', '--env', 'sandbox', '--url', 'http://127.0.0.1:8787'];
    await run('profiles', 'add', ...desk, '--states', '1=High Risk, green = Normal', ...here());
    expect(settings().profiles.at(-1)?.states).toEqual({ 1: 'high_risk', green: 'normal' });
    expect((await run('profiles', 'list', ...here())).out).toContain('on\t1 = High Risk, green = Normal');
    const changed = await run('profiles', 'states', 'desk', '3 = High Risk', ...here());
    expect(changed.out).toMatch(
      /^desk reads states as 3 = High Risk\. What is recorded under a word that was not known is read again\./,
    );
    expect(settings().profiles.map(({ states }) => states)).toEqual([undefined, { 3: 'high_risk' }]);
    expect((await run('profiles', 'states', 'desk', 'default', ...here())).code).toBe(0);
    expect(settings().profiles.at(-1)).not.toHaveProperty('states');
    for (const [args, said] of [
      [['states', 'desk', '1=red'], /STATES: "1=red" is no pair/],
      [['states', 'nope', '1=normal'], /There is no profile nope\. Profiles: sandbox, desk\./],
      [['add', 'other', ...desk.slice(1), '--states', ''], /--states: It needs at least one/],
    ] as const) {
      const { code, err } = await run('profiles', ...args, ...here());
      expect([code, err]).toEqual([2, expect.stringMatching(said)]);
    }
  });

  test('trust allows a service without a proof until it gives one, but no program of another user', async () => {
    await run('profiles', 'add', 'desk', '--env', 'sandbox', '--url', 'http://127.0.0.1:8787/v1', ...here());
    const { code, out } = await run('profiles', 'trust', 'desk', ...here());
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/unless that is known to be another user's program\..*proves/),
    ]);
    expect(settings().profiles.at(-1)?.peer).toEqual({ address: 'http://127.0.0.1:8787', trust: 'user' });
  });

  test('are added, listed and removed', async () => {
    const add = await run(
      'profiles',
      'add',
      'desk',
      '--env',
      'production',
      '--url',
      'https://signals.example/v1',
      ...here(),
    );
    expect(add).toEqual({ code: 0, out: 'desk is added.\n', err: '' });
    expect(settings().profiles.at(-1)).toEqual({
      name: 'desk',
      environment: 'production',
      baseUrl: 'https://signals.example/v1',
      mode: 'auto',
      enabled: true,
    });
    expect((await run('profiles', 'list', ...here())).out.split('\n')[1]).toBe(
      'desk\tproduction\thttps://signals.example/v1\tauto\ton',
    );
    expect((await run('profiles', 'remove', 'desk', ...here())).code).toBe(0);
    expect(settings().profiles.map(({ name }) => name)).toEqual(['sandbox']);
  });

  test.each([
    [['add', 'Desk', '--env', 'sandbox'], /NAME: lower-case letters/],
    [['add', 'desk', '--env', 'staging'], /--env: /],
    [['add', 'desk', '--env', 'production'], /A production profile needs --url/],
    [['add', 'desk', '--env', 'production', '--url', 'signals.example'], /--url: /],
    [['add', 'desk', '--env', 'sandbox', '--mode', 'cookie'], /--mode: /],
    [['add', 'sandbox', '--env', 'sandbox'], /There is a profile sandbox already/],
    [['remove', 'desk'], /There is no profile desk\. Profiles: sandbox\./],
    [['remove', 'sandbox'], /sandbox is the only profile/],
  ])('%j is refused and changes nothing', async (args, pattern) => {
    const { code, err } = await run('profiles', ...args, ...here());
    expect(code).toBe(2);
    expect(err).toMatch(pattern);
    expect((await run('profiles', 'list', ...here())).out.trim().split('\n')).toHaveLength(1);
  });
});

describe('compute', () => {
  test('prints one JSON line per symbol and bar, oldest first', async () => {
    const prices = join(folder, 'prices');
    mkdirSync(prices);
    const days = Array.from({ length: 40 }, (_, day) =>
      new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const rows = days.flatMap((day, index) =>
      ['AAA', 'BBB'].map((symbol) => `${symbol},${day},1,1,1,${100 + index},1000`),
    );
    writeFileSync(
      join(prices, 'all.csv'),
      `symbol,date,open,high,low,close,volume\n${rows.join('\n').replaceAll(',1,1,1,', ',100,200,50,')}\n`,
    );
    const { code, out } = await run('compute', '--prices', prices, '--symbol', 'bbb', ...here());
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ date }) => date)).toEqual(days);
    for (const line of lines)
      expect(Object.keys(line).sort()).toEqual(['confidence', 'date', 'p', 'powers', 'regime', 'state', 'symbol']);
  });

  test('recognises a split, reports it, and adjusts the prices before it', async () => {
    const prices = join(folder, 'split');
    mkdirSync(prices);
    const rows = Array.from({ length: 60 }, (_, day) => {
      const price = (100 + Math.sin(day)) / (day < 57 ? 1 : 4);
      const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
      return `AAA,${date},${price},${price * 1.01},${price * 0.99},${price},${day < 57 ? 1000 : 4000}`;
    });
    writeFileSync(join(prices, 'all.csv'), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
    const { code, out, err } = await run('compute', '--prices', prices, ...here());
    expect([code, out.trim().split('\n').length]).toEqual([0, 60]);
    expect(err).toMatch(
      /^all\.csv:59: AAA 2024-02-27: close .* looks like a split 4:1 .*; the prices before it are adjusted/m,
    );
  });
});

test('a report is printed, or written to a new private file', async () => {
  const printed = await run('report', ...here());
  expect(printed).toMatchObject({ code: 0, err: '' });
  expect(printed.out).toContain('# Problem report of Barograph');
  const out = join(folder, 'report.md');
  expect(await run('report', '--out', out, ...here())).toMatchObject({ code: 0, err: '' });
  expect((statSync(out).mode & 0o777).toString(8)).toBe('600');
  expect(await run('report', '--out', out, ...here())).toMatchObject({ code: 2, out: '' });
});

test('the key of an unknown profile', async () => {
  const { code, err } = await run('profiles', 'key', 'show', 'nobody', ...here());
  expect({ code, err }).toEqual({ code: 2, err: 'barograph: There is no profile nobody. Profiles: sandbox.\n' });
});

describe('trigger', () => {
  let server: Server;
  let url: string;
  let requests: { path: string | undefined; key: string | string[] | undefined; body: string }[];
  let reply: { status: number; body: string };
  let busy: number;
  beforeEach(async () => {
    requests = [];
    busy = 0;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        if (request.url?.startsWith('/proof') !== true)
          requests.push({ path: request.url, key: request.headers['x-api-key'], body });
        if (busy-- > 0)
          response.writeHead(503, { 'retry-after': '0' }).end('{"code":"temporarily_unavailable","message":"Busy."}');
        else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());

  test('calls the named service with the given key', async () => {
    reply = { status: 200, body: '{"data": []}' };
    const key = 'svc_test_0123456789abcdef';
    expect(await run('trigger', 'signal.high_risk', '--symbol', 'spy', '--url', `${url}/`, '--key', key)).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(requests).toEqual([{ path: '/sandbox/trigger', key, body: '{"event":"signal.high_risk","symbol":"SPY"}' }]);
  });

  test('sends overrides, and the events of a file in order; a wrong entry sends nothing', async () => {
    reply = { status: 200, body: '{"data": []}' };
    const to = ['--url', url];
    const overrides = ['--state', 'High Risk', '--confidence', '83.3', '--note', 'A rehearsal.'];
    await run('trigger', 'signal.created', '--symbol', 'spy', ...overrides, ...to);
    const file = join(folder, 'events.json');
    const entries = [
      { event: 'signal.high_risk', confidence: 5 },
      { event: 'regime.flip', symbol: 'QQQ' },
    ];
    writeFileSync(file, JSON.stringify(entries));
    expect((await run('trigger', '--fixture', file, '--symbol', 'SPY', ...to)).code).toBe(0);
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([
      { event: 'signal.created', symbol: 'SPY', state: 2, confidence: 83.3, note: 'A rehearsal.' },
      { event: 'signal.high_risk', symbol: 'SPY', confidence: 5 },
      { event: 'regime.flip', symbol: 'QQQ' },
    ]);
    for (const [wrong, said] of [
      [[...entries, { event: 'regime.flop' }], /entry 3: regime\.flop is no event/],
      [[{ event: 'model.version', price: 1 }], /entry 1: price: an event to trigger has only event, symbol/],
      [{ event: 'model.version' }, /must be a list like/],
    ] as const) {
      writeFileSync(file, JSON.stringify(wrong));
      const { code, err } = await run('trigger', '--fixture', file, ...to);
      expect([code, err]).toEqual([2, expect.stringMatching(said)]);
    }
    expect(requests).toHaveLength(3);
  });

  test('prints the refusal of the service', async () => {
    reply = { status: 401, body: JSON.stringify({ code: 'unauthorized', message: 'This needs a key.', doc_url: 'x' }) };
    expect(await run('trigger', 'signal.high_risk', '--symbol', 'SPY', '--url', url)).toEqual({
      code: 1,
      out: '',
      err: 'barograph: The service refused: This needs a key. (unauthorized)\n',
    });
    reply = { status: 502, body: '<html>\n<h1>Bad Gateway</h1>' };
    expect((await run('trigger', 'signal.high_risk', '--symbol', 'SPY', '--url', url)).err).toBe(
      'barograph: The service answered 502.\n',
    );
  });

  test('a temporary refusal is retried a few times', async () => {
    reply = { status: 200, body: '{"data": []}' };
    busy = 3;
    expect((await run('trigger', 'model.version', '--url', url)).code).toBe(0);
    expect(requests).toHaveLength(4);
    busy = 100;
    expect((await run('trigger', 'model.version', '--url', url)).err).toBe(
      'barograph: The service refused: Busy. (temporarily_unavailable)\n',
    );
    expect(requests).toHaveLength(9);
  });

  test('a service that does not answer is reported', async () => {
    await new Promise((resolve) => server.close(resolve));
    const { code, err } = await run('trigger', 'signal.high_risk', '--symbol', 'SPY', '--url', url);
    expect(code).toBe(1);
    expect(err).toMatch(/^barograph: The service at 127\.0\.0\.1:\d+ does not answer \(nothing listens there\)\.\n$/);
    const blocked = await run('trigger', 'signal.high_risk', '--symbol', 'SPY', '--url', 'http://127.0.0.1:6666');
    expect(blocked.err).toContain('does not answer (port 6666 belongs to another protocol, so browsers, Electron and');
  });
});
