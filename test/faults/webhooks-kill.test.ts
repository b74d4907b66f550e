// Test: a service that is killed (SIGKILL) again and again while it delivers loses no event on the way to a subscriber that fails half of the time.
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type Running, start } from '../harness/processes.ts';

const KILLS = 20;
const EVENTS_PER_SECOND = 400;
const CHILD = join('test', 'faults', 'webhooks-child.ts');

/** A small generator of its own, so that a failing run can be run again: the seed is in the message. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test(`after ${KILLS} kills under load every event of the log has reached the subscriber, as the bytes of the log`, {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-kill-'));
  const file = join(folder, 'store.db');
  const seed = Number(process.env.BAROGRAPH_SEED ?? Math.floor(Math.random() * 2 ** 32));
  const draw = random(seed);
  const bodies = new Map<string, string>();
  let secret = '';
  let badSignatures = 0;
  let repeats = 0;
  let refused = 0;

  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const lot = draw();
      if (lot < 0.4) {
        refused += 1;
        if (lot < 0.1) request.socket.destroy();
        else response.writeHead(lot < 0.3 ? 500 : 302).end();
        return;
      }
      const body = Buffer.concat(chunks).toString('utf8');
      if (request.headers['x-service-signature'] !== createHmac('sha256', secret).update(body).digest('hex')) badSignatures += 1;
      const id = String(request.headers['webhook-id']);
      if (bodies.has(id)) repeats += 1;
      bodies.set(id, body);
      // An answer that is lost on the way makes a repeat, no loss.
      if (lot < 0.5) request.socket.destroy();
      else response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook`;
  let child: Running | null = null;
  try {
    for (let kill = 0; kill <= KILLS; kill++) {
      child = start(process.execPath, [CHILD, file, url, String(kill < KILLS ? EVENTS_PER_SECOND : 0)]);
      if (secret === '') secret = (await child.line(/^secret (\S+)$/))[1] ?? '';
      await child.line(/^ready$/);
      if (kill === KILLS) await child.line(/^settled \d+$/, 60_000);
      else await new Promise((resolve) => setTimeout(resolve, draw() * 300));
      await child.kill();
    }
    const log = new SQLite(file, { readonly: true });
    const events = log.prepare<[], { event_id: string; body: string }>('SELECT event_id, body FROM events ORDER BY seq').all();
    const failed = log.prepare<[], number>("SELECT count(*) FROM deliveries WHERE status = 'failed'").pluck().get();
    log.close();
    const lost = events.filter(({ event_id, body }) => bodies.get(event_id) !== body).map(({ event_id }) => event_id);
    const context = `seed ${seed}: ${events.length} events, ${refused} refused, ${repeats} repeated`;
    expect({ lost, strangers: bodies.size - events.length, badSignatures, failed }, context).toEqual({
      lost: [],
      strangers: 0,
      badSignatures: 0,
      failed: 0,
    });
    expect(events.length, context).toBeGreaterThan(KILLS);
    expect(refused, context).toBeGreaterThan(KILLS);
    console.log(context);
  } finally {
    await child?.kill();
    receiver.closeAllConnections();
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
