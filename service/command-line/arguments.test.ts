// Service, test: the flags of the command line.
import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '), '1.2.3');

test('no flags: the sandbox with seed 7 on port 8787 in real time', () => {
  expect(read('')).toMatchObject({
    ok: true,
    value: { env: 'sandbox', seed: 7, port: 8787, time: { start: null, speed: 1 }, db: null, key: null },
  });
});

test('the flags of both environments', () => {
  expect(
    read(
      '--env sandbox --port 0 --seed 42 --clock 2026-03-02,x60 --key svc_test_0123456789abcdef --db a.db --symbols 200 --rate 50',
    ),
  ).toMatchObject({
    ok: true,
    value: {
      port: 0,
      seed: 42,
      time: { start: Date.UTC(2026, 2, 2), speed: 60 },
      key: 'svc_test_0123456789abcdef',
      db: 'a.db',
      symbols: 200,
      rate: 50,
    },
  });
  expect(
    read('--env production --prices p --clock 2020-02-14,x3600 --data-dir d --public-url https://risk.example.com/'),
  ).toMatchObject({
    ok: true,
    value: { env: 'production', prices: 'p', dataDir: 'd', publicUrl: 'https://risk.example.com' },
  });
});

test('a model of one’s own, in either environment', () => {
  expect(read('')).toMatchObject({ value: { model: null } });
  expect(read('--model m.json')).toMatchObject({ value: { env: 'sandbox', model: 'm.json' } });
  expect(read('--env production --prices p --model m.json')).toMatchObject({ value: { model: 'm.json' } });
});

test('plans, limits and the dashboard', () => {
  expect(read('')).toMatchObject({
    value: { plan: 'pro', hardCap: false, enforceLimits: false, metricsByApiKey: false, dashboardPort: null },
  });
  expect(read('--plan desk --hard-cap --enforce-limits --metrics-by-api-key --dashboard-port 0')).toMatchObject({
    ok: true,
    value: { plan: 'desk', hardCap: true, enforceLimits: true, metricsByApiKey: true, dashboardPort: 0 },
  });
  expect(read('--dashboard-port 0')).toMatchObject({ value: { dashboardOpen: false, dashboardScopes: null } });
  expect(
    read(
      '--dashboard-port 0 --dashboard-host 0.0.0.0 --dashboard-url https://desk.example/ --dashboard-scopes trigger,read',
    ),
  ).toMatchObject({
    value: { dashboardHost: '0.0.0.0', dashboardUrl: 'https://desk.example', dashboardScopes: ['read', 'trigger'] },
  });
  expect(read('--dashboard-port 0 --dashboard-open --dashboard-host 127.0.0.2')).toMatchObject({
    value: { dashboardOpen: true },
  });
  expect(read('--env production --prices p --plan institutional --hard-cap')).toMatchObject({
    value: { plan: 'institutional', hardCap: true },
  });
});

test('where metrics are scraped', () => {
  expect(read('')).toMatchObject({ value: { metrics: null } });
  expect(read('--metrics 9464')).toMatchObject({ value: { metrics: { host: '127.0.0.1', port: 9464 } } });
  expect(read('--metrics [::]:0')).toMatchObject({ value: { metrics: { host: '::', port: 0 } } });
  expect(read('--listen 127.0.0.2:9464 --metrics 9464')).toMatchObject({ ok: true });
});

test('listen addresses, TLS, trusted proxies and the drain time', () => {
  expect(read('')).toMatchObject({
    value: { network: { host: null, tls: null, trusts: null, allowedHosts: [], drain: null } },
  });
  expect(
    read(
      '--listen 0.0.0.0:8443 --tls-cert c --tls-key k --allowed-host Desk.Example --allowed-host risk:8443 --drain 30',
    ),
  ).toMatchObject({
    value: {
      port: 8443,
      network: {
        host: '0.0.0.0',
        tls: { cert: 'c', key: 'k' },
        allowedHosts: ['desk.example', 'risk:8443'],
        drain: 30,
      },
    },
  });
  expect(read('--listen [::1]:0')).toMatchObject({ value: { port: 0, network: { host: '::1' } } });
  expect(read('--listen 127.0.0.2:8787 --port 8787')).toMatchObject({ ok: true, value: { port: 8787 } });
  const proxied = read('--listen [::]:8787 --trusted-proxy 10.0.0.4,fd00::/8');
  const trusts = proxied.ok ? proxied.value.network.trusts : null;
  expect(
    ['10.0.0.4', '::ffff:10.0.0.4', '10.0.0.5', 'fd12::1', 'fe80::1', 'nonsense'].map((one) => trusts?.(one)),
  ).toEqual([true, true, false, true, false, false]);
});

