// Test: the class, the exchange and the role of a symbol, from instruments.csv or from the symbol alone.

import { expect, it } from 'vitest';
import { inferListing, readListings, withoutExchange } from './instruments.ts';

it('takes the exchange of a symbol from instruments.csv, else from its suffix; one that cannot be read leaves it unknown', () => {
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
        '6758.T,,Atlantis,',
        'ETH,crypto,Atlantis,',
      ].join('\n'),
    ),
  );
  expect([...listings].map(([symbol, { calendar }]) => `${symbol} ${calendar}`)).toEqual([
    'VOD london',
    'SAP.DE frankfurt',
    'SONY hong_kong',
    'NOK.T us',
    'BTC always',
    'ABC unknown',
    '7203.T london',
    '6758.T unknown',
    'ETH always',
  ]);
  expect(problems.map(({ line, reason }) => `${line} ${reason.slice(0, 50)}`)).toEqual([
    '7 exchange "atlantis" is unknown; use us, toronto, l',
    '8 exchange london is used, although the name 7203.T ',
    '9 exchange "atlantis" is unknown; use us, toronto, l',
    '10 exchange "atlantis" is unknown; use us, toronto, l',
  ]);
});

it('reads the currency of a symbol, else takes that of its pair or of its exchange', () => {
  const { listings, problems } = readListings(
    Buffer.from(
      [
        'symbol,asset_class,exchange,currency',
        'VOD,equity,London,GBp',
        'SONY,equity,Tokyo,',
        'SAP.DE,equity,,',
        'IBM,equity,us,',
        'AAPL,equity,,',
        'BP.L,equity,,',
        '^N225,index,,',
        'BTC-EUR,crypto,,',
        'EURUSD,fx,,',
        'X,equity,,dollars',
      ].join('\n'),
    ),
  );
  expect([...listings].map(([symbol, { instrument }]) => `${symbol} ${instrument.currency}`)).toEqual([
    'VOD GBp',
    'SONY JPY',
    'SAP.DE EUR',
    'IBM USD',
    // Nobody says that it is the one of New York, and London quotes pence beside pounds.
    'AAPL undefined',
    'BP.L undefined',
    '^N225 undefined',
    'BTC-EUR EUR',
    'EURUSD USD',
    'X undefined',
  ]);
  expect(problems).toEqual([
    { file: 'instruments.csv', line: 11, reason: 'currency "dollars" is none; write it as USD, EUR or GBp' },
  ]);
});

it('names the symbols of no known exchange, with the cure', () => {
  const listings = ['AAPL', '2330.TW', 'GC=F', '^TWII', '^N225'].map((symbol) => inferListing(symbol));
  expect(withoutExchange(listings).map(({ reason }) => reason)).toEqual([
    '2330.TW, ^TWII: the exchange is not known, so no day counts as a holiday and no hour as closed; name it in the column exchange',
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
  ['^TWII', 'index', 'unknown', ''],
  ['GC=F', 'equity', 'fx', ''],
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

it.each([
  ['commas', 'symbol,name,asset_class,exchange,role\nSAP,"SAP; SE",equity,Frankfurt,regime\n'],
  ['semicolons', '\uFEFFSymbol;Name;Asset class;Exchange;Role\r\nSAP;"SAP; SE";Equity;Frankfurt;regime\r\n'],
  ['tabs', 'symbol\tname\tasset_class\texchange\trole\nSAP\tSAP; SE\tequity\tFrankfurt\tregime\n'],
])('instruments.csv is read with %s between its cells', (_what, text) => {
  const { listings, problems } = readListings(Buffer.from(text));
  expect(problems).toEqual([]);
  expect(listings.get('SAP')).toMatchObject({
    instrument: { name: 'SAP; SE', assetClass: 'equity', regimeOnly: true },
    calendar: 'frankfurt',
  });
});

it('a row of instruments.csv with more cells than its header is refused; the symbol is inferred from its ticker', () => {
  const { listings, problems } = readListings(
    Buffer.from('symbol,name,role\nBRK,Berkshire, Inc.,input\nSPY,a,input\n'),
  );
  expect([...listings.keys()]).toEqual(['SPY']);
  expect(problems).toEqual([
    {
      file: 'instruments.csv',
      line: 2,
      reason: 'the row has 4 cells where the header has 3; put a cell that has a "," between quotes',
    },
  ]);
});
