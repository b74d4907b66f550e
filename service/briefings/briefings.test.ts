// Service, briefings, test: a run killed between an event and its briefing.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { assemble } from '../assemble.ts';
import type { Service } from '../service.ts';

/** Shortly before midnight: every day has its own transition briefings. */
const START = Date.parse('2026-03-03T23:59:00Z');
const silent = () => undefined;
const folder = mkdtempSync(join(tmpdir(), 'barograph-briefings-'));
const running: Service[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(file: string, clock: ReturnType<typeof createManualClock>): Promise<Service> {
  const service = assemble(
    { world: { kind: 'sandbox', seed: 7, symbols: 4 }, time: { start: START, speed: 1 }, file },
    {
      clock,
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      randomBytes: (count) => Buffer.alloc(count),
      publicUrl: () => 'http://127.0.0.1:1',
    },
  );
  running.push(service);
  await service.start();
  return service;
}

const execute = (file: string, sql: string): void => {
  const database = new SQLite(file);
  database.exec(sql);
  database.close();
};

/** Number of transition briefings in the log. */
function published(file: string): number {
  const database = new SQLite(file, { readonly: true });
  const count = database
    .prepare("SELECT count(*) FROM events WHERE event = 'briefing.published' AND body ->> '$.data.type' = 'transition'")
    .pluck()
    .get() as number;
  database.close();
  return count;
}

test('a run killed between an event and its briefing publishes the briefing after a restart, once', {
  tags: ['long'],
}, async () => {
  const clock = createManualClock(START);
  const [file, copy] = [join(folder, 'first.db'), join(folder, 'second.db')];
  const service = await start(file, clock);
  await clock.advance(120_000);
  const before = published(file);

  execute(file, "CREATE TRIGGER killed BEFORE INSERT ON briefings BEGIN SELECT RAISE(ABORT, 'killed'); END");
  expect(service.signals.trigger('signal.high_risk', 'SPY')).toHaveProperty('events');
  expect(published(file)).toBe(before);
  for (const part of ['', '-wal']) if (existsSync(file + part)) copyFileSync(file + part, copy + part);
  execute(copy, 'DROP TRIGGER killed');

  for (const _ of ['continued', 'continued again']) {
    const next = await start(copy, clock);
    await clock.advance(10_000);
    expect(published(copy)).toBe(before + 1);
    await next.close();
  }
});
