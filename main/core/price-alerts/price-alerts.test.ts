// Test: price alerts in a whole core, across restarts and kills, with old prices and refusals.
// Each crossing is notified once.

import { SqliteError } from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { LocalAlert } from '../../../shared/channels/state.ts';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import type { PriceCondition } from '../../../shared/settings/price-conditions.ts';
import { optionalText, plainMessage } from '../../../shared/text/message.ts';
import { calls, iso, minutes, rule } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { openDatabase } from '../ledger/database.ts';

const bench = setUpCoreBench();

const BELOW: PriceCondition = { kind: 'level', direction: 'below', level: 180 };
const priceRule = (more: Partial<Rule> = {}): Rule =>
  rule({
    id: 'dip',
    name: 'Dip',
    events: ['price.crossed'],
    min_state: 0,
    price: BELOW,
    scope: symbols('SPY'),
    ...more,
  });
const symbols = (...symbols: string[]): Rule['scope'] => ({ kind: 'symbols', symbols });

/** Sets the price, and waits for one poll of the sandbox. */
async function at(price: number, more: { symbol?: string; change_pct?: number } = {}): Promise<void> {
  const { symbol = 'SPY', change_pct = 0 } = more;
  bench.service.prices.set(symbol, { price, change_pct });
  await bench.clock.advance(2_500);
}
async function upWith(first: Rule, price = 185): Promise<CoreRig> {
  bench.service.prices.set('SPY', { price, change_pct: 0 });
  const rig = await bench.up();
  await calls(rig)['rules.save']({ rule: first });
  return rig;
}
/** A core over the same data folder and settings. */
async function restart(rig: CoreRig, options: Parameters<typeof bench.rig>[0] = {}): Promise<CoreRig> {
  const again = bench.rig({ ...options, settings: rig.settings });
  await again.core.start();
  await bench.clock.advance(2_500);
  return again;
}
const prices = (rig: CoreRig) => rig.snapshot().local_alerts;
const priceIn = (alert: LocalAlert): number | null => ('crossing' in alert ? alert.crossing.price : null);
const titles = (rig: CoreRig): string[] => rig.shown.map(({ title }) => title);
const TITLE = '[SANDBOX] SPY is at 179.90, at or below 180.00';

test('a price at the level is notified once, and again only after it has left the level', async () => {
  const rig = await upWith(priceRule());
  await at(180.1);
  expect(rig.shown).toEqual([]);
  for (const price of [179.9, 180.2, 179.8, 180.4]) await at(price);
  expect(rig.shown).toMatchObject([{ title: TITLE, body: 'Rule: Dip.', symbol: 'SPY', answers: ['acknowledge'] }]);
  await at(181);
  await at(179);
  expect(titles(rig)).toEqual([TITLE, '[SANDBOX] SPY: 2 alerts']);
  expect(rig.shown.at(-1)?.body).toMatch(/^SPY is at 179\.00, at or below 180\.00\. SPY is at 179\.90/);
  expect(prices(rig).map(priceIn)).toEqual([179, 179.9]);
});

test('a command names it by its symbol while it needs attention, and by its id', async () => {
  const rig = await upWith(priceRule());
  await at(179.9);
  const [alert] = prices(rig);
  const find = async (name: string) => (await calls(rig)['alerts.find']({ name })).local_alerts;
  expect(await find('spy')).toMatchObject([{ event_id: alert?.event_id, acked_at: null }]);
  rig.core.actions.acknowledge([alert?.ledger_id ?? 0], true);
  await expect(find('spy')).rejects.toThrow('no alert of a symbol SPY needs attention');
  expect(await find(alert?.event_id ?? '')).toMatchObject([{ acked_at: expect.any(String) }]);
});

