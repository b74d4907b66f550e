// Test: the positions in tables of brokers and spreadsheets: columns, numbers, and why a row is none.
import { describe, expect, test } from 'vitest';
import { namesPositions, positionsIn, readSheet } from './position-sheet.ts';

const IB_STATEMENT = `Statement,Header,Field Name,Field Value
Statement,Data,Title,Activity Statement
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,Code
Trades,Data,Order,Stocks,USD,TSLA,"2026-11-24, 10:00:00",7,300,O
Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity,Mult,Cost Price,Cost Basis,Close Price,Value,Unrealized P/L,Code
Open Positions,Data,Summary,Stocks,USD,BRK B,10,1,410.5,4105,450,4500,395,
Open Positions,Data,Lot,Stocks,USD,BRK B,4,1,400,1600,450,1800,200,LT
Open Positions,Data,Summary,Stocks,USD,GME,-20,1,25,-500,30,-600,-100,
Open Positions,Total,,Stocks,USD,,,,,3605,,3900,295,
Open Positions,Data,Summary,Stocks,EUR,SAP,5,1,120.25,601.25,130,650,48.75,
Open Positions,Data,Summary,Equity and Index Options,USD,SPY 18DEC26 600 P,2,100,4.1,820,5,1000,180,
`;
const IB_FLEX = `"ClientAccountID","CurrencyPrimary","AssetClass","Symbol","Description","Quantity","MarkPrice","PositionValue","CostBasisPrice","LevelOfDetail"
"U1","USD","STK","AAPL","APPLE INC","50","185.50","9275","150.25","SUMMARY"
"U1","USD","OPT","AAPL  261218C00200000","AAPL CALL","1","9","900","8","SUMMARY"
"U1","USD","STK","AAPL","APPLE INC","20","185.50","3710","140","LOT"
`;
const SCHWAB = `"Positions for account Individual ...123 as of 04:00 PM ET, 2026/11/27"
""
"Symbol","Description","Qty (Quantity)","Price","Mkt Val (Market Value)","Cost Basis","% of Acct (% of Account)","Security Type"
"NVDA","NVIDIA CORP","1,400","$180.10","$252,140.00","$98,000.00","60%","Equity"
"BRK/B","BERKSHIRE HATHAWAY","3","$450.00","$1,350.00","N/A","1%","Equity"
"SPY 12/18/2026 600.00 P","PUT SPDR","-1","$5.00","-$500.00","$410.00","0%","Option"
"Cash & Cash Investments","--","--","--","$2,000.00","--","1%","Cash and Money Market"
"Account Total","","--","--","$254,990.00","$98,410.00","--","--"
`;
const FIDELITY = `\uFEFFAccount Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,Today's Gain/Loss Dollar,Percent Of Account,Cost Basis Total,Average Cost Basis,Type
Z1,Individual,SPAXX**,HELD IN MONEY MARKET,,,,$2069.43,,5%,,,Cash,
Z1,Individual,VOO,VANGUARD S&P 500,18.5,$512.40,+$3.10,"$9,479.40",+$55.80,30%,"$8,448.40",$456.67,Cash,
Z2,Roth IRA,VOO,VANGUARD S&P 500,1.5,$512.40,+$3.10,$768.60,+$4.65,2%,$690.00,$460.00,Cash,
Z1,Individual, -AAPL270115C150,AAPL CALL,2,$9.10,+$0.10,"$1,820.00",+$20.00,5%,$900.00,$4.50,Margin,
Z1,Individual,Pending Activity,,,,,$120.00,,,,,,

"The data and information in this spreadsheet is provided to you solely for your use."
"Date downloaded Nov-27-2026 5:45 p.m ET"
`;

function read(content: string) {
  const sheet = readSheet(content);
  if (sheet?.columns == null) throw new Error('no columns');
  const { rows, left, notes, beyond } = positionsIn(sheet, sheet.columns);
  return {
    ...{ source: sheet.source, unit: sheet.columns.unit, rows, beyond },
    left: left.map(({ row, name, why }) => `${row} ${name}: ${why}`),
    notes: notes.map(({ row, why }) => `${row}: ${why}`),
  };
}
const SHORT = 'a short position: a fall is a gain to it, and only falls are warned of';
const OPTION = 'an option: enter its underlying, with as many shares as it moves like';

describe('the export of a broker', () => {
  test('Interactive Brokers, activity statement: open positions alone, with their currency', () => {
    expect(read(IB_STATEMENT)).toEqual({
      ...{ source: 'Interactive Brokers', unit: 'quantity', beyond: 0, notes: [] },
      rows: [
        { symbol: 'BRK.B', amount: 10, cost: 410.5, currency: 'USD' },
        { symbol: 'SAP', amount: 5, cost: 120.25, currency: 'EUR' },
      ],
      left: [
        '7 BRK B 4: part of a position that has a row of its own',
        `8 GME -20: ${SHORT}`,
        `11 SPY 18DEC26 600 P 2: ${OPTION}`,
      ],
    });
  });
  test('Interactive Brokers, flex query: a lot is part of its summary', () => {
    expect(read(IB_FLEX)).toMatchObject({
      rows: [{ symbol: 'AAPL', amount: 50, cost: 150.25, currency: 'USD' }],
      left: [`3 AAPL  261218C00200000 1: ${OPTION}`, expect.stringContaining('4 AAPL 20: part of')],
    });
  });
  test('Schwab: the cost is of all, in USD; option, cash and total are named', () => {
    expect(read(SCHWAB)).toEqual({
      ...{ source: 'Schwab', unit: 'quantity', beyond: 0, notes: [] },
      rows: [
        { symbol: 'NVDA', amount: 1400, cost: 70, currency: 'USD' },
        { symbol: 'BRK.B', amount: 3, currency: 'USD' },
      ],
      left: [
        `6 SPY 12/18/2026 600.00 P -1: ${OPTION}`,
        '7 Cash & Cash Investments --: cash has no signal',
        '8 Account Total --: a total',
      ],
    });
  });
  test('Fidelity: accounts are added at their mean cost; its notes are no rows', () => {
    expect(read(FIDELITY)).toEqual({
      ...{ source: 'Fidelity', unit: 'quantity', beyond: 0, notes: [] },
      rows: [{ symbol: 'VOO', amount: 20, cost: expect.closeTo(456.92, 2), currency: 'USD' }],
      left: [
        '2 SPAXX**: cash has no signal',
        `5 -AAPL270115C150 2: ${OPTION}`,
        '6 Pending Activity: cash has no signal',
      ],
    });
  });
});

