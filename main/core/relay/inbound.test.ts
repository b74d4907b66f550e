// Test: alerts of other programs in a whole core: recorded, chosen by rules, notified, dealt with, explained.
import { expect, test } from 'vitest';
import type { LocalAlert } from '../../../shared/channels/state.ts';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { calls, iso, rule } from '../../../test/harness/alert-calls.ts';
import { OK, type RelayRig, setUpRelayBench } from '../../../test/harness/relay-bench.ts';
import { createSessionVault } from '../keys/session-vault.ts';

const { bench, up } = setUpRelayBench();
const FOREIGN = rule({ id: 'others', name: 'Others', events: ['foreign.alert'], scope: { kind: 'all' }, min_state: 0 });

const send = async (rig: RelayRig, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await rig.server.listening?.inbound?.receive({}, Buffer.from(text));
  await bench.clock.advance(1_000);
  return answer;
};
const upWith = async (more: Parameters<typeof up>[0] = {}, chosen = FOREIGN): Promise<RelayRig> => {
  const rig = await up(more);
  await calls(rig)['rules.save']({ rule: chosen });
  return rig;
};
const foreign = (rig: RelayRig): LocalAlert[] => rig.snapshot().local_alerts;
const tradingView = { ticker: 'NASDAQ:AAPL', title: 'AAPL at 201', message: 'Over 200', severity: 'high' };

test('an alert of another program is recorded, chosen by a rule and notified under its mark', async () => {
  const rig = await upWith();
  expect(await send(rig, tradingView)).toMatchObject({ status: 200, body: { status: 'stored', problems: [] } });
  expect(rig.shown).toMatchObject([
    {
      title: '[SANDBOX] Other program: AAPL at 201',
      body: 'Over 200',
      symbol: 'AAPL',
      answers: ['acknowledge', 'snooze'],
    },
  ]);
  const [alert] = foreign(rig);
  expect(alert).toMatchObject({
    symbol: 'AAPL',
    foreign: { title: 'AAPL at 201', severity: 2 },
    needs_attention: true,
    decision: 'matched:others',
    notification_status: 'notified',
  });
  expect(rig.snapshot().gaps.filter(({ closed }) => !closed)).toEqual([]);

  const ledger_id = alert?.ledger_id ?? 0;
  const { steps, event } = await calls(rig)['alerts.trace']({ ledger_id });
  expect([event, optionalText(steps[0]?.detail ?? null)]).toEqual([
    'foreign.alert',
    'by another program, at the inbound address',
  ]);
  await calls(rig)['alerts.acknowledge']({ ledger_ids: [ledger_id], acknowledged: true });
  await bench.clock.advance(1_000);
  expect(foreign(rig)[0]).toMatchObject({ needs_attention: false });
});

test('without a rule that chooses it, an alert is listed and not notified', async () => {
  const rig = await up();
  await send(rig, tradingView);
  expect(rig.shown).toEqual([]);
  expect(foreign(rig)).toMatchObject([{ notification_status: 'none', needs_attention: false, decision: null }]);
});

test('the severity of an alert is the state that a rule asks for', async () => {
  const rig = await upWith({}, { ...FOREIGN, min_state: 1 });
  await send(rig, { title: 'quiet', severity: 'info' });
  expect(rig.shown).toEqual([]);
  await send(rig, { title: 'loud', severity: 'warning' });
  await send(rig, 'unknown severity');
  expect(foreign(rig).map(({ decision }) => decision)).toEqual([
    'matched:others',
    'matched:others',
    'below_state:others',
  ]);
});

test('a silence and a snooze of its symbol hold it back, and a snooze ends its attention', async () => {
  const rig = await upWith();
  await send(rig, tradingView);
  const [alert] = foreign(rig);
  await calls(rig)['alerts.snooze']({
    ledger_ids: [alert?.ledger_id ?? 0],
    until: { kind: 'time', at: iso(bench.clock.now() + 600_000) },
  });
  await bench.clock.advance(1_000);
  expect(foreign(rig)[0]).toMatchObject({ needs_attention: false });
  await calls(rig)['silences.add']({
    matchers: symbolMatchers(['MSFT']),
    from: null,
    until: iso(bench.clock.now() + 600_000),
    comment: '',
  });
  await send(rig, { ...tradingView, ticker: 'MSFT', title: 'MSFT' });
  expect(rig.shown).toHaveLength(1);
  expect(foreign(rig)[0]).toMatchObject({ symbol: 'MSFT', notification_status: 'waiting' });
});