test('the ledger entry of a crossing has the rule, the decision and a trace; other rules are named as not concerned', async () => {
  const rig = await upWith(priceRule());
  await at(179.9);
  const [alert] = prices(rig);
  expect(alert).toMatchObject({
    decision: 'matched:dip',
    notification_status: 'notified',
    dispatch: { outcome: 'shown', notification_id: `barograph:${alert?.event_id}` },
    needs_attention: true,
    crossing: { rule: 'dip', symbol: 'SPY', direction: 'down', asset_class: 'etf', condition: BELOW, change_pct: null },
  });
  const trace = await calls(rig)['alerts.trace']({ ledger_id: alert?.ledger_id ?? 0 });
  expect(trace).toMatchObject({ event: 'price.crossed', silent: [{ rule: 'high-risk', miss: 'other_event' }] });
  expect(trace.steps.map(({ step, detail }) => `${step} ${optionalText(detail)}`)).toEqual([
    'received by poll',
    'evaluated Matches "Dip". Notified at once.',
    `dispatched to the desktop as barograph:${alert?.event_id}`,
    'answered shown: taken',
  ]);
});

test('counts as needing attention until it is acknowledged', async () => {
  const rig = await upWith(priceRule());
  await at(179.9);
  const [alert] = prices(rig);
  expect(rig.core.trayView().needsAttention).toEqual([alert?.ledger_id]);
  await at(190);
  expect(prices(rig)[0]?.needs_attention).toBe(true);
  await calls(rig)['alerts.acknowledge']({ ledger_ids: [alert?.ledger_id ?? 0], acknowledged: true });
  await bench.clock.advance(1_000);
  expect(rig.core.trayView().needsAttention).toEqual([]);
  expect(prices(rig)[0]).toMatchObject({ needs_attention: false, acked_at: expect.any(String) });
  expect(rig.withdrawn).toEqual([`barograph:${alert?.event_id}`]);
  const pushed = rig.pushes.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.part === 'local_alerts' ? [change.local_alerts] : [])),
  );
  expect(pushed.at(-1)?.[0]?.needs_attention).toBe(false);
});

test('needs attention whatever other rules notify of its symbol: of each rule the newest', async () => {
  const rig = await upWith(priceRule());
  await calls(rig)['rules.save']({
    rule: priceRule({ id: 'deep', name: 'Deep', price: { kind: 'level', direction: 'below', level: 170 } }),
  });
  await at(179);
  const [dip] = prices(rig);
  for (let turn = 0; turn < 22; turn += 1) {
    await at(169);
    await at(172);
  }
  const [deep] = prices(rig);
  expect(prices(rig)).toHaveLength(23);
  const needing = [dip?.ledger_id, deep?.ledger_id];
  expect([...rig.core.trayView().needsAttention].sort((a, b) => a - b)).toEqual(needing);
  await calls(rig)['alerts.acknowledge']({ ledger_ids: [deep?.ledger_id ?? 0], acknowledged: true });
  await bench.clock.advance(1_000);
  expect(rig.core.trayView().needsAttention).toEqual([dip?.ledger_id]);
  await bench.down(rig);
  const again = await restart(rig);
  expect(again.core.trayView().needsAttention).toEqual([dip?.ledger_id]);
});

test('without a desktop it stays open until a window has shown it', async () => {
  let isAway = true;
  bench.service.prices.set('SPY', { price: 185, change_pct: 0 });
  const rig = await bench.up({
    show: () => Promise.resolve({ tier: isAway ? 'in_app' : 'system', detail: plainMessage('no bus') }),
  });
  await calls(rig)['rules.save']({ rule: priceRule() });
  await at(179.9);
  await bench.clock.advance(200_000);
  const [alert] = prices(rig);
  expect(alert).toMatchObject({ needs_attention: true, dispatch: { outcome: 'failed' } });
  await calls(rig)['alerts.shown']({ notification_id: `barograph:${alert?.event_id}` });
  await bench.clock.advance(1_000);
  expect(prices(rig)[0]?.dispatch?.outcome).toBe('in_app');
  const pushed = rig.pushes.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.part === 'local_alerts' ? [change.local_alerts] : [])),
  );
  expect(pushed.at(-1)?.[0]?.dispatch?.outcome).toBe('in_app');
  isAway = false;
  const attempts = rig.shown.length;
  await bench.clock.advance(200_000);
  expect(rig.shown).toHaveLength(attempts);
});

