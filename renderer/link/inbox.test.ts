import { expect, it } from 'vitest';
import type { InboxPage } from '../../shared/channels/alerting.ts';
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import { alert, T0, transition } from '../../test/fixtures/window-fixtures.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createInboxReader } from './inbox.ts';

const MINUTE = 60_000;

/** A core with so many alerts, one a minute, the newest first in a page. */
function rig(count: number) {
  const clock = createManualClock();
  const requests: (string | null)[] = [];
  const received: InboxPage[] = [];
  const problems: string[] = [];
  const core = { count, fails: false };
  const window = {
    call: async (_name: string, { before, limit }: { before: { ledger_id: number } | null; limit: number }) => {
      requests.push(before === null ? null : String(before.ledger_id));
      if (core.fails) throw new Error('The core is gone.');
      const newest = (before?.ledger_id ?? core.count + 1) - 1;
      const ids = Array.from({ length: Math.min(limit, newest) }, (_, index) => newest - index);
      const rows = ids.map((id) => ({
        alert: alert(transition('SPY', 0, 1, T0 + id * MINUTE), id),
        ended: null,
        changes: 1,
      }));
      const last = rows.at(-1)?.alert;
      return {
        rows,
        next:
          last === undefined || last.ledger_id === 1
            ? null
            : { at: last.transition.occurred_at, ledger_id: last.ledger_id },
      };
    },
  } as unknown as Window<Channels>;
  const reader = createInboxReader(
    window,
    (action) => {
      if (action.kind === 'query.succeeded' && action.query === 'inbox') received.push(action.value);
      if (action.kind === 'query.failed') problems.push(action.message);
    },
    clock,
  );
  const ids = (): number[] => received.at(-1)?.rows.map(({ alert: { ledger_id } }) => ledger_id) ?? [];
  return { reader, clock, requests, received, problems, core, ids };
}

it('reads back to the time that is asked for, page by page, and says where more begins', async () => {
  const { reader, clock, requests, ids, received } = rig(1000);
  reader.read(T0 + 450 * MINUTE, 1000);
  await clock.advance(1);
  expect(requests).toEqual([null, '801', '601']);
  expect(ids()).toHaveLength(600);
  expect(received.map(({ rows }) => rows.length)).toEqual([200, 400, 600]);
  expect(received.at(-1)?.next?.ledger_id).toBe(401);
});

it('reads no more rows than asked for, and to the beginning where there is one', async () => {
  const { reader, clock, ids, received } = rig(450);
  reader.read(0, 400);
  await clock.advance(1);
  expect(ids()).toHaveLength(400);
  reader.read(0, 1000);
  await clock.advance(1000);
  expect(ids()).toHaveLength(450);
  expect(received.at(-1)?.next).toBeNull();
});

it('many askings at once are one, a second apart; what is not read again yet stands', async () => {
  const { reader, clock, requests, core, ids, received } = rig(300);
  reader.read(0, 1000);
  await clock.advance(1);
  expect(requests).toHaveLength(2);
  core.count = 301;
  for (let turn = 0; turn < 50; turn += 1) reader.read(0, 1000);
  await clock.advance(500);
  expect(requests).toHaveLength(2);
  const before = received.length;
  await clock.advance(600);
  expect(requests).toHaveLength(4);
  expect(received[before]?.rows).toHaveLength(301);
  expect(ids()).toHaveLength(301);
  expect(new Set(ids()).size).toBe(301);
});

it('a reading that fails says why, and the next one is made', async () => {
  const { reader, clock, core, problems, ids } = rig(10);
  core.fails = true;
  reader.read(0, 1000);
  await clock.advance(1);
  expect(problems).toEqual(['The core is gone.']);
  core.fails = false;
  reader.read(0, 1000);
  await clock.advance(1000);
  expect(ids()).toHaveLength(10);
});

it('stopped, it keeps what it has', async () => {
  const { reader, clock, requests, ids } = rig(1000);
  reader.read(0, 10_000);
  reader.stop();
  await clock.advance(1);
  expect(requests).toEqual([null]);
  expect(ids()).toHaveLength(200);
});
