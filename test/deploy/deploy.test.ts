// Test: the files of deploy/ fit the service: the image has its imports, and the flags exist.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readArguments } from '../../service/command-line/arguments.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type RunningProcess, start, TOP } from '../harness/processes.ts';

const DEPLOY = join(TOP, 'deploy');
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');
const folder = temporaryFolder();
const running: RunningProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.kill()));
});
afterAll(() => folder.remove());

interface Compose {
  readonly services: Record<
    'service' | 'caddy',
    {
      command: string[];
      stop_grace_period?: string;
      networks: { inner: { ipv4_address: string } };
      read_only: boolean;
      cap_drop: string[];
    }
  >;
}
const compose = parse(read('compose.yml')) as Compose;
const flag = (flags: readonly string[], name: string): string | undefined =>
  flags.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);

test('what the image copies, with the packages of production, starts and becomes ready', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const image = join(folder.path, 'image');
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(copied).toContain('service');
  for (const name of copied)
    cpSync(join(TOP, name), join(image, name), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  const lock = JSON.parse(readFileSync(join(TOP, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    const isTop = path.startsWith('node_modules/') && path.lastIndexOf('node_modules/') === 0;
    if (!isTop || dev === true || devOptional === true || !existsSync(join(TOP, path))) continue;
    mkdirSync(dirname(join(image, path)), { recursive: true });
    symlinkSync(join(TOP, path), join(image, path));
  }
  expect(existsSync(join(image, 'node_modules/vitest'))).toBe(false);
  const service = start(process.execPath, [
    join(image, 'service/cli.ts'),
    ...['--symbols', '1', '--port', '0', '--metrics', '0', '--db', join(folder.path, 'service.db')],
  ]);
  running.push(service);
  const [, url = ''] = await service.line(/^ready (\S+)$/, 90_000);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
});

test('the image runs as another user than root, and writes to /data alone', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile.match(/^FROM /gm)).toHaveLength(2);
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^VOLUME \/data$/m);
  for (const { read_only, cap_drop } of Object.values(compose.services)) {
    expect(read_only).toBe(true);
    expect(cap_drop).toEqual(['ALL']);
  }
});

test('the flags of compose.yml are accepted, and fit the addresses and times beside them', () => {
  const { service, caddy } = compose.services;
  const flags = service.command.map((one) => one.replace(/\$\{BAROGRAPH_HOST:-localhost\}/, 'desk.example'));
  expect(readArguments(flags, '1.2.3')).toMatchObject({ ok: true });
  expect(flag(flags, 'trusted-proxy')).toBe(caddy.networks.inner.ipv4_address);
  expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(Number(flag(flags, 'drain')));
  expect(read('Caddyfile')).toContain(`service:${flag(flags, 'listen')?.split(':')[1]}`);
});

test('the flags of compose.cluster.yml are accepted by every node, and its balancer knows them all', () => {
  const { services } = parse(read('compose.cluster.yml')) as {
    services: Record<string, { command?: string[]; environment: Record<string, string>; read_only?: boolean }>;
  };
  const nodes = Object.entries(services).filter(([name]) => name.startsWith('node'));
  expect(nodes).toHaveLength(3);
  for (const [, { command = [], environment, read_only }] of nodes) {
    const flags = command.map((one) => one.replace(/\$\{BAROGRAPH_HOST:-localhost\}/, 'desk.example'));
    expect(readArguments([...flags, '--cluster=postgres://postgres/barograph'], '1.2.3')).toMatchObject({ ok: true });
    expect(environment.BAROGRAPH_CLUSTER).toMatch(/^postgres:\/\/barograph:.*@postgres\/barograph$/);
    expect(read_only).toBe(true);
    expect(flags.filter((one) => one.startsWith('--allowed-host='))).toEqual(
      nodes.map(([name]) => `--allowed-host=${name}`),
    );
    const port = flag(flags, 'listen')?.split(':')[1];
    expect(services.caddy?.environment.BAROGRAPH_SERVICE).toBe(nodes.map(([name]) => `${name}:${port}`).join(' '));
  }
});

interface Container {
  readonly command?: string[];
  readonly tmpfs?: string[];
  readonly volumes?: string[];
}
/** What a container may write to, with its mount options; "" where the image's folder decides, as in a volume. */
function writableMounts({ tmpfs = [], volumes = [] }: Container): Map<string, string> {
  const pairs = [...tmpfs, ...volumes.filter((one) => !one.endsWith(':ro')).map((one) => one.replace(/^[^:]+:/, ''))];
  return new Map(pairs.map((one): [string, string] => [one.split(':')[0] ?? '', one.split(':')[1] ?? '']));
}

test.each([
  ['compose.yml', ['service']],
  ['compose.cluster.yml', ['node1', 'node2', 'node3']],
])("in %s the data folder of the service is on a mount that the image's user may write to", (file, names) => {
  const { services } = parse(read(file)) as { services: Record<string, Container> };
  for (const name of names) {
    const container = services[name] ?? {};
    const db = flag(container.command ?? [], 'db');
    const folder = flag(container.command ?? [], 'data-dir') ?? (db === undefined ? undefined : dirname(db));
    // Without either flag it is a folder in the home of the user, which is read-only.
    expect(folder, name).toBeDefined();
    const mounts = writableMounts(container);
    expect([...mounts.keys()], name).toContain(folder);
    // Over a folder of the image, a tmpfs without options belongs to root and keeps the folder's mode, 0700.
    if (container.tmpfs?.some((one) => one.startsWith(`${folder}:`) || one === folder))
      expect(mounts.get(folder ?? ''), name).toBe('uid=1000,gid=1000,mode=0700');
  }
});

test('the chart has its store on a volume that the pod may write to', () => {
  const chart = read('helm/barograph/templates/statefulset.yaml');
  const [, db = ''] = /^\s+- --db=(\S+)$/m.exec(chart) ?? [];
  expect(chart).toContain(`- { name: data, mountPath: ${dirname(db)} }`);
  expect(chart).toMatch(/^ +fsGroup: 1000$/m);
});

test('the flags of the systemd unit are accepted, and it waits for the drain', () => {
  const unit = read('barograph-service.service');
  const [, example = ''] = /^#\s+BAROGRAPH_FLAGS=(.+)$/m.exec(unit) ?? [];
  const [, given = ''] = /^ExecStart=\/usr\/bin\/node .*cli\.ts (.+) \$BAROGRAPH_FLAGS$/m.exec(unit) ?? [];
  const arguments_ = readArguments([...given.split(' '), ...example.split(' ')], '1.2.3');
  expect(arguments_).toMatchObject({ ok: true });
  const drain = arguments_.ok ? arguments_.value.network.drain : null;
  expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1])).toBeGreaterThan(drain ?? Number.POSITIVE_INFINITY);
});

test('every flag of the chart is one of the service', () => {
  const help = readArguments(['--help'], '1.2.3');
  const known = help.ok ? '' : help.error.text;
  const chart = read('helm/barograph/templates/statefulset.yaml');
  const names = [...chart.matchAll(/^\s+- --([a-z-]+)=/gm)].map(([, name = '']) => name);
  expect(names).toContain('listen');
  for (const name of names) expect(known).toMatch(new RegExp(`--${name} <`));
});
