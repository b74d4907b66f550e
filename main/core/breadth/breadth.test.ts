// Test: shares of a list in a whole core: recorded, notified once, ended, across restarts, kills and downtime.
import { describe, expect, test } from 'vitest';
import type { LocalAlert } from '../../../shared/channels/state.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { calls, iso, minutes, rule, topic } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig, RigOptions } from '../../../test/harness/core-rig.ts';
import { DEFAULT_SETTINGS, type Settings } from '../profiles/settings.ts';

const bench = setUpCoreBench();

const SYMBOLS = ['SPY', 'QQQ', 'IWM', 'AAPL', 'XLK'];
const HALF = { list: 'tech', percent: 40, state: 2 } as const;
const breadthRule = (more: Partial<Rule> = {}): Rule =>
  rule({ id: 'market', name: 'Market', events: ['breadth.crossed'], min_state: 0, breadth: HALF, ...more });
const settingsWith = (symbols: readonly string[], ...rules: Rule[]): Settings => ({
  ...DEFAULT_SETTINGS,
  watchlists: [{ id: 'tech', name: 'Tech', sections: [{ name: 'All', symbols: [...symbols] }] }],
  alerting: { ...DEFAULT_SETTINGS.alerting, rules },
});

async function start(chosen: Settings, options: Partial<RigOptions> = {}): Promise<CoreRig> {
  const rig = bench.rig({ ...options, settings: chosen });
  await rig.core.start();
  await bench.clock.until(() => rig.snapshot().connection.indicators.open.state === 'ok');
  await bench.clock.advance(2_500);
  return rig;
}
const up = (...rules: Rule[]): Promise<CoreRig> =>
  start(settingsWith(SYMBOLS, ...(rules.length > 0 ? rules : [breadthRule()])));
async function restart(rig: CoreRig): Promise<CoreRig> {
  await bench.down(rig);
  return start(rig.settings);
}
/** Changes states, and waits for one poll of the sandbox. */
async function turn(symbols: readonly string[], state: 0 | 1 | 2 = 2): Promise<void> {
  for (const symbol of symbols) bench.service.emit(symbol, state);
  await bench.clock.advance(2_500);
}
const local = (rig: CoreRig): LocalAlert[] => rig.snapshot().local_alerts;
const titles = (rig: CoreRig): string[] => [...new Set(rig.shown.map(({ title }) => title))];
const TWO = '[SANDBOX] Tech: 2 of 5 (40 %) are High Risk';

test('a share that is reached is notified once, with the symbols, and is an alert of the inbox', async () => {
  const rig = await up();
  await turn(['SPY']);
  expect(rig.shown).toEqual([]);
  await turn(['QQQ']);
  await turn(['IWM', 'AAPL']);
  expect(rig.shown).toMatchObject([{ title: TWO, body: 'SPY, QQQ.', symbol: null, answers: ['acknowledge'] }]);
  const [alert, ...others] = local(rig);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    symbol: null,
    decision: 'matched:market',
    notification_status: 'notified',
    needs_attention: true,
    breadth: { condition: HALF, name: 'Tech', symbols: ['SPY', 'QQQ'], known: 5, of: 5 },
  });
  const { event, steps, silent } = await calls(rig)['alerts.trace']({ ledger_id: alert?.ledger_id ?? 0 });
  expect(event).toBe('breadth.crossed');
  expect(steps.map(({ step, detail }) => `${step} ${optionalText(detail)}`).slice(0, 2)).toEqual([
    'received by poll',
    'evaluated Matches "Market". Notified at once.',
  ]);
  expect(silent).toEqual([]);
});

test('it is over when the share is below four fifths of its percentage, and notified again when it is reached again', async () => {
  const rig = await up(breadthRule({ breadth: { ...HALF, percent: 60 } }));
  await turn(['SPY', 'QQQ', 'IWM']);
  const [first] = local(rig);
  expect(first).not.toHaveProperty('over_since');
  await turn(['SPY', 'QQQ'], 0);
  const [over] = local(rig);
  expect(over).toMatchObject({ ledger_id: first?.ledger_id, over_since: expect.any(String), needs_attention: true });
  const { steps } = await calls(rig)['alerts.trace']({ ledger_id: first?.ledger_id ?? 0 });
  expect(steps.at(-1)).toMatchObject({ step: 'recovered' });
  await bench.clock.pass(minutes(5));
  expect(rig.withdrawn).toEqual([`barograph:${first?.event_id}`]);
  await turn(['AAPL', 'XLK']);
  expect(titles(rig)).toEqual(['[SANDBOX] Tech: 3 of 5 (60 %) are High Risk']);
  expect(new Set(rig.shown.map(({ id }) => id)).size).toBe(2);
  expect(local(rig).map((alert) => 'over_since' in alert)).toEqual([false, true]);
});

