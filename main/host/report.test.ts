// Test: a problem report has versions, connections, gaps and log, and nothing private.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plainMessage } from '../../shared/text/message.ts';
import { openLedger } from '../core/ledger/ledger.ts';
import { DEFAULT_SETTINGS, type Settings } from '../core/profiles/settings.ts';
import { writeReport } from './report.ts';

const KEY = 'svc_live_plantedplantedplanted0012';
const NOW = '2026-03-02T14:30:00.000Z';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const rows = [{ symbol: 'SPY', amount: 918_273, cost: 43.21, currency: 'CHF' }];
const settings: Settings = {
  ...DEFAULT_SETTINGS,
  watchlists: DEFAULT_SETTINGS.watchlists.map((list) => ({ ...list, holdings: { unit: 'quantity' as const, rows } })),
  vault: '0123456789ab',
  profiles: [
    ...DEFAULT_SETTINGS.profiles,
    {
      name: 'desk',
      environment: 'production',
      baseUrl: 'https://signals.example/private-path',
      mode: 'auto',
      enabled: true,
      keys: { tier: 'passphrase', saved_at: NOW, prefix: 'svc_live_' },
    },
  ],
};
const report = () => writeReport({ dataFolder: folder, settings, versions: [['Node', '24']], now: NOW });

test('a report has versions, the connection of each profile, gaps, and the last lines of the log', () => {
  mkdirSync(join(folder, 'profiles/desk'), { recursive: true });
  const ledger = openLedger(join(folder, 'profiles/desk'), NOW);
  ledger.openGap('downtime', NOW, null, plainMessage('The service | did not\nanswer.'));
  ledger.close();
  writeFileSync(join(folder, 'barograph.log'), Array.from({ length: 300 }, (_, line) => `{"line":${line}}\n`).join(''));
  const text = report();
  expect(text).toContain('| Node | 24 |');
  expect(text).toContain('| app | not running |');
  expect(text).toContain('| sandbox | sandbox | inside the app | auto | yes | own key | no |');
  expect(text).toContain(`| desk | production | https://signals.example | auto | yes | passphrase | ${NOW} |`);
  expect(text).toContain('### sandbox\n\nThere is no ledger yet.');
  expect(text).toContain(`| ${NOW} | open | no | The service \\| did not answer. |`);
  expect(text).toContain('{"line":200}');
  expect(text).toContain('{"line":299}');
  expect(text).not.toContain('{"line":199}');
});

test('a report names no key, no home folder, no watched symbol, no path of an address, no position and no keychain handle', () => {
  writeFileSync(
    join(folder, 'barograph.log'),
    `{"msg":"in ${homedir()}/x with ${KEY}, Authorization: Bearer abcdefgh12345678"}\n`,
  );
  const text = report();
  const position = ['SPY', '918', '43.21', 'CHF'];
  for (const secret of [
    KEY,
    'planted',
    'abcdefgh12345678',
    'private-path',
    '0123456789ab',
    `${homedir()}/`,
    ...position,
  ])
    expect(text).not.toContain(secret);
  expect(text).toContain('~/x with svc_live_[hidden]');
});

test('watched symbols in gaps and log are replaced, whole words alone, and hide no secret less', () => {
  mkdirSync(join(folder, 'profiles/desk'), { recursive: true });
  const ledger = openLedger(join(folder, 'profiles/desk'), NOW);
  ledger.openGap('downtime', NOW, null, plainMessage('SPY and BRK-B, not SPYGLASS: no data for ^GSPC.'));
  ledger.close();
  const lines = [
    { msg: 'SPY is High Risk\nBRK-B too, (BRK.B) is not', url: `/bars?symbol=${encodeURIComponent('^GSPC')}&limit=1` },
    { symbol: 'SPY', list: ['7203', '17203'], header: 'Authorization: Bearer abcd1234.SPY.efgh5678' },
    { msg: `DELTA of ${homedir()}/SPY` },
  ];
  writeFileSync(join(folder, 'barograph.log'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const [watchlist] = settings.watchlists;
  if (watchlist === undefined) throw new Error('there is no watchlist');
  const sections = [{ name: 'One', symbols: ['SPY', '^GSPC', 'BRK'] }];
  const text = writeReport({
    dataFolder: folder,
    settings: {
      ...settings,
      watchlists: [
        { ...watchlist, sections },
        { ...watchlist, id: 'two', sections: [{ name: 'Two', symbols: ['BRK-B', '7203'] }] },
      ],
      profiles: settings.profiles.map((one) =>
        one.name === 'desk' ? one : { ...one, feed: { name: 'alpaca', symbols: ['DELTA'] } },
      ),
    },
    versions: [['Node', '24']],
    now: NOW,
  });
  expect(text).toContain('| [symbol] and [symbol], not SPYGLASS: no data for [symbol]. |');
  expect(text).toContain('"[symbol] is High Risk\\n[symbol] too, ([symbol].B) is not"');
  expect(text).toContain('/bars?symbol=[symbol]&limit=1');
  expect(text).toContain('{"symbol":"[symbol]","list":["[symbol]","17203"],"header":"Authorization: Bearer [hidden]"}');
  expect(text).toContain('[symbol] of ~/[symbol]');
  expect(text).toContain(`| desk | production | https://signals.example | auto | yes | passphrase | ${NOW} |`);
});

test('a damaged or missing file is reported, and the rest is there', () => {
  mkdirSync(join(folder, 'profiles/desk'), { recursive: true });
  writeFileSync(join(folder, 'profiles/desk/ledger.sqlite'), 'no database');
  const text = report();
  expect(text).toContain('The ledger cannot be read: ');
  expect(text).toContain('There is none.');
});
