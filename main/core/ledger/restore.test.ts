// Test: a damaged ledger is restored from its last backup: nothing repeats, nothing is lost.

import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { inbox } from '../../../test/harness/alert-calls.ts';
import { namedIds, notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { saying } from '../../../test/harness/saying.ts';
import { backUp } from '../files/backup.ts';

const bench = setUpCoreBench();
const path = (name: string): string => join(bench.folder, name);
const spoil = (file: string): void => {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x5a, bytes.length > 20_000 ? 8_192 : 0));
  utimesSync(file, bench.clock.now() / 1000, bench.clock.now() / 1000);
};

test('notes, acknowledgements and silences come from the backup; later events are back-filled, and notified only if they were not', async () => {
  const first = await bench.up();
  const { handlers } = first.core;
  const noted = bench.service.emit('SPY', 2);
  for (let index = 0; index < 40; index += 1) bench.service.emit('AAPL', index % 2 === 0 ? 1 : 0);
  await bench.clock.advance(1_000);
  await handlers['alerts.note']({ ledger_id: 1, note: 'Sold half' });
  await handlers['alerts.acknowledge']({ ledger_ids: [1], acknowledged: true });
  const until = new Date(bench.clock.now() + 86_400_000).toISOString();
  await handlers['silences.add']({ matchers: symbolMatchers(['IWM']), from: null, until, comment: 'Known' });
  await bench.clock.advance(40_000);
  backUp(bench.folder, { names: ['ledger.sqlite'], day: '2026-03-01' });
  const seen = bench.service.emit('QQQ', 2);
  await bench.clock.advance(60_000);
  expect(namedIds(first)).toEqual(notificationIds(noted, seen));
  await bench.down(first);
  spoil(path('ledger.sqlite'));

  await bench.clock.advance(60_000);
  const missed = bench.service.emit('XLK', 2);
  bench.service.emit('IWM', 2);
  const second = await bench.up();
  await bench.clock.advance(10_000);
  expect(namedIds(second)).toEqual([expect.stringMatching(/^barograph:ledger:/), ...notificationIds(missed)]);
  expect(second.snapshot().ledger.events).toBe(bench.service.log.length);
  expect(second.snapshot().gaps).toContainEqual(
    expect.objectContaining({
      closed: true,
      cause: saying(/ledger-2026-03-01\.sqlite stands in its place/),
    }),
  );
  const rows = await inbox(second);
  const found = rows.find(({ alert }) => alert.transition.event_id === noted.event_id);
  expect(found).toMatchObject({ alert: { ledger_id: 1, note: 'Sold half', acked_at: expect.any(String) } });
});

test('a damaged backup is skipped', async () => {
  const first = await bench.up();
  bench.service.emit('SPY', 2);
  await bench.clock.advance(40_000);
  backUp(bench.folder, { names: ['ledger.sqlite'], day: '2026-03-01' });
  await bench.down(first);
  spoil(path('ledger.sqlite'));
  spoil(path('backups/ledger-2026-03-01.sqlite'));
  const second = await bench.up();
  await bench.clock.advance(10_000);
  expect(namedIds(second)).toEqual([expect.stringMatching(/^barograph:ledger:/)]);
  expect(second.snapshot().ledger.events).toBe(1);
  expect(second.snapshot().gaps).toContainEqual(
    expect.objectContaining({ closed: true, cause: saying(/It is filled again from the service\./) }),
  );
});