test('the same body within a minute is one alert, also after a restart, and later another one', async () => {
  const vault = createSessionVault();
  const rig = await upWith({ vault });
  const url = (await calls(rig)['relay.inbound.reveal']({})).url;
  await send(rig, 'SPY crossed');
  await bench.clock.advance(30_000);
  expect(await send(rig, 'SPY crossed')).toMatchObject({ body: { status: 'known' } });
  await bench.down(rig);
  const again = await up({ vault });
  expect((await calls(again)['relay.inbound.reveal']({})).url).toBe(url);
  expect(await send(again, 'SPY crossed')).toMatchObject({ body: { status: 'known' } });
  expect(foreign(again)).toHaveLength(1);
  await bench.clock.advance(60_000);
  expect(await send(again, 'SPY crossed')).toMatchObject({ body: { status: 'stored' } });
});

test('a sender that gives different alerts one id loses none, and a repeat by its id is known for ever', {
  tags: ['long'],
}, async () => {
  const rig = await upWith();
  await send(rig, { ...tradingView, id: 'AAPL' });
  expect(await send(rig, { ...tradingView, id: 'AAPL', title: 'AAPL at 202' })).toMatchObject({
    body: { status: 'stored' },
  });
  await bench.clock.advance(3_600_000);
  expect(await send(rig, { ...tradingView, id: 'AAPL' })).toMatchObject({ body: { status: 'known' } });
});

test('what cannot be read is kept, notified as High Risk and shown with why', async () => {
  const rig = await upWith({}, { ...FOREIGN, min_state: 2 });
  await send(rig, '{"title": "half');
  expect(rig.shown).toMatchObject([{ title: '[SANDBOX] Other program: {"title": "half', urgency: 'normal' }]);
  expect(rig.shown[0]?.body).toContain('It looks like JSON');
  await rig.server.listening?.inbound?.receive({}, Buffer.from([0xff, 0xfe, 0x41]));
  await bench.clock.advance(1_000);
  expect(foreign(rig)[0]).toMatchObject({ foreign: { severity: 2, problems: ['severity', 'utf8'] } });
  expect((await calls(rig)['relay.inbound.last']({})).body).toContain('A');
});

test('beyond thirty alerts a minute one alert says that others were refused', async () => {
  const rig = await upWith();
  const answers = await Promise.all(
    Array.from({ length: 35 }, (_, index) => rig.server.listening?.inbound?.receive({}, Buffer.from(`alert ${index}`))),
  );
  expect(answers.filter((answer) => answer?.status === 429)).toHaveLength(5);
  await bench.clock.advance(1_000);
  expect(foreign(rig).filter((alert) => 'foreign' in alert && alert.foreign.problems.includes('limit'))).toHaveLength(
    1,
  );
  expect(rig.view().refused).toMatchObject([{ reason: 'too_many', times: 5 }]);
  await bench.clock.advance(60_000);
  expect(await send(rig, 'later')).toMatchObject({ status: 200 });
});

test('a mapping is kept, and a rotated address replaces the earlier one', async () => {
  const rig = await upWith();
  const before = rig.server.listening?.inbound?.paths();
  await calls(rig)['relay.inbound.rotate']({});
  expect(rig.server.listening?.inbound?.paths()).not.toEqual(before);
  await calls(rig)['relay.inbound.mapping']({
    ...rig.view().inbound.mapping,
    title: 'what',
    normal: ['p5'],
    severity: 'prio',
  });
  await send(rig, { what: 'Backup done', prio: 'P5' });
  expect(foreign(rig)[0]).toMatchObject({ foreign: { title: 'Backup done', severity: 0 }, needs_attention: false });
});

test('a target gets no alert of another program: signed, it would pass for an event of the service', async () => {
  const rig = await upWith();
  rig.server.reply = () => OK;
  await calls(rig)['relay.target.add']({
    url: 'http://127.0.0.1:9/x',
    filter: { events: null, symbols: null, states: null },
    allow_public: false,
  });
  await send(rig, tradingView);
  await bench.clock.advance(5_000);
  expect(rig.server.sent).toEqual([]);
});
