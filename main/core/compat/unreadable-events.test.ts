// Test: what cannot be read is not silent: a gap with its reason, and the state on the desktop.
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../shared/text/message.ts';
import { encodeEvent } from '../../../shared/wire/sse.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';

const bench = setUpCoreBench();

/** Changes an event after the service logged it, and sends it. */
async function emitChanged(
  rig: CoreRig,
  state: 0 | 1 | 2,
  change: (event: { data: Record<string, unknown> } & Record<string, unknown>) => void,
): Promise<string> {
  bench.service.deaf = true;
  const event = bench.service.emit('SPY', state);
  change(event as unknown as Parameters<typeof change>[0]);
  bench.service.deaf = false;
  bench.service.write(encodeEvent(event));
  await bench.clock.advance(10_000);
  expect(rig.snapshot().connection.indicators.open.state).toBe('ok');
  return event.event_id;
}
const named = (rig: CoreRig): string[] => rig.shown.flatMap(({ id, names }) => names ?? [id]);
const causes = (rig: CoreRig): string[] =>
  rig.snapshot().gaps.flatMap(({ cause }) => (cause.code.startsWith('event.') ? [textOf(cause)] : []));

describe('a High Risk with an unreadable symbol', () => {
  test.each([['B?K'], [''], [17], [null], ['<script>']])(
    '%j: said on the desktop, and a gap with the reason',
    async (symbol) => {
      const rig = await bench.up();
      const id = await emitChanged(rig, 2, ({ data }) => Object.assign(data, { symbol, note: 'Broke its low.' }));
      expect(rig.shown[0]).toMatchObject({
        id: `barograph:${id}`,
        title: '[SANDBOX] High Risk of an unknown symbol',
        symbol: null,
      });
      expect(rig.shown[0]?.body).toContain('Its note: Broke its low.');
      expect(rig.snapshot().gaps).toMatchObject([{ closed: false, lost: true, cause: { code: 'event.no_symbol' } }]);
      // The list repeats it, and the number after it shows no hole.
      bench.service.cut();
      await bench.clock.advance(10_000);
      bench.service.emit('QQQ', 2);
      await bench.clock.advance(10_000);
      expect(new Set(named(rig)).size).toBe(2);
      expect(rig.snapshot().gaps.filter(({ closed }) => !closed)).toHaveLength(1);
      expect(causes(rig)[0]).toContain(id);
    },
  );

  test('missed, and fetched after a restart: notified then', async () => {
    let rig = await bench.up();
    await bench.down(rig);
    const event = bench.service.emit('SPY', 2);
    Object.assign(event.data, { symbol: 'B?K' });
    rig = await bench.up();
    await bench.clock.advance(70_000);
    expect(named(rig)).toContain(`barograph:${event.event_id}`);
    expect(rig.shown[0]?.title).toContain('High Risk of an unknown symbol');
  });

  test('many are one gap and a digest, and each is in the ledger', async () => {
    const rig = await bench.up();
    for (let count = 0; count < 30; count += 1)
      await emitChanged(rig, 2, ({ data }) => Object.assign(data, { symbol: `B?${count}` }));
    expect(rig.snapshot().gaps).toHaveLength(1);
    expect(causes(rig)[0]).toMatch(/^30 events\. The last one: signal\.high_risk \(evt_000030\) names no symbol/);
    expect(rig.snapshot().ledger.events).toBe(30);
  });
});

test('a reused id: both events are recorded and notified, once each, with a gap', async () => {
  const rig = await bench.up();
  const first = bench.service.emit('SPY', 2);
  await bench.clock.advance(2_000);
  const second = bench.service.emit('QQQ', 2, { id: first.event_id });
  await bench.clock.advance(2_000);
  bench.service.write(encodeEvent(second) + encodeEvent(first));
  bench.service.cut();
  await bench.clock.advance(10_000);
  expect(rig.shown.map(({ title }) => title)).toEqual([
    '[SANDBOX] SPY is High Risk',
    expect.stringContaining('2 turned High Risk'),
  ]);
  expect(rig.snapshot().ledger.events).toBe(2);
  expect(causes(rig)).toEqual([
    `The service used the id ${first.event_id} again, for another event. Both are recorded.`,
  ]);
});

