// Test: a core whose ledger began in memory uses the ids of the file after it returns to the file.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls, idOf } from '../../../test/harness/alert-calls.ts';
import { namedIds, notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { event, START } from '../../../test/harness/ledger-bench.ts';
import { openDatabase } from './database.ts';
import { openLedger } from './ledger.ts';

const bench = setUpCoreBench();

test('attention uses the ids of the file, and notifications queued there are sent without a new event', async () => {
  const old = openLedger(bench.folder, 'now');
  old.ingest({
    source: 'poll',
    events: Array.from({ length: 10 }, (_, n) =>
      event(null, { eventId: `old${n}`, symbol: 'OLD', occurredAt: START - (20 - n) * 86_400_000 }),
    ),
    receivedAt: START,
    evaluate: () => ({ reason: null, why: null, notification: null, ends: [] }),
  });
  old.close();
  const first = await bench.up();
  await calls(first)['quiet.save']({
    quiet: { when: 'inside', hours: { kind: 'daily', zone: 'UTC', days: [1], from: '14:00', to: '15:00' } },
  });
  const held = bench.service.emit('QQQ', 2);
  await bench.clock.advance(1_000);
  expect(first.alertings.at(-1)?.pending_count).toBe(1);
  await bench.down(first);

  const path = join(bench.folder, 'ledger.sqlite');
  const bytes = readFileSync(path);
  writeFileSync(path, 'unreadable');
  let isRefused = true;
  const rig = bench.rig({
    ledger: {
      open(folder, ...given) {
        if (folder !== ':memory:' && isRefused) throw Object.assign(new Error('EROFS: read-only'), { code: 'EROFS' });
        return openDatabase(folder, ...given);
      },
    },
  });
  await rig.core.start();
  await bench.clock.until(() => rig.snapshot().connection.indicators.open.state === 'ok');
  const present = bench.service.emit('XLK', 2);
  await bench.clock.advance(1_000);
  const inMemory = idOf(rig, present.event_id);
  expect(inMemory).toBeLessThan(10);
  expect(rig.core.trayView().needsAttention).toContain(inMemory);
  expect(namedIds(rig)).not.toContain(notificationIds(held)[0]);
  const { notes_version } = calls(rig)['alerting.read']({}) as { notes_version: number };

  writeFileSync(path, bytes);
  chmodSync(path, 0o600);
  isRefused = false;
  await bench.clock.until(() => rig.snapshot().ledger.unwritten === undefined);
  await bench.clock.advance(1_000);
  expect([...rig.core.trayView().needsAttention].sort()).toEqual(
    [idOf(rig, held.event_id), idOf(rig, present.event_id)].sort(),
  );
  expect(namedIds(rig)).toContain(notificationIds(held)[0]);
  // Windows read notes, and their ids, again.
  expect(rig.alertings.at(-1)?.notes_version).toBeGreaterThan(notes_version);
});