describe('a table with a header', () => {
  test.each([
    ['Ticker,Name,Shares\nAAPL,Apple,"1,200"\nBRK.B,Berkshire,3', 'quantity', { AAPL: 1200, 'BRK.B': 3 }],
    ['symbol;weight\nSPY;12,5\n', 'weight', { SPY: 12.5 }],
    ['symbol;quantity\nSPY;1.200\nQQQ;3,25\n', 'quantity', { SPY: 1200, QQQ: 3.25 }],
    ['symbol\tquantity\nNYSE:IBM\t40', 'quantity', { IBM: 40 }],
    ['symbol,quantity,value\nSPY,2,900', 'quantity', { SPY: 2 }],
    ['Symbol;Qty;Cost\nBTC-USD;0,125;25000\nETH-USD;1,250;1800', 'quantity', { 'BTC-USD': 0.125, 'ETH-USD': 1.25 }],
    ['Symbol;Qty;Cost\nBTC-USD;0.125;25000\nETH-USD;1.250;1800', 'quantity', { 'BTC-USD': 0.125, 'ETH-USD': 1.25 }],
    ['Symbol;Qty;Cost\nBTC-USD;0.125;25000,5\nSAP;1.200;9', 'quantity', { 'BTC-USD': 0.125, SAP: 1200 }],
    ['Symbol;Quantity;Currency\nSAP;1.200;EUR\nBMW;300;EUR', 'quantity', { SAP: 1200, BMW: 300 }],
    ['Symbol,Weight %,Currency\nSAP,60,EUR\nSPY,40,USD', 'weight', { SAP: 60, SPY: 40 }],
    ['Symbol,Asset Class,Quantity\nGLD,Commodities,5', 'quantity', { GLD: 5 }],
    ["symbol,quantity\n'SPY,1'200", 'quantity', { SPY: 1200 }],
  ] as const)('is read with its own numbers: %j', (content, unit, amounts) => {
    const { rows, left, ...found } = read(content);
    expect([found.unit, Object.fromEntries(rows.map(({ symbol, amount }) => [symbol, amount])), left]).toEqual([
      unit,
      amounts,
      [],
    ]);
  });
  test('loses no good row to a bad one, and each says its row and the cure', () => {
    const rows = ['SPY,40,1,USD', ',3,1,USD', 'QQQ,many,1,USD', 'IWM,2,1,Euro', 'SPY,2,1,EUR', 'DIA,3,cheap,USD'];
    expect(read(['symbol,quantity,cost,currency', ...rows].join('\n'))).toMatchObject({
      rows: [
        { symbol: 'SPY', amount: 40, cost: 1, currency: 'USD' },
        { symbol: 'DIA', amount: 3, currency: 'USD' },
      ],
      left: [
        '3 3: no symbol: use 1 to 15 letters, digits or . ^ = -',
        '4 QQQ many: "many" is no amount above 0: write one like 40',
        '5 IWM 2: "Euro" is no currency: write three letters like USD',
        '6 SPY 2: SPY has a row in USD already, and no rate is known',
      ],
      notes: ['7: its cost "cheap" is no number, and is left out'],
    });
  });
  test('adds no values of two currencies, as weights of one book', () => {
    expect(read('Symbol,Value,Currency\nSAP,10000,EUR\nSONY,1500000,JPY\nBMW,1,EUR')).toMatchObject({
      rows: [{ symbol: 'SAP' }, { symbol: 'BMW' }],
      left: ['3 SONY 1500000: its value is in JPY, those of most rows in EUR, and no rate is known'],
    });
  });
  test('the table of any program has the kind and the side of a row', () => {
    const rows = ['AAPL,Option,Long,5', 'TSLA,Equity,Short,50', 'SPY,Equity,Long,1'];
    expect(read(['Symbol,Asset Class,Side,Quantity', ...rows].join('\n'))).toMatchObject({
      rows: [{ symbol: 'SPY', amount: 1 }],
      left: [`2 AAPL 5: ${OPTION}`, `3 TSLA 50: ${SHORT}`],
    });
  });
  test('of more symbols than a list holds counts the others', () => {
    const rows = Array.from({ length: 2003 }, (_, index) => `S${index},1`);
    expect(read(`symbol,quantity\n${rows.join('\n')}`).beyond).toBe(3);
  });
});

test.each([
  ['Symbol,Number of shares\nAAPL,1200', false],
  ['Name,Weight\nApple,40', false],
  ['Symbol,Shares outstanding\nAAPL,9', false],
  ['Symbol,Value\nAAPL,9', false],
  ['Symbol,Quantity\nAAPL,9', true],
  [SCHWAB, true],
] as const)('whether a watchlist brings positions is said by its header: %j', (content, isBook) => {
  const sheet = readSheet(content);
  expect(sheet !== null && namesPositions(sheet)).toBe(isBook);
});

test('text in one column is no table', () => {
  expect([readSheet(''), readSheet('SPY\nQQQ')]).toEqual([null, null]);
});
