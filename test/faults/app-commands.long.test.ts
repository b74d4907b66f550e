// Faults: commands as processes beside the running app: the effects of an acknowledgement, and refusals.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { requestCall } from '../../main/host/control-socket.ts';
import { readRunFile } from '../../main/host/run-file.ts';
import { type RunningApp, startApp, writeProfile } from '../harness/app.ts';
import { eventually } from '../harness/eventually.ts';
import { type AppLink, openLink } from '../harness/link.ts';
import { nodeScript, type RunningProcess, start, TOP } from '../harness/processes.ts';
import { CALM_START, type RunningService, startService, TEST_KEY } from '../harness/service.ts';

let data: string;
let service: RunningService;
let app: RunningApp;
let link: AppLink;

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'barograph-acknowledge-'));
  service = await startService({ environment: 'sandbox', clock: CALM_START, key: TEST_KEY, symbols: 3 });
  writeProfile(data, 'sandbox', service.url);
  app = await startApp({ dataDir: data, key: TEST_KEY, desktop: false });
  link = await openLink(app.url);
}, 90_000);
afterAll(async () => {
  link.close();
  await app.process.kill();
  await service.process.kill();
  rmSync(data, { recursive: true, force: true });
});

const run = async (...args: string[]) => {
  const child = start(process.execPath, [...nodeScript('barograph'), ...args]);
  const { code } = await child.exit;
  return { code, printed: child.printed() };
};
const acknowledge = (...args: string[]) => run('acknowledge', ...args, '--data-dir', data);

/** @returns the id of a High Risk alert that the app has */
async function triggered(symbol: string): Promise<string> {
  const eventId = (await service.trigger('signal.high_risk', symbol)).at(-1) ?? '';
  await eventually(async () => expect(await alertOf(eventId)).toMatchObject({ needs_attention: true, acked_at: null }));
  return eventId;
}
const alertOf = async (eventId: string) =>
  (await link.call('alerts.read')).rows.find(
    ({ alert }: { alert: { transition: { event_id: string } } }) => alert.transition.event_id === eventId,
  )?.alert;

test('an alert by its event id, with a note: the window shows it as acknowledged', async () => {
  const eventId = await triggered('SPY');
  const { code, printed } = await acknowledge(eventId, '--note', 'Sold half');
  expect({ code, printed }).toEqual({ code: 0, printed: `acknowledged  SPY  High Risk  ${eventId}\n` });
  expect(await alertOf(eventId)).toMatchObject({
    acked_at: expect.any(String),
    note: 'Sold half',
    needs_attention: false,
  });
});

test('the alerts of a symbol that need attention, once', async () => {
  const eventId = await triggered('QQQ');
  const { code, printed } = await acknowledge('qqq', '--json', '--profile', 'sandbox');
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({ done: 'acknowledged', id: eventId, symbol: 'QQQ' });
  expect(await alertOf(eventId)).toMatchObject({ acked_at: expect.any(String), note: '' });
  expect(await acknowledge('QQQ')).toMatchObject({
    code: 1,
    printed: expect.stringContaining('no alert of a symbol QQQ needs attention'),
  });
});

test('wrong input ends with code 2, a refusal with code 1, each in one line', async () => {
  const cases: [number, string, string[]][] = [
    [2, 'Try --help', []],
    [2, 'Give the id of an event, or a symbol', ['']],
    [2, 'a note has at most 500 characters', ['SPY', '--note', 'x'.repeat(501)]],
    [1, 'is no event of this ledger', ['evt_unknown']],
    [1, 'The profile desk does not run here', ['SPY', '--profile', 'desk']],
  ];
  for (const [code, message, args] of cases) {
    const result = await acknowledge(...args);
    expect(result).toMatchObject({ code, printed: expect.stringContaining(message) });
    expect(result.printed.trim().split('\n')).toHaveLength(1);
  }
  expect(await run('acknowledge', 'SPY', '--data-dir', join(data, 'none'))).toMatchObject({
    code: 2,
    printed: expect.stringContaining('Barograph does not run in'),
  });
  expect(await run('acknowledge', '--help')).toMatchObject({
    code: 0,
    printed: expect.stringContaining('--note <text>'),
  });
});

