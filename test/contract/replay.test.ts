// Contract: `barograph replay` repeats the events of a range, with the same bytes and ids.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../../conformance/receiver.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { fetchPatiently } from '../harness/service.ts';

const KEY = 'svc_test_replayreplay000001';
const TIMEOUT_MS = 90_000;

let service: RunningProcess;
let receiver: Receiver;
let url = '';
beforeAll(async () => {
  service = start(process.execPath, [...nodeScript('service'), '--symbols', '2', '--port', '0', '--key', KEY]);
  receiver = await openReceiver(createClock({ now: Date.now, setTimeout, clearTimeout }));
  url = (await service.line(/^ready (http:\S+)$/, TIMEOUT_MS))[1] ?? '';
}, TIMEOUT_MS);
afterAll(async () => {
  await Promise.all([service?.kill(), receiver?.close()]);
});

async function post(path: string, body: unknown) {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const answer = await fetchPatiently(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse(await answer.text());
}
const bodies = (): string[] => receiver.arrivals('good').map(({ body }) => body.toString('utf8'));
async function replay(...flags: string[]) {
  const run = start(process.execPath, [...nodeScript('barograph'), 'replay', '--url', url, ...flags], {
    BAROGRAPH_KEY: KEY,
  });
  return { ...(await run.exit), printed: run.printed() };
}

test('a range comes once more, for one subscription or for all', { timeout: TIMEOUT_MS, tags: ['long'] }, async () => {
  const { id } = await post('/signals/subscribe', { url: receiver.url('good'), events: ['model.version'] });
  const happened: { timestamp: string }[] = [];
  for (let count = 0; count < 3; count += 1)
    happened.push(...(await post('/sandbox/trigger', { event: 'model.version' })).data);
  await expect.poll(bodies).toHaveLength(3);
  const first = bodies();
  const [from, to] = [happened[0]?.timestamp ?? '', happened[1]?.timestamp ?? ''];
  const within = first.filter((body) => {
    const { timestamp } = JSON.parse(body);
    return timestamp >= from && timestamp <= to;
  });
  expect(within.length).toBeGreaterThanOrEqual(2);
  expect(await replay('--subscription', id, '--from', from, '--to', to)).toMatchObject({
    code: 0,
    printed: `${id}\t${receiver.url('good')}\t${within.length}\n`,
  });
  await expect.poll(bodies).toHaveLength(3 + within.length);
  expect(bodies().slice(3).sort()).toEqual([...within].sort());
  const all = await replay('--subscription', 'all', '--from', from);
  expect([all.code, all.printed]).toEqual([0, `${id}\t${receiver.url('good')}\t3\n`]);
});

test('what is refused is one line and exit code 1', { timeout: TIMEOUT_MS, tags: ['long'] }, async () => {
  const unknown = await replay('--subscription', 'sub_none', '--from', '2026-01-01');
  expect(unknown).toMatchObject({
    code: 1,
    printed: expect.stringMatching(/^barograph: The service refused: .*no subscription.*\(not_found\)\n$/),
  });
  const stranger = await replay('--subscription', 'all', '--from', '2026-01-01', '--key', 'svc_test_nobodysnobodys01');
  expect(stranger).toMatchObject({ code: 1, printed: expect.stringContaining('(unauthorized)') });
});
