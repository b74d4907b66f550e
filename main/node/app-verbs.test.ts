// Test: the verbs that call the running app, over its socket, with a real core behind it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import { DEFAULT_RULE } from '../../shared/settings/alert-rules.ts';
import { topic } from '../../test/harness/alert-calls.ts';
import { announceCore } from '../../test/harness/app-of-core.ts';
import { setUpCoreBench } from '../../test/harness/core-bench.ts';
import type { CoreRig } from '../../test/harness/core-rig.ts';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { runVerb } from '../../test/harness/verb-run.ts';
import { connectToApp } from '../host/app-client.ts';

const bench = setUpCoreBench();
let folder: TemporaryFolder;
let rig: CoreRig;
let end: () => void;
beforeEach(async () => {
  folder = temporaryFolder();
  rig = await bench.up();
  end = await announceCore(rig, folder.path, bench.clock);
  vi.spyOn(Date, 'now').mockImplementation(() => bench.clock.now());
});
afterEach(() => {
  end();
  vi.restoreAllMocks();
  folder.remove();
});

const run = (...args: string[]) => runVerb(...args, '--data-dir', folder.path);
const recordsOf = async (...args: string[]): Promise<Record<string, unknown>[]> => {
  const { code, out, err } = await run(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};
/** Makes the alert of a symbol. @returns the id of its event */
async function high(symbol: string): Promise<string> {
  const { event_id } = bench.service.emit(symbol, 2);
  await bench.clock.advance(300);
  return event_id;
}

describe('alerts', () => {
  test('alerts are listed newest first, by filter, symbol and number', async () => {
    expect((await run('alerts')).out).toBe('');
    const [spy, qqq] = [await high('SPY'), await high('QQQ')];
    const { out } = await run('alerts');
    expect(out.trim().split('\n')).toEqual([expect.stringContaining(qqq), expect.stringContaining(spy)]);
    expect(out).toMatch(/^\S+Z {2}QQQ +High Risk {2}needs attention {2}notified {2}evt_/);
    const ids = async (...flags: string[]) => (await recordsOf('alerts', 'list', ...flags)).map(({ id }) => id);
    expect(await ids('--symbol', 'spy')).toEqual([spy]);
    expect(await ids('--limit', '1')).toEqual([qqq]);
    expect(await ids('--filter', 'suppressed')).toEqual([]);
    expect(await ids('--prices')).toEqual([]);
    await run('alerts', 'acknowledge', spy);
    expect(await ids('--filter', 'unacked')).toEqual([qqq]);
    expect(await ids('--attention')).toEqual([qqq]);
  });

  test('alerts show shows an alert with what happened to it and why', async () => {
    const id = await high('SPY');
    const { out } = await run('alerts', 'show', id);
    expect(out).toMatch(/^\S+ {2}SPY .*\n {2}\S+ {2}Received {2}by stream\n {2}\S+ {2}Evaluated by your rules/);
    expect(await recordsOf('alerts', 'show', 'spy')).toMatchObject([
      {
        id,
        trace: { event_id: id, steps: expect.arrayContaining([expect.objectContaining({ detail: 'by stream' })]) },
      },
    ]);
  });

  test('alerts are acknowledged with a note, all of them or none', async () => {
    const [spy, qqq] = [await high('SPY'), await high('QQQ')];
    expect(await run('acknowledge', spy, 'nope')).toMatchObject({ code: 1, out: '' });
    expect((await recordsOf('alerts', '--attention')).length).toBe(2);
    expect(await run('acknowledge', spy, 'QQQ', spy, '--note', 'Sold half')).toEqual({
      code: 0,
      out: `acknowledged  SPY  High Risk  ${spy}\nacknowledged  QQQ  High Risk  ${qqq}\n`,
      err: '',
    });
    expect(await recordsOf('alerts')).toMatchObject([{ note: 'Sold half' }, { note: 'Sold half' }]);
    expect(await recordsOf('alerts', '--attention')).toEqual([]);
  });

  test('alerts are snoozed until a time or a change, which silence list shows and silence end ends', async () => {
    await high('SPY');
    expect((await run('alerts', 'snooze', 'SPY', '--for', '2h')).out).toMatch(/^snoozed {2}SPY {2}High Risk/);
    const [mute] = await recordsOf('silence');
    expect(mute).toMatchObject({ kind: 'snooze', until: 'time', pending_count: 1 });
    expect(Date.parse(String(mute?.until_at)) - Date.parse(String(mute?.from))).toBeCloseTo(2 * 3_600_000, -4);
    expect((await run('silence', 'end', String(mute?.id))).code).toBe(0);
    expect((await run('alerts', 'snooze', 'SPY', '--until', 'recovery')).code).toBe(0);
    expect((await run('silence')).out).toContain('until it is Normal');
  });

  test('a text of the service gets no control over the terminal and stays one line', async () => {
    const id = await high('SPY');
    await run('acknowledge', id, '--note', 'a\u001b[2Jb\nc');
    const { out } = await run('alerts', 'show', id);
    expect(out).toContain('Note  a [2Jb c');
    expect(out).not.toContain('\u001b');
  });
});

test('status shows a part a line, and exits with 1 while no data arrives or no rule can notify', async () => {
  const { code, out } = await run('status');
  expect(code).toBe(0);
  expect(out).toMatch(/^profile {8}ok .*\nconnection {5}ok {6}.*receives data\n/);
  expect((await run('rules', 'disable', 'high-risk')).err).toBe('No rule can notify now.\n');
  expect(await run('status')).toMatchObject({ code: 1, out: expect.stringContaining('no rule can notify') });
  expect((await run('rules', 'enable', 'high-risk')).code).toBe(0);
  bench.service.fault = () => 'unreachable';
  bench.service.cut();
  await bench.clock.advance(60_000);
  expect(await run('status')).toMatchObject({ code: 1, out: expect.stringMatching(/^connection {5}down/m) });
});

test('a verb without --profile says which profile it asks where the app has several', async () => {
  expect((await run('status')).err).toBe('');
  expect((await run('profiles', 'add', 'desk', '--env', 'sandbox', '--url', 'http://127.0.0.1:9')).code).toBe(0);
  const said = 'The profile sandbox is asked. --profile NAME asks another one: desk\n';
  expect((await run('due')).err).toMatch(new RegExp(`^${said}`));
  expect((await run('alerts', '--json')).err).toBe(said);
  expect((await run('alerts', '--profile', 'sandbox')).err).toBe('');
  expect((await run('profiles', 'remove', 'desk')).code).toBe(0);
  expect((await run('alerts')).err).toBe('');
});

test('due prints what the lists of the service say, and that there is none', async () => {
  expect(await run('due')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('this service gives no list'),
  });
  expect(await run('due', '--sessions', 'soon')).toMatchObject({ code: 2, err: expect.stringContaining('0 (today)') });
});