test('the socket belongs to its user, and needs the secret of run.json', async () => {
  const address = readRunFile(data)?.socket;
  if (address == null) throw new Error('run.json has no socket');
  expect((statSync(address.path).mode & 0o777).toString(8)).toBe('600');
  const request = { profile: null, name: 'alerts.find', payload: { name: 'SPY' } };
  for (const secret of ['', 'x', `${address.secret}x`, '\u00e9'.repeat(address.secret.length)])
    await expect(requestCall({ ...address, secret }, request, 5_000)).rejects.toThrow('The secret of run.json');
  const huge = { ...request, payload: { name: 'x'.repeat(100_000) } };
  await expect(requestCall(address, huge, 5_000)).rejects.toThrow('The running app');
});

test('listen prints beside the app what the app records, each once, also across restarts of both', {
  timeout: 180_000,
}, async () => {
  const listen = () => {
    const flags = ['--profile', 'sandbox', '--json', '--data-dir', data];
    const listener = start(process.execPath, [...nodeScript('barograph'), 'listen', ...flags]);
    onTestFinished(async () => void (await listener.kill()));
    return listener;
  };
  const printedBy = (listener: RunningProcess): string[] =>
    listener
      .printed()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).event_id] : []));
  // On stderr.
  const says = (listener: RunningProcess, pattern: RegExp) =>
    eventually(() => expect(listener.printed()).toMatch(pattern), 60_000);
  const first = listen();
  await says(first, /following the running app/);
  const one = await triggered('SPY');
  await eventually(() => expect(printedBy(first)).toContain(one));
  await app.process.kill();
  await says(first, /listen waits for it/);
  const missed = (await service.trigger('signal.high_risk', 'IWM')).at(-1) ?? '';
  link.close();
  app = await startApp({ dataDir: data, key: TEST_KEY, desktop: false });
  link = await openLink(app.url);
  await says(first, /following the running app again/);
  await eventually(() => expect(printedBy(first)).toContain(missed));
  await first.kill();
  const second = listen();
  await says(second, /following the running app/);
  const last = (await service.trigger('signal.elevated', 'IWM')).at(-1) ?? '';
  await eventually(() => expect(printedBy(second)).toContain(last));
  const all = [...printedBy(first), ...printedBy(second)];
  // The last line of a process that was killed may come again.
  expect(all.length - new Set(all).size).toBeLessThanOrEqual(1);
});

test('an assistant explains an alert of the sandbox, searches its briefings, and goes on after a restart of the app', {
  timeout: 180_000,
}, async () => {
  const client = new Client({ name: 'test', version: '1' });
  const args = [...nodeScript('barograph'), 'mcp', '--data-dir', data];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: TOP }));
  const ask = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    const answer = (content as { text: string }[])[1]?.text ?? '';
    return isError ? answer : JSON.parse(answer);
  };
  try {
    const id = await triggered('QQQ');
    expect(await ask('explain_alert')).toMatchObject({
      alerts: [
        { id, transition: { untrusted_note: expect.stringContaining('Set by request') }, trace: { event_id: id } },
      ],
    });
    expect(await ask('signal', { symbol: 'QQQ' })).toMatchObject({ signal: { state_name: 'high_risk' } });
    expect((await ask('factors', { symbol: 'QQQ' })).factors).toHaveLength(12);
    expect(await ask('regime', { symbol: 'QQQ' })).toMatchObject({ symbol: 'QQQ', regime: expect.any(String) });
    expect((await ask('history', { symbol: 'QQQ', days: 30 })).points.length).toBeGreaterThan(15);
    const [hit] = await eventually(async () => {
      const { hits } = await ask('search', { text: 'breach', kinds: ['briefing'] });
      expect(hits.length).toBeGreaterThan(0);
      return hits;
    });
    expect(await ask('read_briefing', { id: hit.id })).toMatchObject({
      untrusted_body: expect.stringContaining('breach'),
    });
    await app.process.kill();
    expect(await ask('status')).toMatch(/Barograph does not run in|The running app/);
    link.close();
    app = await startApp({ dataDir: data, key: TEST_KEY, desktop: false });
    link = await openLink(app.url);
    expect(await ask('list_alerts', { symbol: 'QQQ', limit: 1 })).toMatchObject({ alerts: [{ id }] });
  } finally {
    await client.close();
  }
});
