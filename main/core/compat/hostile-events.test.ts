// Test: every accepted event can be read from the ledger: in snapshot, page, trace, chart and push.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InboxPageSchema, TraceSchema } from '../../../shared/channels/alerting.ts';
import { TimelineSchema } from '../../../shared/channels/queries.ts';
import { hostileEvent } from '../../../test/fixtures/hostile-events.ts';
import { namedIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { folderInMemory } from '../../../test/harness/folders.ts';
import { casesOf } from '../../../test/harness/run-length.ts';

const bench = setUpCoreBench();

/** Reads everything that a window can ask about the ledger, each answer by its schema. */
async function readAll(rig: CoreRig): Promise<void> {
  // The rig parses every push, and the snapshot.
  rig.snapshot();
  const { handlers } = rig.core;
  for (const filter of ['all', 'notified', 'unacked', 'suppressed', 'ended'] as const) {
    let before: Parameters<(typeof handlers)['alerts.read']>[0]['before'] = null;
    for (let pages = 0; pages < 50; pages += 1) {
      const page = InboxPageSchema.parse(await handlers['alerts.read']({ filter, symbol: null, before, limit: 7 }));
      before = page.next;
      if (before === null) break;
    }
    expect(before).toBeNull();
  }
  for (const { ledger_id, body } of rig.core.entries(0, 1_000)) {
    TraceSchema.parse(await handlers['alerts.trace']({ ledger_id }));
    expect(body.length).toBeGreaterThan(0);
  }
  for (const symbol of ['SPY', 'QQQ']) TimelineSchema.parse(await handlers['timeline.read']({ symbol }));
}

describe('stored rows are readable', () => {
  test('any event, by the stream and by the list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileEvent, { minLength: 1, maxLength: 12 }), async (events) => {
        const folder = folderInMemory();
        const rig = await bench.up({ folder: folder.path });
        try {
          for (const event of events) bench.service.write(`id: frame\ndata: ${JSON.stringify(event)}\n\n`);
          await bench.clock.advance(1_000);
          await readAll(rig);
          bench.service.log.push(...(events as typeof bench.service.log));
          bench.service.cut();
          await bench.clock.advance(5_000);
          await readAll(rig);
        } finally {
          await bench.down(rig);
          bench.service.replaceLog();
          folder.remove();
        }
      }),
      { numRuns: casesOf(60, 12) },
    );
  });

  test.each([
    ['an impossible year, of an earlier version', 'occurred_s = 1772461800000000, occurred_ms = 1772461800000000000'],
    ['an impossible year before ours', 'occurred_s = -99999999999, occurred_ms = NULL'],
    ['an impossible time in a column', 'occurred_ms = 9007199254740991'],
    ['an unknown state', 'to_state = 9'],
    ['an unknown class', "asset_class = 'bond'"],
    ['an unknown previous state', 'from_state = 9'],
    ['a name of another state', "state_name = 'panic'"],
    ['no symbol', "symbol = '<script>'"],
    ['a confidence beyond 100', 'confidence = 1e300'],
    ['a note of 4 MB', "note = replace(hex(zeroblob(2097152)), '0', 'x')"],
    ['an unknown source', "sources = 'pigeon,stream'"],
  ])('a stored row with %s', async (_, change) => {
    let rig = await bench.up();
    bench.service.emit('QQQ', 2);
    bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    await bench.down(rig);
    const db = new Database(join(bench.folder, 'ledger.sqlite'));
    db.exec(`UPDATE events SET ${change} WHERE symbol = 'SPY'`);
    if (_.includes('earlier version')) db.pragma('user_version = 6');
    db.close();
    rig = await bench.up();
    await readAll(rig);
    const { alerts } = rig.snapshot();
    expect(alerts.map(({ transition }) => transition.symbol)).toContain('QQQ');
    expect(JSON.stringify(alerts).length).toBeLessThan(20_000);
    // The next change of the symbol is shown and notified as usual.
    const next = bench.service.emit('SPY', 2);
    await bench.clock.advance(3_000);
    expect(namedIds(rig)).toContain(`barograph:${next.event_id}`);
    expect(rig.snapshot().alerts[0]?.transition.event_id).toBe(next.event_id);
  });
});
