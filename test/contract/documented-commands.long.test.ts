// Contract: each line of samples/commands.txt does what it says, and each verb of docs/commands.md has a line.
// A line whose comment is `vendor`, `cluster`, `screen`, `certificate` or `minutes` is not run here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { environmentOf, TOP } from '../harness/processes.ts';
import { SAMPLES, sampleFiles } from '../harness/samples.ts';

const NEEDS = ['vendor', 'cluster', 'screen', 'certificate', 'minutes'];
/** What a line until Ctrl-C prints when it works; `mcp` answers questions alone. */
const WORKS = /^(ready |Serving|.*\bconnected to|.*following the running app|http:)|listening|serving/im;
const LIMIT_MS = 120_000;

interface Line {
  readonly script: string;
  readonly rest: string;
  readonly comment: string;
}

const document = readFileSync(join(TOP, 'docs/commands.md'), 'utf8');
const commands = readFileSync(join(TOP, 'samples/commands.txt'), 'utf8');
const lines = commands
  .trim()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line): Line => {
    const [, script = '', rest = '', comment = ''] =
      /^npm (?:run )?([\w:]+)(?: --)?(.*?)(?:\s+# (.*))?$/.exec(line) ?? [];
    return { script, rest, comment };
  });
const scripts: Record<string, string> = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8')).scripts;

let home: TemporaryFolder;
const running: { readonly pid: number }[] = [];
/** The ports of the document, and free ones in their place. */
const ports = new Map<string, string>();
beforeAll(async () => {
  home = temporaryFolder();
  for (const name of readdirSync(TOP))
    if (!name.startsWith('.') && !name.startsWith('sample-')) symlinkSync(join(TOP, name), join(home.path, name));
  for (const [port] of commands.matchAll(/\b(87\d\d|47\d\d)\b/g)) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    ports.set(port, String(typeof address === 'object' ? address?.port : 0));
    server.close();
  }
});
afterAll(() => {
  for (const { pid } of running) process.kill(-pid, 'SIGKILL');
  home.remove();
});

function run({ script, rest }: Line) {
  const words = rest.replaceAll(/\b(87\d\d|47\d\d)\b/g, (port) => ports.get(port) ?? port);
  const child = spawn('sh', ['-c', `exec ${scripts[script]} ${words}`], {
    cwd: home.path,
    env: environmentOf({
      HOME: home.path,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
      DBUS_SESSION_BUS_ADDRESS: '',
      XDG_RUNTIME_DIR: '',
    }),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  return { child, printed: () => printed };
}

test('every verb of the document has a line', () => {
  const verbs = [...document.matchAll(/`npm (?:run )?([\w:]+)(?: -- ([a-z][\w-]*))?/g)].map(([, script, verb]) =>
    [script, verb].filter(Boolean).join(' '),
  );
  const shown = new Set(lines.flatMap(({ script, rest }) => [script, `${script} ${rest.trim().split(' ')[0]}`]));
  expect(verbs.filter((verb) => !shown.has(verb))).toEqual([]);
});

test('samples/ has what its seed gives, a few hundred KB', () => {
  for (const [name, text] of sampleFiles()) expect(readFileSync(join(SAMPLES, name), 'utf8'), name).toBe(text);
});

test.each(lines.filter(({ comment }) => !NEEDS.includes(comment)))(
  'npm run $script --$rest',
  {
    timeout: LIMIT_MS,
  },
  async (line) => {
    const { child, printed } = run(line);
    if (line.comment !== 'until Ctrl-C') {
      const [code] = await once(child, 'close');
      const expected = Number(/^exit code (\d)/.exec(line.comment)?.[1] ?? 0);
      // The machine of a test has no desktop that shows notifications.
      expect([0, expected, ...(line.rest.includes('doctor') ? [1] : [])], printed()).toContain(code);
      return;
    }
    if (child.pid !== undefined) running.push({ pid: child.pid });
    if (line.rest.includes('mcp'))
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } })}\n`,
      );
    await eventually(
      () => expect(printed()).toMatch(line.rest.includes('mcp') ? /"serverInfo"/ : WORKS),
      LIMIT_MS - 10_000,
    );
    expect(child.exitCode, printed()).toBeNull();
  },
);
