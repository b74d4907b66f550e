// Test of the SDKs: each language's own tests, and its conformance run against a sandbox.
// Skipped where the toolchain is missing.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openapiDocument } from '../../service/docs/openapi.ts';
import { TOP } from '../architecture/files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun } from '../harness/not-run.ts';
import { start } from '../harness/processes.ts';
import { EXPECTED, expectResumption } from './expected.ts';
import { startRig } from './rig.ts';

const RUN_MS = 300_000;
const folder = temporaryFolder();
afterAll(folder.remove);

interface Language {
  readonly name: string;
  /** Fails where the toolchain, or what it needs of the system, is missing. */
  readonly needs: readonly (readonly [command: string, ...args: string[]])[];
  readonly tests: readonly [command: string, ...args: string[]];
  readonly conformance: readonly [command: string, ...args: string[]];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Debian's librust-*-dev packages lie there: librust-ureq-dev, -reqwest-dev, -tokio-dev, -chrono-dev, -serde-json-dev,
 * -serde-derive-dev, -hmac-dev, -sha2-dev, -base64-dev. Where they are not installed, the variable names a folder into which they were unpacked (`dpkg -x`).
 */
const CRATES = process.env.BAROGRAPH_CRATES ?? '/usr/share/cargo/registry';
const DEBIAN_CRATES = [
  '--config=source.crates-io.replace-with="debian"',
  `--config=source.debian.directory="${CRATES}"`,
];

const LANGUAGES: readonly Language[] = [
  {
    name: 'python',
    needs: [['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))']],
    // Types are checked where mypy is installed.
    tests: [
      'sh',
      '-c',
      'python3 -W error -m unittest discover -s tests -t . && { ! python3 -m mypy --version || python3 -m mypy .; }',
    ],
    conformance: ['python3', '-W', 'error', 'conformance.py'],
    environment: { PYTHONDONTWRITEBYTECODE: '1' },
  },
  {
    name: 'go',
    needs: [['sh', '-c', 'go version && go env GOVERSION | grep -Eq "go1\\.(1[89]|[2-9][0-9])"']],
    tests: ['sh', '-c', 'test -z "$(gofmt -l .)" && go vet ./... && go test ./...'],
    conformance: ['go', 'run', './internal/conformance'],
    environment: { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
  },
  {
    name: 'rust',
    needs: [
      ['cargo', '--version'],
      ['test', '-d', `${CRATES}/ureq-2.6.2`],
      ['test', '-d', `${CRATES}/reqwest-0.11.13`],
    ],
    tests: ['cargo', 'test', '--offline', '--all-features', ...DEBIAN_CRATES],
    conformance: [
      'cargo',
      'run',
      '--quiet',
      '--offline',
      ...DEBIAN_CRATES,
      '--all-features',
      '--example',
      'conformance',
    ],
    environment: { CARGO_TERM_COLOR: 'never' },
  },
];

describe.each(LANGUAGES)('$name', ({ name, needs, tests, conformance, environment }) => {
  const missing = needs.find(([command, ...args]) => spawnSync(command, args).status !== 0);
  const why = missing === undefined ? null : `\`${missing.join(' ')}\` fails here`;
  // A copy: builds write beside the sources.
  const copy = mkdtempSync(join(folder.path, `${name}-`));
  cpSync(join(TOP, 'sdk', name), copy, { recursive: true });

  test.skipIf(why)(`passes its own tests${notRun(why)}`, { timeout: RUN_MS }, () => {
    const [command, ...args] = tests;
    const run = spawnSync(command, args, { cwd: copy, env: { ...process.env, ...environment }, encoding: 'utf8' });
    expect(run.status, run.stdout + run.stderr).toBe(0);
    expect(run.stdout + run.stderr).toMatch(/\bok\b/i);
  });

  test.skipIf(why)(`conforms${notRun(why)}`, { timeout: RUN_MS }, async () => {
    const rig = await startRig();
    onTestFinished(rig.stop);
    const [command, ...args] = conformance;
    const program = start('sh', ['-c', 'cd "$0" && exec "$@"', copy, command, ...args], {
      ...environment,
      CONDITIONS: JSON.stringify(rig.conditions),
    });
    expect((await program.exit).code, program.printed()).toBe(0);
    expect(JSON.parse(program.printed().trim().split('\n').at(-1) ?? '')).toEqual(EXPECTED);
    expectResumption(rig);
  });
});

const whyNoGo = spawnSync('go', ['version']).status === 0 ? null : '`go version` fails here';
test.skipIf(whyNoGo)(`the Go module builds under a path of its own${notRun(whyNoGo)}`, { timeout: RUN_MS }, () => {
  const copy = join(folder.path, 'published');
  const program = join(TOP, 'sdk/generator/go-module.ts');
  execFileSync(process.execPath, [program, '--module', 'example.com/you/risk/v2', copy], { stdio: 'pipe' });
  const run = spawnSync('go', ['list', './...'], {
    cwd: copy,
    env: { ...process.env, GOPROXY: 'off' },
    encoding: 'utf8',
  });
  expect(run.stdout.split('\n')[0], run.stderr).toBe('example.com/you/risk/v2');
  expect(spawnSync('go', ['vet', './...'], { cwd: copy, env: { ...process.env, GOPROXY: 'off' } }).status).toBe(0);
});

test('models and calls are what the generator makes of the document today', () => {
  const document = join(folder.path, 'openapi.json');
  const options = { environment: 'sandbox', version: '0', publicUrl: 'https://service.example' } as const;
  writeFileSync(document, JSON.stringify(openapiDocument(options)));
  execFileSync(process.execPath, [join(TOP, 'sdk/generator/generate.ts'), document, '--check'], { stdio: 'pipe' });
});