test('due reads calendar files without an app, names what is refused, and prints the rest', async () => {
  const day = dateOf(Date.now() + DAY_MS);
  const lists = join(folder.path, 'events');
  mkdirSync(lists);
  const file = join(lists, 'earnings.csv');
  writeFileSync(file, `symbol,date,time\nAAPL,${day},before open\nVOD.L,soon,\nMSFT,2020-01-02,\n`);
  writeFileSync(join(lists, 'rates.ics'), 'no calendar');
  const { code, out, err } = await run('due', '--events', file, '--sessions', '3');
  expect([code, out]).toEqual([0, `${day}  AAPL  Earnings tomorrow before the open  earnings.csv\n`]);
  expect(err).toBe('earnings.csv:3 "soon" is no date; write it as 2026-02-24\n');
  expect((await run('due', '--events', file, '--sessions', '0')).err).toContain(
    'nothing that is due within 0 sessions',
  );
  const { out: json } = await run('due', '--events', file, '--json');
  expect(JSON.parse(json)).toMatchObject({ kind: 'earnings', symbol: 'AAPL', date: day, days: 1 });
  const whole = await run('due', '--events', lists, '--symbol', 'vod.l');
  expect(whole).toMatchObject({ code: 1, out: '', err: expect.stringContaining('rates.ics cannot be read') });
});

