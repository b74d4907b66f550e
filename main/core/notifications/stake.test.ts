// Test: the desktop says what is at stake in an alert; nothing that leaves this computer does.
import { expect, test } from 'vitest';
import { DEFAULT_WATCHLIST, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { calls, minutes, rule, saveWithChannel } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { DEFAULT_SETTINGS } from '../profiles/settings.ts';

const bench = setUpCoreBench();
/** Numbers and a currency that nothing else has. */
const rows = [
  { symbol: 'SPY', amount: 91_827, cost: 43.21875, currency: 'CHF' },
  { symbol: 'QQQ', amount: 27_183, cost: 43.21875, currency: 'CHF' },
];
const book: Watchlist = { ...DEFAULT_WATCHLIST, holdings: { unit: 'quantity', rows } };
const SECRET = /91,?827|27,?183|43\.2|CHF|my book|at stake|money at risk|I hold|cost me/;

test('a position is in no request to a service or channel, and in no line of the log; the desktop says what is at stake', async () => {
  const sent: string[] = [];
  const rig: CoreRig = bench.rig({
    ports: {
      async fetch(url, init) {
        sent.push(`${url} ${JSON.stringify([...new Headers(init?.headers)])} ${String(init?.body ?? '')}`);
        return new URL(url).host === 'ntfy.example' ? Response.json({ id: 'x' }) : bench.service.fetch(url, init);
      },
    },
  });
  rig.settings = { ...DEFAULT_SETTINGS, watchlists: [book] };
  await rig.core.start();
  await bench.clock.advance(10_000);
  await saveWithChannel(rig);
  await calls(rig)['watchlist.save']({ watchlists: [{ ...book, name: 'My list' }] });
  bench.service.emit('SPY', 2);
  await bench.clock.pass(minutes(10));
  for (const symbol of ['QQQ', 'IWM', 'DIA', 'XLK']) bench.service.emit(symbol, 2);
  await bench.clock.pass(minutes(10));
  const told = sent.filter((request) => request.includes('ntfy.example'));
  expect(told.join()).toMatch(/SPY is High Risk.*QQQ/);
  expect(sent.filter((request) => SECRET.test(request))).toEqual([]);
  expect(rig.logged.filter((line) => SECRET.test(JSON.stringify(line)))).toEqual([]);
  const bodies = rig.shown.map(({ body }) => body);
  expect(bodies[0]).toMatch(/ I hold [\d,]+ CHF of it, \d+\.\d % of my book\.$/);
  expect(bodies.at(-1)).toMatch(/^Worst: QQQ .* of my book\.$/);
});

test('the end of an alert puts nothing at stake', async () => {
  const rig = await bench.up();
  rig.settings = { ...rig.settings, watchlists: [book] };
  await calls(rig)['watchlist.save']({ watchlists: [book] });
  await calls(rig)['rules.save']({ rule: rule({ events: ['signal.high_risk', 'signal.normal'], min_state: 0 }) });
  bench.service.emit('SPY', 2);
  await bench.clock.pass(minutes(10));
  bench.service.emit('SPY', 0, { from: 2 });
  await bench.clock.pass(minutes(10));
  expect(rig.shown.map(({ title, body }) => [title, SECRET.test(body)])).toEqual([
    ['[SANDBOX] SPY is High Risk', true],
    ['[SANDBOX] SPY is Normal', false],
  ]);
});