test('a share between four fifths of its percentage and the percentage changes nothing', async () => {
  const rig = await up(breadthRule({ breadth: { ...HALF, percent: 50 } }));
  await turn(['SPY', 'QQQ', 'IWM']);
  for (const state of [0, 2, 0, 2] as const) await turn(['IWM'], state);
  expect(rig.shown).toHaveLength(1);
  expect(local(rig)).toHaveLength(1);
});

test('an acknowledgement ends its attention, and its escalation', async () => {
  const escalation: Rule['escalation'] = {
    hours: { kind: 'always' },
    steps: [{ after_minutes: 1, channels: ['desk'] }],
  };
  const rig = await up(breadthRule());
  await calls(rig)['channels.save']({ channel: topic() });
  await calls(rig)['rules.save']({ rule: breadthRule({ escalation }) });
  await turn(['SPY', 'QQQ']);
  await bench.clock.pass(minutes(2));
  const [alert] = local(rig);
  const ledger_id = alert?.ledger_id ?? 0;
  const steps = async () =>
    (await calls(rig)['alerts.trace']({ ledger_id })).steps.filter(({ step }) => step === 'escalated').length;
  expect([rig.core.trayView().needsAttention, await steps()]).toEqual([[ledger_id], 1]);
  await calls(rig)['alerts.acknowledge']({ ledger_ids: [ledger_id], acknowledged: true });
  await bench.clock.advance(1_000);
  expect([rig.core.trayView().needsAttention, rig.withdrawn]).toEqual([[], [`barograph:${alert?.event_id}`]]);
  await turn(['SPY', 'QQQ'], 0);
  await turn(['SPY', 'QQQ']);
  await turn(['SPY', 'QQQ'], 0);
  await bench.clock.pass(minutes(5));
  expect(await steps()).toBe(1);
});

test('several rules on the same share are one notification', async () => {
  const rig = await up(breadthRule(), breadthRule({ id: 'second', name: 'Second' }));
  await turn(['SPY', 'QQQ']);
  expect(rig.shown).toHaveLength(1);
  const [alert] = local(rig);
  const { steps } = await calls(rig)['alerts.trace']({ ledger_id: alert?.ledger_id ?? 0 });
  expect(optionalText(steps[1]?.detail ?? null)).toBe('Matches "Market", "Second". Notified at once.');
});

test('a silence of the list holds it back, and one of a state does not', async () => {
  const rig = await up();
  const silence = { from: null, until: iso(bench.clock.now() + minutes(5)), comment: '' };
  await calls(rig)['silences.add']({ ...silence, matchers: [{ name: 'state', operator: 'is', values: [2] }] });
  await calls(rig)['silences.add']({ ...silence, matchers: [{ name: 'list', operator: 'is', values: ['tech'] }] });
  await turn(['SPY', 'QQQ']);
  expect([rig.shown, local(rig)[0]?.notification_status]).toEqual([[], 'waiting']);
  await bench.clock.pass(minutes(6));
  expect(titles(rig)).toEqual([TWO]);
});

describe('what is not known', () => {
  test('symbols that the service does not cover are not in the share, and are said', async () => {
    const rig = await start(settingsWith([...SYMBOLS.slice(0, 3), 'NONE1', 'NONE2'], breadthRule()));
    await turn(['SPY', 'QQQ']);
    expect(rig.shown).toMatchObject([
      {
        title: '[SANDBOX] Tech: 2 of 3 (66 %) are High Risk',
        body: 'SPY, QQQ. The state of 2 more symbols of the list is not known.',
      },
    ]);
  });

  test('nothing is notified, and nothing over, while fewer than half of the states are known', async () => {
    const rig = await start(settingsWith(['SPY', 'NONE1', 'NONE2'], breadthRule()));
    await turn(['SPY']);
    expect(local(rig)).toEqual([]);
  });

  test('states of an outage change nothing; those after it do', async () => {
    const rig = await up();
    await turn(['SPY', 'QQQ']);
    bench.service.fault = ({ path }) => (path === '/snapshot' ? 'unreachable' : null);
    await turn(['SPY', 'QQQ'], 0);
    await bench.clock.pass(minutes(3));
    expect(local(rig)[0]).not.toHaveProperty('over_since');
    bench.service.fault = null;
    await bench.clock.pass(minutes(3));
    expect(local(rig)[0]).toHaveProperty('over_since');
  });
});