test('watch adds symbols to a section that it makes, lists them with their state, and removes them', async () => {
  expect((await run('watch', 'add', 'zzz', 'SPY', '--section', 'Mine')).out).toBe(
    'ZZZ  watched in  Desk list\nSPY  watched in  Desk list\n',
  );
  await high('ZZZ');
  expect((await run('watch', 'list', '--list', 'desk')).out).toContain('ZZZ       High Risk       Desk list, Mine\n');
  expect((await run('watch', 'remove', 'ZZZ')).code).toBe(0);
  expect(await run('watch', 'remove', 'ZZZ')).toMatchObject({ code: 1, err: expect.stringContaining('has no ZZZ') });
  expect((await recordsOf('watch')).map(({ symbol }) => symbol)).not.toContain('ZZZ');
});

test('two edits of a list at once lose nothing', async () => {
  const symbols = ['AAA', 'BBB', 'CCC', 'DDD'];
  const app = connectToApp(folder.path, null);
  const edit = (symbol: string) => app.call('watchlist.edit', { list: null, section: null, add: [symbol], remove: [] });
  await Promise.all(symbols.map(edit));
  expect((await recordsOf('watch')).map(({ symbol }) => symbol)).toEqual(expect.arrayContaining(symbols));
});

test('silence holds back the alerts that meet every condition until it ends', async () => {
  const flags = ['--symbols', 'spy,QQQ', '--states', 'High Risk', '--for', '1d', '--comment', 'Earnings'];
  const [silence] = await recordsOf('silence', 'add', ...flags);
  expect((await run('silence')).out).toMatch(/ {2}silence {2}SPY, QQQ · High Risk {2}\S+ to \S+ {2}Earnings\n$/);
  await high('SPY');
  expect((await run('alerts', '--filter', 'suppressed')).out).toContain('SPY');
  expect(await recordsOf('silence', 'end', String(silence?.id))).toEqual([{ done: 'ended', id: silence?.id }]);
});

test('rules and channels are listed without the address of a channel; what-if tests one of the app, or of a file', async () => {
  await high('SPY');
  await rig.core.handlers['channels.save']({ channel: topic('https://ntfy.sh/secret-topic') });
  await rig.core.handlers['rules.save']({ rule: { ...DEFAULT_RULE, id: 'phone', channels: ['desk'] } });
  expect((await run('rules')).out).toMatch(
    /^high-risk {2}on {2}High Risk of a watched symbol {2}High Risk · any watched/,
  );
  const listed = await recordsOf('channels');
  expect(listed).toEqual([{ id: 'desk', name: 'Desk', kind: 'ntfy', rules: ['phone'], problem: null }]);
  expect(JSON.stringify([await recordsOf('rules'), listed])).not.toContain('secret-topic');
  expect((await run('rules', 'what-if', 'high-risk')).out).toContain('it would have notified you 1 time');
  const file = join(folder.path, 'rule.json');
  writeFileSync(file, JSON.stringify({ ...DEFAULT_RULE, id: 'mine', scope: { kind: 'symbols', symbols: ['QQQ'] } }));
  expect(await recordsOf('rules', 'what-if', '--file', file)).toMatchObject([{ rule: 'mine', notified: 0 }]);
  expect((await recordsOf('rules')).map(({ id }) => id)).toEqual(['high-risk', 'phone']);
});

test('rules are exported without addresses, and imported once, after a dry run that saves nothing', async () => {
  await rig.core.handlers['channels.save']({ channel: topic('https://ntfy.sh/secret-topic') });
  const phone = { ...DEFAULT_RULE, id: 'phone', name: 'Phone', channels: ['desk'] };
  await rig.core.handlers['rules.save']({ rule: phone });
  const file = join(folder.path, 'rules.json');
  expect((await run('rules', 'export', file)).out).toBe(
    'exported  high-risk  High Risk of a watched symbol\nexported  phone  Phone\n',
  );
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('secret-topic');
  expect(await run('rules', 'import', file)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^left out.*already/),
  });
  const [, exported] = JSON.parse(text).rules;
  const other = { ...exported, name: 'Other', channels: ['desk', 'pager'] };
  const broken = { ...exported, name: 'Broken', min_confidence: 200 };
  writeFileSync(file, JSON.stringify({ ...JSON.parse(text), rules: [other, broken] }));
  const dry = await run('rules', 'import', file, '--dry-run');
  expect(dry).toMatchObject({ code: 1, err: '' });
  expect(dry.out).toMatch(/^would import {2}other {2}on {2}Other {2}High Risk.*Without pager.*phone is taken/);
  expect(dry.out).toMatch(/\nleft out {2}Broken {2}min_confidence .* Correct it in the file/);
  expect((await recordsOf('rules')).map(({ id }) => id)).toEqual(['high-risk', 'phone']);
  expect((await run('rules', 'import', file)).code).toBe(1);
  expect((await recordsOf('rules')).map(({ id }) => id)).toEqual(['high-risk', 'phone', 'other']);
});