test.each([
  ['--plan gold', /--plan/],
  ['--dashboard-port x', /--dashboard-port/],
  ['--dashboard-open', /--dashboard-open needs --dashboard-port/],
  ['--dashboard-host h', /--dashboard-host needs --dashboard-port/],
  ['--dashboard-port 0 --dashboard-host desk:80', /--dashboard-host/],
  ['--dashboard-port 0 --dashboard-url desk', /--dashboard-url/],
  ['--dashboard-port 0 --dashboard-scopes all', /--dashboard-scopes/],
  ['--dashboard-port 0 --dashboard-url https://desk.example/?a=b', /--dashboard-url/],
  ['--public-url https://user:secret@risk.example', /--public-url/],
  ['--public-url https://risk.example/#here', /--public-url/],
  ['--dashboard-port 0 --dashboard-open --dashboard-host 0.0.0.0', /programs of this computer/],
  ['--dashboard-port 0 --dashboard-open --dashboard-url https://desk.example', /--dashboard-url names an address/],
  ['--dashboard-port 0 --dashboard-open --dashboard-url http://127.0.0.1:9', /--dashboard-url names an address/],
  ['--env production --prices p --enforce-limits', /--enforce-limits belongs to --env sandbox/],
  ['--port 70000', /--port/],
  ['--listen 8443', /--listen.*IP address and a port/],
  ['--listen localhost:8443', /--listen/],
  ['--listen ::1:8443', /--listen/],
  ['--listen [10.0.0.1]:8443', /--listen/],
  ['--listen [fe80::1%eth0]:8443', /--listen/],
  ['--listen 10.0.0.256:8443', /--listen/],
  ['--listen 127.0.0.1:65536', /--listen/],
  ['--listen 127.0.0.1:', /--listen/],
  ['--listen 0.0.0.0:8443', /--listen 0\.0\.0\.0 needs TLS.*--tls-cert.*--trusted-proxy/],
  ['--listen [::]:8443 --allowed-host desk.example', /plain http/],
  ['--listen 127.0.0.1:8443 --port 8787', /--listen 127\.0\.0\.1:8443 and --port 8787 name two ports/],
  ['--listen 0.0.0.0:8443 --tls-cert c', /--tls-cert needs --tls-key/],
  ['--tls-key k', /--tls-key needs --tls-cert/],
  ['--trusted-proxy nginx', /--trusted-proxy/],
  ['--trusted-proxy 10.0.0.1/33', /--trusted-proxy/],
  ['--trusted-proxy 10.0.0.1,', /--trusted-proxy/],
  ['--trusted-proxy 0.0.0.0/0', /every address there is/],
  ['--trusted-proxy ::/0', /every address there is/],
  ['--allowed-host https://desk.example', /--allowed-host/],
  ['--allowed-host *', /--allowed-host/],
  ['--allowed-host desk.example/path', /--allowed-host/],
  ['--allowed-host desk.example:99999', /--allowed-host/],
  ['--drain 2', /--drain.*from 3 to 600/],
  ['--drain soon', /--drain/],
  ['--metrics localhost:9464', /--metrics/],
  ['--metrics 70000', /--metrics/],
  ['--metrics x', /--metrics/],
  ['--port 9464 --metrics 9464', /--metrics 9464 is the port of the service/],
  ['--port -1', /--port/],
  ['--port 80x', /--port/],
  ['--seed 1.5', /--seed/],
  ['--seed', /--seed/],
  ['--env staging', /--env/],
  ['--clock yesterday', /--clock/],
  ['--clock 2026-03-02,60', /x60/],
  ['--clock 2026-03-02T10:00:00', /--clock/],
  ['--key svc_test_short', /--key/],
  ['--key svc_live_0123456789abcdef', /--key/],
  ['--colour blue', /--colour/],
  ['extra', /argument/],
  ['--env production', /--feed binance .* or --prices DIR/],
  ['--feed binance', /--feed belongs to --env production/],
  ['--env production --feed acme', /There is binance/],
  ['--env production --feed binance --prices p', /both say where prices come from/],
  ['--env production --feed binance --clock 2020-02-14,x60', /--feed brings the prices of today/],
  ['--env production --prices p --feed-symbols BTC', /--feed-symbols needs --feed/],
  ['--env production --feed binance --feed-symbols /no/such.txt', /such\.txt cannot be read/],
  ['--env production --feed binance --feed-host rest=ftp://x', /must be like rest=https/],
  ['--env production --prices p --seed 7', /--seed belongs to --env sandbox/],
  ['--env production --prices p --key svc_test_0123456789abcdef', /sandbox only/],
  ['--prices p', /--prices belongs to --env production/],
  ['--public-url ftp://x', /--public-url/],
  ['--feeds f', /--feeds belongs to --env production/],
  ['--env production --prices p --feeds f --clock 2020-02-14,x60', /--feeds brings the news of today/],
  ['--symbols 0', /--symbols/],
  ['--rate 0', /--rate/],
])('%s is refused with exit code 2 and one line that names the flag', (line, names) => {
  const result = read(line);
  if (result.ok) throw new Error('it was accepted');
  expect(result.error.exitCode).toBe(2);
  expect(result.error.text).toMatch(names);
  expect(result.error.text).toMatch(/^[^\n]+\n$/);
});