describe('the same mutes, hours and bursts as every rule', () => {
  test('a silence holds it back; at its end it is notified under its own id', async () => {
    const rig = await upWith(priceRule());
    await calls(rig)['silences.add']({
      matchers: symbolMatchers(['SPY']),
      from: null,
      until: iso(bench.clock.now() + minutes(5)),
      comment: '',
    });
    await at(179.9);
    expect([rig.shown, prices(rig)[0]?.notification_status]).toEqual([[], 'waiting']);
    await bench.clock.advance(minutes(6));
    expect(titles(rig)).toEqual([TITLE]);
  });

  test('outside the hours of its rule it is recorded and not notified', async () => {
    const hours: Rule['hours'] = {
      kind: 'daily',
      zone: 'UTC',
      days: [0, 1, 2, 3, 4, 5, 6],
      from: '03:00',
      to: '03:01',
    };
    const rig = await upWith(priceRule({ hours }));
    await at(179.9);
    expect(rig.shown).toEqual([]);
    expect(prices(rig)).toMatchObject([
      { decision: 'outside_hours:dip', notification_status: 'none', needs_attention: false },
    ]);
  });

  test('prices of one instant are one notification', async () => {
    const rig = await upWith(priceRule({ scope: { kind: 'watched' } }));
    for (const symbol of ['SPY', 'QQQ', 'IWM']) bench.service.prices.set(symbol, { price: 185 });
    await bench.clock.advance(2_500);
    for (const symbol of ['SPY', 'QQQ', 'IWM']) bench.service.prices.set(symbol, { price: 170 });
    await bench.clock.advance(10_000);
    const watched = rig.snapshot().rows.map(({ symbol }) => symbol);
    const expected = ['SPY', 'QQQ', 'IWM'].filter((symbol) => watched.includes(symbol));
    expect(expected.length).toBeGreaterThan(1);
    expect(new Set(rig.shown.map(({ id }) => id)).size).toBe(1);
    expect(rig.shown.at(-1)?.title).toBe(`[SANDBOX] ${expected.length} alerts, ${expected.length} symbols`);
    expect(prices(rig).filter(({ needs_attention }) => needs_attention)).toHaveLength(expected.length);
  });
});

