// Test: the class, the exchange and the role of a symbol, from instruments.csv or from the symbol alone.

import { expect, it } from 'vitest';
import { inferListing, readListings } from './instruments.ts';

it('takes the exchange of a symbol from instruments.csv, else from its suffix', () => {
  const { listings, problems } = readListings(
    Buffer.from(
      [
        'symbol,asset_class,exchange,calendar',
        'VOD,equity,London,us',
        'SAP.DE,equity,,',
        'SONY,equity,Hong Kong,',
        'NOK.T,equity,,us',
        'BTC,crypto,tokyo,',
        'ABC,,Atlantis,',
        '7203.T,,London,',
      ].join('\n'),
    ),
  );
  expect([...listings].map(([symbol, { calendar }]) => `${symbol} ${calendar}`)).toEqual([
    'VOD london',
    'SAP.DE frankfurt',
    'SONY hong_kong',
    'NOK.T us',
    'BTC always',
    'ABC us',
    '7203.T london',
  ]);
  expect(problems.map(({ line, reason }) => `${line} ${reason.slice(0, 50)}`)).toEqual([
    '7 exchange "atlantis" is unknown; use us, toronto, l',
    '8 exchange london is used, although the name 7203.T ',
  ]);
});

it.each([
  ['SPY', 'etf', 'us', ''],
  ['AAPL', 'equity', 'us', ''],
  ['SPX1950', 'index', 'us', ''],
  ['VIX', 'index', 'us', 'input'],
  ['BTCUSD', 'crypto', 'always', ''],
  ['EURUSD', 'fx', 'fx', ''],
  ['XAUUSD', 'fx', 'fx', ''],
  ['ETH', 'crypto', 'always', ''],
  ['USDJPY', 'fx', 'fx', ''],
  ['GOOGLE', 'equity', 'us', ''],
  ['VOD.L', 'equity', 'london', ''],
  ['7203.T', 'equity', 'tokyo', ''],
  ['^N225', 'index', 'tokyo', ''],
  ['FTSEMIB.MI', 'index', 'milan', ''],
  ['BRK.B', 'equity', 'us', ''],
  ['LINK-USD', 'crypto', 'always', ''],
  ['LINKUSDT', 'crypto', 'always', ''],
  ['XBTUSD', 'crypto', 'always', ''],
  ['EURUSD=X', 'fx', 'fx', ''],
  ['600519.SH', 'equity', 'shanghai', ''],
])('infers the kind of %s', (symbol, assetClass, calendar, role) => {
  const { instrument, calendar: found } = inferListing(symbol);
  expect([instrument.assetClass, found]).toEqual([assetClass, calendar]);
  expect([instrument.regimeOnly, instrument.inputOnly]).toEqual([role === 'regime', role === 'input']);
});
