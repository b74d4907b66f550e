// Test: keys and tokens reach no log, child process or message; wrong arguments are one line.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
import { message } from '../../shared/text/message.ts';
import { createSessionVault } from '../core/keys/session-vault.ts';
import { exitCodeOf } from './command-line.ts';
import { createLogger, ofProfile } from './logger.ts';
import { cleanEnvironment, takeKeyFromEnvironment, withoutSecrets } from './secrets.ts';
import { watchForSleep } from './sleep-watch.ts';
import { parseStartFlags } from './start-flags.ts';

const KEY = 'svc_live_0123456789abcdefABCDEF';

test('BAROGRAPH_KEY is read once and removed from the environment', () => {
  const environment: NodeJS.ProcessEnv = { BAROGRAPH_KEY: ` ${KEY}\n`, HOME: '/home/a' };
  expect(takeKeyFromEnvironment(environment)).toBe(KEY);
  expect(environment).toEqual({ HOME: '/home/a' });
  expect(takeKeyFromEnvironment(environment)).toBeNull();
});

test('children inherit no key and no option of Node or Electron', () => {
  const environment = { BAROGRAPH_KEY: KEY, NODE_OPTIONS: '--require x', ELECTRON_RUN_AS_NODE: '1', PATH: '/bin' };
  expect(cleanEnvironment(environment)).toEqual({ PATH: '/bin' });
});

test('a key is hidden anywhere in a text', () => {
  const text = `GET /x key=${KEY} {"x-api-key":"${KEY}"} Authorization: Bearer abcdefghij0123456789`;
  expect(withoutSecrets(text)).not.toMatch(/0123456789/);
  expect(withoutSecrets(text)).toContain('svc_live_[hidden]');
  expect(withoutSecrets('no keys here, svc_ is a prefix')).toBe('no keys here, svc_ is a prefix');
});

test('the log is private, warns the user in plain words, and holds no key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'barograph-log-'));
  const said: string[] = [];
  const logger = ofProfile(
    createLogger(folder, (line) => said.push(line)),
    'sandbox',
  );
  logger.info({ key: KEY, headers: { authorization: `Bearer ${KEY}` }, token: 'abc' }, `connected with ${KEY}`);
  logger.warn({ error: new Error(`401 for ${KEY}`) }, `The key ${KEY}\nis refused.`);
  const text = readFileSync(join(folder, 'barograph.log'), 'utf8');
  expect(text.trim().split('\n')).toHaveLength(2);
  expect(text).not.toContain('0123456789');
  expect(text).not.toContain('"abc"');
  expect(said).toEqual(['sandbox: The key svc_live_[hidden] is refused.']);
  expect((statSync(join(folder, 'barograph.log')).mode & 0o777).toString(8)).toBe('600');
  rmSync(folder, { recursive: true });
});

test('a debug log prints every line, without secrets, also the ones that nobody is warned of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'barograph-log-'));
  const said: string[] = [];
  createLogger(folder, (line) => said.push(line), 'debug').debug({ key: KEY, events: ['e1'] }, 'recorded');
  expect(said.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'recorded', events: ['e1'], key: '[hidden]' }]);
  createLogger(folder, (line) => said.push(line)).debug({}, 'recorded');
  expect(said).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

test('the session vault has the four verbs and describes itself', async () => {
  const vault = createSessionVault();
  expect(vault.tier).toEqual(message('tier.session'));
  await vault.setPassword('sandbox', 'api-key', 'a');
  await vault.setPassword('sandbox', 'other', 'b');
  expect(await vault.getPassword('sandbox', 'api-key')).toBe('a');
  expect(await vault.getPassword('production', 'api-key')).toBeNull();
  expect(await vault.findCredentials('sandbox')).toEqual([
    { account: 'api-key', password: 'a' },
    { account: 'other', password: 'b' },
  ]);
  expect(await vault.deletePassword('sandbox', 'api-key')).toBe(true);
  expect(await vault.deletePassword('sandbox', 'api-key')).toBe(false);
});

test('flags of npm start', () => {
  const flags = parseStartFlags([
    '--shell',
    'node',
    '--no-open',
    '--port',
    '0',
    '--data-dir',
    '/tmp/x',
    '--profile',
    'a',
  ]);
  expect(flags).toEqual({
    shell: 'node',
    open: false,
    hidden: false,
    port: 0,
    dataFolder: '/tmp/x',
    profile: 'a',
    feed: null,
    switches: [],
  });
  expect(parseStartFlags([])).toMatchObject({ shell: null, open: true, port: null, profile: null });
});

test('switches of Chromium for display, input, language and proxy are passed on, in any place', () => {
  const switches = [
    '--disable-gpu',
    '--ozone-platform-hint=auto',
    '--lang=de',
    '--proxy-server=http://proxy.example:3128',
  ];
  const flags = parseStartFlags(['--disable-gpu', '--profile', 'a', ...switches.slice(1), '--hidden']);
  expect(flags).toMatchObject({ switches, profile: 'a', hidden: true });
});

test.each([
  '--no-sandbox',
  '--disable-gpu-sandbox',
  '--single-process',
  '--disable-web-security',
  '--ignore-certificate-errors',
  '--disable-features=IsolateOrigins',
  '--load-extension=/tmp/x',
  '--remote-debugging-port=9222',
  '--inspect',
  '--js-flags=--expose-gc',
  '--user-data-dir=/tmp/x',
  '--log-net-log=/tmp/x',
  '--host-resolver-rules=MAP * 127.0.0.1',
  '--disable-gpux',
  '--lang de',
])('no other switch of Chromium starts the app: %s', (given) => {
  expect(() => parseStartFlags(given.split(' '))).toThrow(/unknown option|too many arguments/);
});

test.each([
  [['--shell', 'tk'], /^npm start: --shell is node or electron\.$/],
  [['--port', '65536'], /--port is a whole number from 0 to 65535/],
  [['--port', '-1'], /--port/],
  [['--port', '6000'], /--port: port 6000 belongs to another protocol, so browsers.*Give another\.$/],
  [['--port'], /argument missing/],
  [['--data-dir', ''], /--data-dir/],
  [['--zzz'], /unknown option '--zzz'\. Try --help\./],
  [['file'], /too many arguments/],
])('%j is one line and exit code 2', async (argv, message) => {
  const said: string[] = [];
  const code = await exitCodeOf(
    'npm start',
    async () => Number(parseStartFlags(argv) === undefined),
    (line) => said.push(line),
  );
  expect(code).toBe(2);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(message);
  expect(said[0]).not.toContain('\n');
});

test('a sleep, a clock that was set back, and a computer without time for Barograph are told apart, each once', () => {
  let [now, up] = [0, 0];
  let tick: () => void = () => undefined;
  const clock = createClock<number>({
    now: () => now,
    setTimeout: (job) => {
      tick = job;
      return 0;
    },
    clearTimeout: () => undefined,
  });
  const jumps: string[] = [];
  const stop = watchForSleep(
    clock,
    (reason) => void jumps.push(reason),
    () => up,
  );
  const pass = (wall: number, awake: number): void => {
    now += wall;
    up += awake;
    tick();
  };
  for (const step of [2_000, 2_400, 9_000, 2_000]) pass(step, step);
  expect(jumps).toEqual([]);
  pass(3_600_000, 2_000);
  pass(-86_400_000, 2_000);
  // The computer was awake, and had no time for this program.
  pass(40_000, 40_000);
  expect(jumps).toEqual(['clock', 'clock', 'held_up']);
  pass(2_000, 2_000);
  expect(jumps).toHaveLength(3);
  stop();
});