test('a refusal does not repeat the key', () => {
  const result = read('--key svc_live_verysecretverysecret');
  expect(result.ok ? '' : result.error.text).not.toContain('verysecret');
});

test.each(['barograph:SECRET@db/barograph', 'postgress://barograph:SECRET@db/barograph', ''])(
  'a refusal does not repeat the address of the database: %j',
  (given) => {
    for (const argv of [['--cluster', given], [`--cluster=${given}`]])
      expect(readArguments(argv, '1.2.3')).toEqual({
        ok: false,
        error: {
          exitCode: 2,
          text: '--cluster takes an address like postgres://user@host/database (--help lists the flags)\n',
        },
      });
  },
);

test('--help and --version are not errors', () => {
  for (const flag of ['--help', '--version']) expect(read(flag)).toMatchObject({ ok: false, error: { exitCode: 0 } });
  const version = read('--version');
  expect(version.ok ? '' : version.error.text).toBe('1.2.3\n');
});

test('only the sandbox accepts scenarios', () => {
  expect(read('')).toMatchObject({ value: { scenario: null } });
  for (const name of ['burst', 'flap', 'crash', 'throttle'])
    expect(read(`--scenario ${name}`)).toMatchObject({ ok: true, value: { scenario: name } });
  const unknown = read('--scenario storm');
  expect(unknown).toMatchObject({ ok: false, error: { exitCode: 2 } });
  expect(unknown.ok ? '' : unknown.error.text).toMatch(/^[^\n]*burst, flap, crash, throttle[^\n]*\n$/);
  expect(read('--env production --prices p --scenario flap')).toMatchObject({ ok: false, error: { exitCode: 2 } });
});

test('only production accepts feeds; both environments accept editorials', () => {
  expect(read('--editorial e')).toMatchObject({ value: { editorial: 'e', feeds: null } });
  expect(read('--env production --prices p --feeds f --editorial e')).toMatchObject({
    value: { editorial: 'e', feeds: 'f' },
  });
});

test('live prices: a vendor, what it follows, and other addresses of it', () => {
  expect(
    read(
      '--env production --feed binance --feed-symbols btc,ETH,btc --feed-host rest=http://a:1/ --feed-host stream=ws://b:2',
    ),
  ).toMatchObject({
    ok: true,
    value: {
      feed: 'binance',
      feedSymbols: ['BTC', 'ETH'],
      feedHost: { rest: 'http://a:1', stream: 'ws://b:2' },
      prices: null,
    },
  });
});