test.each([
  [2, /Give the id of an event, or a symbol\./, ['alerts', 'show', '']],
  [2, /at most 500 characters/, ['acknowledge', 'SPY', '--note', 'x'.repeat(501)]],
  [1, /nope is no event of this ledger.*alerts list/, ['alerts', 'show', 'nope']],
  [1, /There is no channel nope/, ['channels', 'test', 'nope']],
  [1, /no alert of a symbol SPY needs attention/, ['alerts', 'snooze', 'SPY', '--for', '1h']],
  [2, /Give --for with a duration like 1h, or --until/, ['alerts', 'snooze', 'SPY']],
  [2, /--for soon: it must be like 30m, 4h or 2d/, ['alerts', 'snooze', 'SPY', '--for', 'soon']],
  [2, /--for 0h: it must be like/, ['silence', 'add', '--all', '--for', '0h']],
  [2, /--until yesterday: it must be an ISO 8601 date/, ['silence', 'add', '--all', '--until', 'yesterday']],
  [1, /would end at 2020-01-01T00:00:00.000Z, before it begins/, ['silence', 'add', '--all', '--until', '2020-01-01']],
  [2, /or --all alone for every alert/, ['silence', 'add', '--for', '1h']],
  [2, /or --all alone/, ['silence', 'add', '--for', '1h', '--all', '--symbols', 'SPY']],
  [2, /--classes gold: it must be one of equity/, ['silence', 'add', '--for', '1h', '--classes', 'gold']],
  [2, /--states red: must be normal/, ['silence', 'add', '--for', '1h', '--states', 'red']],
  [
    2,
    /--list Nope: there is no such watchlist\. Watchlists: Desk list/,
    ['silence', 'add', '--for', '1h', '--list', 'Nope'],
  ],
  [1, /ended already/, ['silence', 'end', '7']],
  [2, /ID x: it must be a number/, ['silence', 'end', 'x']],
  [2, /--filter new: it must be one of all, notified/, ['alerts', '--filter', 'new']],
  [2, /--limit 0: it must be a number from 1 to 10000/, ['alerts', '--limit', '0']],
  [2, /--prices takes no --filter/, ['alerts', '--prices', '--filter', 'ended']],
  [2, /too many arguments for 'list'/, ['alerts', 'nope']],
  [2, /SYMBOL S P: this is no symbol/, ['watch', 'add', 'S P']],
  [1, /There is no watchlist Nope\. Watchlists: Desk list\./, ['watch', 'add', 'SPY', '--list', 'Nope']],
  [1, /There is no rule nope\. Rules: high-risk\./, ['rules', 'enable', 'nope']],
  [2, /Give the id of a rule, or --file/, ['rules', 'what-if']],
  [2, /--file \/nowhere: ENOENT/, ['rules', 'what-if', '--file', '/nowhere']],
  [2, /^barograph: \/nowhere: ENOENT/, ['rules', 'import', '/nowhere']],
  [2, /\/nowhere\/rules\.json: ENOENT/, ['rules', 'export', '/nowhere/rules.json']],
  [1, /not a file of rules: it is not JSON/, ['rules', 'import', import.meta.filename]],
  [1, /The profile desk does not run here/, ['status', '--profile', 'desk']],
] as const)('wrong input ends with code %i and one line: %s', async (code, said, args) => {
  const result = await run(...args);
  expect(result).toMatchObject({ code, out: '', err: expect.stringMatching(said) });
  expect(result.err.trim()).not.toContain('\n');
});

test.each(['alerts', 'status', 'watch', 'silence', 'rules'])(
  '%s: without a running app ends with code 2',
  async (verb) => {
    expect(await runVerb(verb, '--data-dir', '/nowhere')).toEqual({
      code: 2,
      out: '',
      err: 'barograph: Barograph does not run in /nowhere. Start it: npm start\n',
    });
  },
);