describe('a restart', () => {
  test('a crossing during the downtime is notified with the first price, and only once', async () => {
    const rig = await upWith(priceRule());
    await at(184);
    await bench.down(rig);
    bench.service.prices.set('SPY', { price: 170 });
    const again = await restart(rig);
    expect(titles(again)).toEqual(['[SANDBOX] SPY is at 170.00, at or below 180.00']);
    await at(169);
    await bench.down(again);
    const third = await restart(again);
    await at(168);
    expect([third.shown, prices(third).length]).toEqual([[], 1]);
  });

  test('a kill between writing the event and its state neither loses nor doubles it', async () => {
    let isKilled = false;
    bench.service.prices.set('SPY', { price: 185 });
    const rig = await bench.up({
      ledger: {
        change(ledger) {
          const { priceStates } = ledger;
          const put: typeof priceStates.put = (...args) => {
            if (isKilled) throw new Error('killed');
            priceStates.put(...args);
          };
          return { ...ledger, priceStates: { ...priceStates, put } };
        },
      },
    });
    await calls(rig)['rules.save']({ rule: priceRule() });
    await at(184);
    isKilled = true;
    await at(179.9);
    await at(179.8);
    expect(titles(rig)).toEqual([TITLE]);
    await bench.down(rig);
    const again = await restart(rig);
    await at(179.7);
    expect([again.shown, prices(again).length]).toEqual([[], 1]);
    // The price is still watched.
    await at(185);
    await at(179);
    expect(titles(again)).toEqual(['[SANDBOX] SPY: 2 alerts']);
  });

  test('a crossing gets an id of this run: an earlier run may have used the old id for an unwritten crossing', async () => {
    const rig = await upWith(priceRule());
    await at(184);
    await bench.down(rig);
    const startedAt = bench.clock.now();
    const again = await restart(rig);
    await at(185);
    await at(179.9);
    expect(titles(again)).toEqual([TITLE]);
    expect(Number(prices(again)[0]?.event_id.split(':').at(-1))).toBeGreaterThanOrEqual(startedAt);
  });

  test('a crossing that a run could not write has the same id in the next', async () => {
    const rig = await upWith(priceRule());
    await at(184);
    await bench.down(rig);
    let isReadOnly = true;
    const options: Parameters<typeof bench.rig>[0] = {
      ledger: {
        open(...args) {
          if (isReadOnly && args[0] !== ':memory:') throw new SqliteError('unable to open', 'SQLITE_CANTOPEN');
          return openDatabase(...args);
        },
      },
    };
    const blocked = await restart(rig, options);
    await at(185);
    await at(179.9);
    const [inMemory] = prices(blocked);
    expect(titles(blocked)).toContain(TITLE);
    await bench.down(blocked);
    isReadOnly = false;
    const again = await restart(rig, options);
    expect(prices(again).map(({ event_id }) => event_id)).toEqual([inMemory?.event_id]);
  });

  test('the price of the last run causes no crossing', async () => {
    const rig = await upWith(priceRule());
    await at(184);
    await bench.down(rig);
    bench.service.prices.set('SPY', { price: 170 });
    bench.service.fault = ({ path }) => (path === '/snapshot' ? 'unreachable' : null);
    const again = await restart(rig);
    await bench.clock.advance(10_000);
    expect(again.shown).toEqual([]);
    bench.service.fault = null;
    await bench.clock.advance(2_500);
    expect(again.shown).toHaveLength(1);
  });
});

test('an old price fires nothing, and the next good one does', async () => {
  const rig = await upWith(priceRule());
  bench.service.prices.set('SPY', { price: 170, data_health: 'quarantined' });
  await bench.clock.advance(5_000);
  expect(prices(rig)).toEqual([]);
  await at(171);
  expect(titles(rig)).toEqual(['[SANDBOX] SPY is at 171.00, at or below 180.00']);
});

test('a rule that was changed or disabled begins with the present price', async () => {
  const rig = await upWith(priceRule());
  await calls(rig)['rules.save']({ rule: priceRule({ enabled: false }) });
  await at(170);
  await calls(rig)['rules.save']({ rule: priceRule() });
  await at(169);
  expect(rig.shown).toEqual([]);
  await calls(rig)['rules.save']({ rule: priceRule({ price: { ...BELOW, level: 165 } }) });
  await at(164);
  expect(titles(rig)).toEqual(['[SANDBOX] SPY is at 164.00, at or below 165.00']);
});

test('a change within minutes is measured over the polled prices, also across a restart', async () => {
  const rig = await upWith(priceRule({ price: { kind: 'change', direction: 'up', percent: 2, minutes: 15 } }));
  await bench.clock.advance(minutes(2));
  await at(186);
  await bench.down(rig);
  bench.service.prices.set('SPY', { price: 190 });
  const again = await restart(rig);
  expect(titles(again)).toEqual(['[SANDBOX] SPY is up 2.70\u00a0% within 15 minutes, at 190.00']);
});

