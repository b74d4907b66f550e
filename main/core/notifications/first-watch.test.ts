// Test: what is High Risk when one begins to watch is notified once, and counted everywhere.
import { describe, expect, test } from 'vitest';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { DEFAULT_RULE } from '../../../shared/settings/alert-rules.ts';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { calls, iso, minutes, rule, topic } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { DEFAULT_SETTINGS, type Settings } from '../profiles/settings.ts';

const bench = setUpCoreBench();
const listOf = (...symbols: string[]): Watchlist => ({ id: 'l', name: 'L', sections: [{ name: 'A', symbols }] });
/** Events of days ago, before Barograph was set up. */
const past = (...changes: readonly (readonly [symbol: string, state: 0 | 1 | 2])[]): EventEnvelope[] =>
  changes.map(([symbol, state], index) =>
    bench.service.emit(symbol, state, { at: iso(bench.clock.now() - minutes(3_000 - index)) }),
  );
const titles = (rig: CoreRig): string[] => rig.shown.map(({ title }) => title.replace('[SANDBOX] ', ''));
let settings: Settings;
const up = async (more: Partial<Settings>): Promise<CoreRig> => {
  settings = { ...DEFAULT_SETTINGS, selected: null, ...more };
  return start();
};
async function start(): Promise<CoreRig> {
  const store = {
    read: () => settings,
    change: (job: (now: Settings) => Settings) => {
      settings = job(settings);
    },
  };
  const rig = bench.rig({ ports: { settings: store } });
  await rig.core.start();
  await bench.clock.advance(10_000);
  return rig;
}
const begin = (list: Watchlist): Promise<CoreRig> => up({ watchlists: [list] });
/** High Risks in the list, in badge and title, and in the inbox of a window. */
const counted = (rig: CoreRig): readonly number[] => {
  const { high, needsAttention } = rig.core.trayView();
  return [high.length, needsAttention.length, rig.snapshot().alerts.filter((one) => one.needs_attention).length];
};

describe('at a first start', () => {
  test('one notification says how many watched symbols are High Risk, and all of them are counted', async () => {
    past(['SPY', 2], ['IWM', 2], ['QQQ', 2], ['IWM', 1], ['AAPL', 0], ['ZZZ', 2]);
    const rig = await begin(listOf('SPY', 'QQQ', 'IWM', 'AAPL'));
    expect(titles(rig)).toEqual(['2 of 4 watched symbols are High Risk now']);
    expect(rig.shown[0]?.names).toHaveLength(2);
    expect(rig.shown[0]?.body).toContain('Also SPY.');
    expect(counted(rig)).toEqual([2, 2, 2]);
    await bench.clock.advance(minutes(3));
    expect(rig.shown).toHaveLength(1);
  });

  test('forty of seventy-five are one notification, and forty in list, badge, title and inbox', async () => {
    const symbols = Array.from({ length: 75 }, (_, index) => `S${index}`);
    bench.service.symbols.push(...symbols);
    past(...symbols.map((symbol, index) => [symbol, index < 40 ? 2 : 0] as const));
    const rig = await begin(listOf(...symbols));
    await bench.clock.advance(minutes(3));
    expect(titles(rig)).toEqual(['40 of 75 watched symbols are High Risk now']);
    expect(counted(rig)).toEqual([40, 40, 40]);
  });

  test('what is High Risk is notified once, across restarts, and a later High Risk has a notification of its own', async () => {
    past(['SPY', 2], ['QQQ', 2], ['XLK', 2]);
    const rig = await begin(listOf('SPY', 'QQQ', 'XLK', 'IWM'));
    bench.service.emit('IWM', 2);
    await bench.clock.advance(5_000);
    expect(titles(rig)).toEqual(['3 of 4 watched symbols are High Risk now', 'IWM is High Risk']);
    await bench.down(rig);
    const again = await start();
    await bench.clock.advance(minutes(2));
    expect(again.shown).toEqual([]);
    expect(counted(again)).toEqual([4, 4, 4]);
  });

  test('the notification does not wait for a log that is read for long, whose events complete what the signals said', async () => {
    const [spy] = past(['SPY', 2], ['QQQ', 2]);
    bench.service.fault = ({ path }) => (path === '/events' ? 'unreachable' : null);
    const rig = await begin(listOf('SPY', 'QQQ', 'IWM'));
    expect(rig.shown).toMatchObject([{ title: '[SANDBOX] 2 of 3 watched symbols are High Risk now' }]);
    expect(counted(rig)).toEqual([2, 2, 2]);
    const alertOf = () => rig.snapshot().alerts.find(({ transition }) => transition.symbol === 'SPY');
    expect(alertOf()).toMatchObject({ assumed: ['from'], sources: ['poll'] });
    bench.service.fault = null;
    await bench.clock.advance(minutes(2));
    expect(alertOf()).toMatchObject({
      transition: { from_state: 0, regime: 'stress', occurred_at: spy?.timestamp },
      sources: ['poll', 'backfill'],
    });
    expect(alertOf()?.assumed).toBeUndefined();
    expect(rig.shown).toHaveLength(1);
    expect(counted(rig)).toEqual([2, 2, 2]);
    expect(rig.snapshot().ledger.events).toBe(2);
  });

  test('a High Risk whose event the log no longer has is notified and counted too, and its event repeats it', async () => {
    const [gone] = past(['SPY', 2], ['QQQ', 2]);
    bench.service.log.splice(0, 1);
    const rig = await begin(listOf('SPY', 'QQQ'));
    expect(rig.shown).toMatchObject([{ title: '[SANDBOX] 2 of 2 watched symbols are High Risk now' }]);
    expect(counted(rig)).toEqual([2, 2, 2]);
    bench.service.write(`id: late\nevent: ${gone?.event}\ndata: ${JSON.stringify({ ...gone, seq: undefined })}\n\n`);
    await bench.clock.advance(minutes(1));
    expect(rig.shown).toHaveLength(1);
    expect(counted(rig)).toEqual([2, 2, 2]);
  });

  test('where no rule notifies, nothing is notified, and what is High Risk is still counted', async () => {
    past(['SPY', 2], ['QQQ', 2]);
    const rig = await up({
      watchlists: [listOf('SPY', 'QQQ', 'IWM')],
      alerting: { rules: [{ ...DEFAULT_RULE, enabled: false }], quiet: null },
    });
    expect(rig.shown).toEqual([]);
    expect(counted(rig)).toEqual([2, 2, 2]);
  });

  test('a rule that leaves a symbol out leaves it out here as well', async () => {
    past(['SPY', 2], ['QQQ', 2]);
    const rig = await up({
      watchlists: [listOf('SPY', 'QQQ')],
      alerting: { rules: [{ ...DEFAULT_RULE, except: ['QQQ'] }], quiet: null },
    });
    expect(rig.shown.map(({ title }) => title)).toEqual(['[SANDBOX] SPY is High Risk']);
    expect(counted(rig)).toEqual([2, 1, 1]);
  });

  test('the notification of a first watch waits for the end of quiet hours', async () => {
    past(['SPY', 2], ['QQQ', 2], ['IWM', 2]);
    const hours = { kind: 'daily', zone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '23:59' } as const;
    const rig = await up({
      watchlists: [listOf('SPY', 'QQQ', 'IWM')],
      alerting: { rules: [DEFAULT_RULE], quiet: { when: 'inside', hours } },
    });
    expect(rig.shown).toEqual([]);
    await calls(rig)['quiet.save']({ quiet: null });
    await bench.clock.advance(10_000);
    expect(rig.shown).toHaveLength(1);
    expect(rig.shown[0]?.names).toHaveLength(3);
  });
});

