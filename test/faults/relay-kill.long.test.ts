// Faults: kills the program while it writes a webhook: the event is notified once.
// No other source brings the event.
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { timestamp } from '../../shared/wire/primitives.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type RunningProcess, start } from '../harness/processes.ts';

const CHILD = join('test', 'faults', 'relay-child.ts');

interface Life {
  readonly child: RunningProcess;
  /** HTTP status; null where the connection broke. */
  deliver(body: string): Promise<number | null>;
}

test.each(['received', 'stored'])('killed when a delivery is %s', async (mode) => {
  const folder = temporaryFolder();
  const path = randomBytes(24).toString('base64url');
  const secret = randomBytes(32).toString('base64');
  const lives: RunningProcess[] = [];
  const live = async (when: string): Promise<Life> => {
    const child = start(process.execPath, [CHILD, folder.path, path, secret, when]);
    lives.push(child);
    const [, port] = await child.line(/^ready (\d+)$/);
    return {
      child,
      async deliver(body) {
        const headers = {
          'content-type': 'application/json',
          'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
        };
        const answer = await fetch(`http://127.0.0.1:${port}/in/${path}`, { method: 'POST', headers, body }).catch(
          () => null,
        );
        return answer?.status ?? null;
      },
    };
  };
  try {
    const bodies = Array.from({ length: 5 }, (_, index) =>
      eventBody(`evt_${String(index).padStart(3, '0')}`, Date.now() - (5 - index) * 1_000),
    );
    for (const body of bodies) {
      const life = await live(mode);
      expect(await life.deliver(body)).toBeNull();
      await life.child.exit;
    }
    const last = await live('never');
    for (const body of bodies) expect(await last.deliver(body)).toBe(200);
    const notified = (): (readonly [name: string, id: string])[] =>
      lives.flatMap((child) =>
        [...child.printed().matchAll(/^notified (\S+) under (\S+)$/gm)].map(
          ([, name = '', id = '']) => [name, id] as const,
        ),
      );
    // By the killed run, or by a later one that found the notification pending.
    const nameOf = (body: string): string => `barograph:${JSON.parse(body).event_id}`;
    const isNotified = (body: string): boolean => notified().some(([name]) => name === nameOf(body));
    for (const end = Date.now() + 20_000; !bodies.every(isNotified) && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 10));
    // Shown again after a kill, it is under the same id and replaces the first. The third joins the second.
    const pairs = new Set(notified().map((pair) => pair.join(' ')));
    expect([...pairs].map((pair) => pair.split(' ')[0]).sort()).toEqual(bodies.map(nameOf).sort());
  } finally {
    for (const child of lives) await child.kill();
    folder.remove();
  }
});

function eventBody(id: string, at: number): string {
  const when = timestamp(at);
  const data = {
    event_id: id,
    symbol: 'SPY',
    asset_class: 'etf',
    from_state: 1,
    to_state: 2,
    state_name: 'high_risk',
    regime: null,
    confidence: 30,
    note: '',
    occurred_at: when,
    model_version: 'test',
  };
  return JSON.stringify({ event_id: id, event: 'signal.high_risk', timestamp: when, data });
}
