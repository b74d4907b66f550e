// Test: the settings of nginx in docs/operating.md, in front of a service that is started as the page says.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newCertificate, writeCertificate } from '../harness/certificate.ts';
import { eventually } from '../harness/eventually.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun, whyNoProgram } from '../harness/not-run.ts';
import { nodeScript, start, TOP } from '../harness/processes.ts';

const KEY = 'svc_test_nginxnginxnginxnginx01';
const folder = temporaryFolder();
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  folder.remove();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The block of the page, for these ports and files. */
function pageSettings(ports: Readonly<Record<string, number>>, tls: string): string {
  const page = readFileSync(join(TOP, 'docs/operating.md'), 'utf8');
  const block = /Tried with nginx[^\n]*\n\n```\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
  return block
    .replace(/\b(8443|8444|8787|8788)\b/g, (port) => String(ports[port]))
    .replace('/srv/risk/tls/desk.crt', join(tls, 'tls.crt'))
    .replace('/srv/risk/tls/desk.key', join(tls, 'tls.key'));
}

const why = whyNoProgram('nginx');
test.skipIf(why)(
  `clients reach service and dashboard under the public names, and a stream through it is not held back${notRun(why)}`,
  async () => {
    const [api = 0, board = 0, inner = 0, innerBoard = 0] = await Promise.all([1, 2, 3, 4].map(freePort));
    const pair = await newCertificate();
    writeCertificate(folder.path, pair);
    for (const name of ['body', 'proxy']) mkdirSync(join(folder.path, name));
    const settings = pageSettings({ 8443: api, 8444: board, 8787: inner, 8788: innerBoard }, folder.path);
    expect(settings).toContain(`listen ${api} ssl`);
    const file = join(folder.path, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${join(folder.path, 'pid')}; error_log ${join(folder.path, 'error.log')};
events { worker_connections 64; }
http { access_log off; client_body_temp_path ${join(folder.path, 'body')}; proxy_temp_path ${join(folder.path, 'proxy')};
${settings} }\n`,
    );
    const nginx = spawn('nginx', ['-p', folder.path, '-c', file], { stdio: 'inherit' });
    ends.push(() => nginx.kill('SIGKILL'));
    const service = start(process.execPath, [
      ...nodeScript('service'),
      ...['--symbols', '1', '--port', String(inner), '--key', KEY, '--trusted-proxy', '127.0.0.1'],
      ...['--public-url', `https://desk.example:${api}`, '--dashboard-port', String(innerBoard)],
      ...['--dashboard-url', `https://desk.example:${board}`],
    ]);
    ends.push(() => service.kill());
    await service.line(/^ready /, 90_000);

    const open = (port: number, path: string, headers: Record<string, string> = {}, host = `desk.example:${port}`) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const asked = request({
          ...{ host: '127.0.0.1', port, path, ca: pair.cert, servername: 'desk.example' },
          headers: { host, ...headers },
        });
        asked.on('error', reject).on('response', resolve).end();
      });
    const read = async (answer: IncomingMessage): Promise<{ status: number | undefined; text: string }> => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      return { status: answer.statusCode, text };
    };
    const get = async (...asked: Parameters<typeof open>) => read(await open(...asked));

    await eventually(async () => expect((await get(api, '/health/ready')).status).toBe(200));
    expect(await get(api, '/snapshot', { 'x-api-key': KEY })).toMatchObject({ status: 200 });
    const refused = await get(api, '/snapshot');
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text).doc_url).toMatch(new RegExp(`^https://desk\\.example:${api}/`));
    expect((await get(api, '/snapshot', { 'x-api-key': KEY }, 'other.example')).status).toBe(403);
    // The first bytes of a stream come at once, long before anything happens on it.
    const stream = await open(api, '/stream', { 'x-api-key': KEY });
    expect(stream.headers['content-type']).toContain('text/event-stream');
    const first = await Promise.race([
      new Promise<string>((resolve) => stream.once('data', (chunk) => resolve(String(chunk)))),
      new Promise<string>((_, reject) => setTimeout(() => reject(new Error('it is held back')), 10_000)),
    ]);
    expect(first).not.toBe('');
    stream.destroy();

    const link = /dashboard-link (\S+)/.exec(service.printed())?.[1] ?? '';
    expect(link).toMatch(new RegExp(`^https://desk\\.example:${board}/#t=`));
    expect((await get(board, '/api/proxy/snapshot')).status).toBe(401);
  },
  150_000,
);