describe('later', () => {
  test('a symbol and a list that are added are notified in the same way; what is removed and added again, once', async () => {
    past(['SPY', 2], ['QQQ', 2], ['XLK', 2]);
    const rig = await begin(listOf('SPY', 'IWM'));
    expect(titles(rig)).toEqual(['SPY is High Risk']);
    expect(rig.shown[0]?.body).toContain('It was in this state when you began to watch it.');
    const save = async (...symbols: string[]): Promise<void> => {
      await calls(rig)['watchlist.save']({ watchlists: [listOf(...symbols)] });
      await bench.clock.advance(10_000);
    };
    // It turned High Risk while nobody watched it.
    bench.service.emit('ZZZ', 2);
    await bench.clock.advance(1_000);
    await save('SPY', 'IWM', 'ZZZ');
    expect(titles(rig)).toEqual(['SPY is High Risk', 'ZZZ is High Risk']);
    expect(counted(rig)).toEqual([2, 2, 2]);
    await save('SPY', 'IWM', 'ZZZ', 'QQQ', 'XLK', 'AAPL');
    expect(rig.shown.at(-1)?.title).toBe('[SANDBOX] 2 of 3 watched symbols are High Risk now');
    expect(counted(rig)).toEqual([4, 4, 4]);
    await save('SPY', 'IWM');
    expect(counted(rig)).toEqual([1, 1, 1]);
    await save('SPY', 'IWM', 'QQQ', 'ZZZ');
    expect(rig.shown).toHaveLength(3);
    expect(counted(rig)).toEqual([3, 3, 3]);
  });

  test('the channel of a rule gets the same notification', async () => {
    past(['SPY', 2], ['QQQ', 2]);
    await up({
      watchlists: [listOf('SPY', 'QQQ')],
      alerting: {
        rules: [rule({ id: 'high-risk', channels: ['desk'] })],
        channels: [topic('http://127.0.0.1:18787/topic')],
        quiet: null,
      },
    });
    const sent = bench.service.requests.filter(({ url }) => url.pathname.includes('topic') || url.pathname === '/');
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