describe('a restart', () => {
  test('what was reached before is not notified again, and what was reached during the downtime is, once', async () => {
    const first = await up();
    await turn(['SPY', 'QQQ']);
    const second = await restart(first);
    expect([second.shown, local(second).length]).toEqual([[], 1]);
    await turn(['SPY', 'QQQ'], 0);
    await bench.down(second);
    for (const symbol of SYMBOLS) bench.service.emit(symbol, 2);
    const third = await start(second.settings);
    expect(titles(third)).toEqual(['[SANDBOX] Tech: 5 of 5 (100 %) are High Risk']);
    const fourth = await restart(third);
    expect([fourth.shown, local(fourth).length]).toEqual([[], 2]);
  });

  test('states of the past that back-fill brings, page by page, are no crossing', async () => {
    const rig = await up();
    bench.service.fault = () => 'unreachable';
    bench.service.cut();
    // The first page of 100 ends while every symbol is High Risk.
    for (let round = 0; round < 40; round += 1) {
      const state = round === 0 ? 1 : round % 2 === 1 ? 2 : 0;
      for (const symbol of SYMBOLS) bench.service.emit(symbol, state);
      await bench.clock.advance(1_100);
    }
    for (const symbol of SYMBOLS) bench.service.emit(symbol, 0);
    bench.service.fault = ({ path }) => (path === '/snapshot' ? 'unreachable' : null);
    await bench.clock.advance(minutes(1));
    expect(rig.core.entries(0, 1_000)).toHaveLength(205);
    bench.service.fault = null;
    await bench.clock.advance(minutes(1));
    expect([titles(rig), local(rig)]).toEqual([[], []]);
  });

  test('a crossing that could not be written is notified with the next poll, once', async () => {
    let isBroken = false;
    const rig = await start(settingsWith(SYMBOLS, breadthRule()), {
      ledger: {
        change: (ledger) => ({
          ...ledger,
          ingest(arrival) {
            if (isBroken && arrival.events.some(({ breadth }) => breadth !== undefined)) throw new Error('full');
            return ledger.ingest(arrival);
          },
        }),
      },
    });
    isBroken = true;
    await turn(['SPY', 'QQQ']);
    expect(rig.shown).toEqual([]);
    isBroken = false;
    await bench.clock.advance(5_000);
    expect(titles(rig)).toEqual([TWO]);
    expect(local(rig)).toHaveLength(1);
  });
});

describe('a rule', () => {
  test('a rule that is saved or enabled while its share is reached is notified at once', async () => {
    const rig = await up(breadthRule({ enabled: false }));
    await turn(['SPY', 'QQQ']);
    expect(rig.shown).toEqual([]);
    await calls(rig)['rules.save']({ rule: breadthRule() });
    await bench.clock.advance(2_500);
    expect(titles(rig)).toEqual([TWO]);
    await calls(rig)['rules.save']({ rule: breadthRule({ name: 'Renamed' }) });
    await bench.clock.advance(5_000);
    expect(local(rig)).toHaveLength(1);
    await calls(rig)['rules.save']({ rule: breadthRule({ enabled: false }) });
    await bench.clock.advance(2_500);
    await calls(rig)['rules.save']({ rule: breadthRule() });
    await bench.clock.advance(2_500);
    expect(local(rig)).toHaveLength(2);
  });

  test.each<[string, Partial<Rule>, string]>([
    ['no share', { breadth: null }, 'names none'],
    ['other events', { events: ['breadth.crossed', 'signal.high_risk'] }, 'goes with “Market breadth” alone'],
    ['a hold time', { hold_up_seconds: 5 }, 'holds no state'],
    ['a list that is gone', { breadth: { ...HALF, list: 'gone' } }, 'There is no watchlist gone.'],
    ['a class', { classes: ['etf'] }, 'has no class'],
  ])('a rule with %s is refused', async (_, more, problem) => {
    const rig = await up();
    await expect((async () => calls(rig)['rules.save']({ rule: breadthRule(more) }))()).rejects.toThrow(problem);
  });
});

test('the test of a rule counts the crossings of the ledger, with those that were brief', async () => {
  const rig = await up(breadthRule({ id: 'other' }));
  await turn(['SPY', 'QQQ']);
  await bench.clock.pass(minutes(60));
  await turn(['SPY', 'QQQ'], 0);
  await turn(['IWM', 'SPY', 'AAPL']);
  await turn(['IWM', 'SPY', 'AAPL'], 0);
  const test = (more: Partial<Rule> = {}) => calls(rig)['rules.backtest']({ rule: breadthRule(more) });
  const found = await test();
  expect(found).toMatchObject({
    matched: 2,
    notified: 2,
    brief: 1,
    evaluated: 10,
    also: [{ rule: 'other', count: 2 }],
  });
  expect(found.examples.map(({ symbol, event }) => [symbol, event])).toEqual([
    ['SPY', 'breadth.crossed'],
    ['QQQ', 'breadth.crossed'],
  ]);
  expect(await test({ breadth: { ...HALF, percent: 80 } })).toMatchObject({ notified: 0, examples: [] });
});