test.each([['SIGNAL.HIGH_RISK'], ['Signal.High-Risk']])(
  'the event name %s is read, and nothing is said',
  async (name) => {
    const rig = await bench.up();
    await emitChanged(rig, 2, (event) => Object.assign(event, { event: name }));
    expect(rig.shown).toMatchObject([{ title: '[SANDBOX] SPY is High Risk' }]);
    expect(rig.snapshot().gaps).toEqual([]);
  },
);

test.each([
  ['a signal without a state', { event: 'signal.created', data: { symbol: 'SPY' } }, 'event.no_state'],
  ['an event without a name', { event: '', data: { symbol: 'SPY' } }, 'event.no_name'],
])('%s is a gap with its reason', async (_, change, code) => {
  const rig = await bench.up();
  await emitChanged(rig, 1, (event) => Object.assign(event, change));
  expect(rig.snapshot().gaps).toMatchObject([{ lost: true, cause: { code } }]);
});

describe('an event that is too large', () => {
  const LARGE = 'x'.repeat(4 * 1024 * 1024);

  test('a large event of a list is notified by its symbol and state, kept small, and said', async () => {
    const rig = await bench.up();
    bench.service.deaf = true;
    const event = bench.service.emit('SPY', 2);
    Object.assign(event.data, { note: LARGE });
    bench.service.deaf = false;
    bench.service.cut();
    await bench.clock.advance(10_000);
    expect(rig.shown).toMatchObject([{ title: '[SANDBOX] SPY is High Risk' }]);
    expect(causes(rig)).toEqual([
      expect.stringMatching(/^Event evt_000001 has 4\.0 MB, more than 256 KB\. Only its beginning is kept\.$/),
    ]);
    expect(JSON.stringify(rig.snapshot()).length).toBeLessThan(50_000);
    expect(rig.core.entries(0, 10)[0]?.body.length).toBeLessThan(10_000);
  });

  test.each([
    ['first', true],
    ['after its note', false],
  ])(
    'of a large event on the stream, with its symbol %s, as much counts as was read, and the stream goes on',
    async (_, isFirst) => {
      const rig = await bench.up();
      await emitChanged(rig, 2, (event) => {
        const { symbol, note: _note, ...data } = event.data;
        event.data = isFirst ? { symbol, ...data, note: LARGE } : { note: LARGE, ...data, symbol };
      });
      await bench.clock.advance(70_000);
      bench.service.emit('QQQ', 2);
      await bench.clock.advance(10_000);
      expect(rig.shown.map(({ title }) => title)).toEqual([
        // The list, read again, has the whole event, at the same instant.
        ...(isFirst
          ? ['[SANDBOX] SPY is High Risk']
          : ['[SANDBOX] High Risk of an unknown symbol', '[SANDBOX] 2 alerts, 1 symbol']),
        '[SANDBOX] QQQ is High Risk',
      ]);
      expect(causes(rig)).toEqual([expect.stringMatching(/^Event evt_000001 has 4\.0 MB, more than 256 KB/)]);
      expect(rig.snapshot().gaps.filter(({ cause }) => !cause.code.startsWith('event.'))).toEqual([]);
      expect(bench.streamRequests()).toBe(1);
    },
  );

  test('cut off: its beginning is read', async () => {
    const rig = await bench.up();
    const cut = `{"event_id":"evt_9","event":"signal.high_risk","timestamp":"2026-03-02T14:30:01.000Z","data":{"symbol":"SPY","note":"${'x'.repeat(99)}`;
    bench.service.write(`data: ${cut}\n\n`);
    await bench.clock.advance(1_000);
    expect(rig.shown).toMatchObject([{ id: 'barograph:evt_9', title: '[SANDBOX] SPY is High Risk' }]);
  });
});