describe('rules that could never notify are refused', () => {
  const save = async (more: Partial<Rule>): Promise<string> => {
    const rig = await upWith(rule({}));
    try {
      await calls(rig)['rules.save']({ rule: priceRule(more) });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  test.each([
    ['symbols of no watchlist', { scope: symbols('YYY', 'ZZZ') }, 'YYY, ZZZ are in no watchlist'],
    ['no condition', { price: null }, 'it asks for a price and names none'],
    ['other events', { events: ['price.crossed', 'signal.high_risk'] }, 'goes with “A price” alone'],
    ['a confidence', { min_confidence: 20 }, 'has no chance'],
    ['a hold time', { hold_up_seconds: 5 }, 'a price holds no state'],
    [
      'a fall by the whole',
      { price: { kind: 'change', direction: 'down', percent: 100, minutes: null } },
      'no price falls by 100 %',
    ],
    ['every symbol excepted', { except: ['SPY'] }, 'each of its symbols is an exception too'],
  ] satisfies [string, Partial<Rule>, string][])('%s', async (_name, more, reason) => {
    expect(await save(more)).toContain(reason);
  });

  test('a list without prices', async () => {
    const rig = await bench.up();
    await calls(rig)['watchlist.save']({
      watchlists: [{ id: 'fx', name: 'Currencies', sections: [{ name: '', symbols: ['EURUSD'] }] }],
    });
    await bench.clock.advance(70_000);
    const saving = async () => calls(rig)['rules.save']({ rule: priceRule({ scope: { kind: 'lists', ids: ['fx'] } }) });
    await expect(saving).rejects.toThrow('EURUSD has no price here');
    // A disabled rule is saved all the same.
    await calls(rig)['rules.save']({ rule: priceRule({ enabled: false, scope: { kind: 'lists', ids: ['fx'] } }) });
  });
});

test('the history is read page by page', async () => {
  const rig = await upWith(priceRule());
  for (const price of [179, 185, 178, 185, 177]) await at(price);
  const first = await calls(rig)['localAlerts.read']({ before: null, limit: 2 });
  expect(first.rows.map(priceIn)).toEqual([177, 178]);
  const second = await calls(rig)['localAlerts.read']({ before: first.next, limit: 2 });
  expect([second.rows.map(priceIn), second.next]).toEqual([[179], null]);
});

describe('the test of a rule', () => {
  const DAY = 86_400_000;
  const withCloses = (closes: readonly number[]): void => {
    bench.service.fault = ({ path, url }) => {
      if (path !== '/history') return null;
      const now = bench.clock.now();
      const data = closes.map((price, index) => ({
        symbol: url.searchParams.get('symbol'),
        timestamp: iso(now - (closes.length - index) * DAY),
        state: 0,
        state_name: 'normal',
        confidence: 90,
        regime: null,
        price,
        model_version: 'wire-1',
      }));
      return Response.json({ data, has_more: false, next_cursor: null });
    };
  };
  const backtest = async (rig: CoreRig, more: Partial<Rule> = {}) =>
    calls(rig)['priceAlerts.backtest']({ rule: priceRule(more) });

  test('counts from close to close, over 30 days', async () => {
    const rig = await bench.up();
    withCloses([185, ...Array(40).fill(179), 182, 179, 178, 185, 179]);
    expect(await backtest(rig)).toMatchObject({
      symbols: 1,
      untested: [],
      without: [],
      closes: 30,
      notified: 2,
      examples: [{ symbol: 'SPY', price: 179 }, { price: 179 }],
    });
    withCloses([100, 99, 96, 97, 94]);
    const fall: PriceCondition = { kind: 'change', direction: 'down', percent: 3, minutes: null };
    expect(await backtest(rig, { price: fall })).toMatchObject({
      notified: 2,
      examples: [{ price: 94, change_pct: expect.closeTo(-3.09, 2) }, { price: 96 }],
    });
  });

  test('names conditions that closes cannot show, and symbols without closes', async () => {
    const rig = await bench.up();
    withCloses([185]);
    const within: PriceCondition = { kind: 'change', direction: 'down', percent: 3, minutes: 15 };
    expect(await backtest(rig, { price: within })).toMatchObject({ symbols: 0, untested: ['SPY'] });
    withCloses([]);
    expect(await backtest(rig)).toMatchObject({ symbols: 0, without: ['SPY'], from: null });
  });
});
