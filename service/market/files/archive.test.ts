// Service, test: zip archives and workbooks as files of prices: each file and sheet is read, or refused with its cure.
import AdmZip from 'adm-zip';
import { describe, expect, it } from 'vitest';
import { partsOf } from './archive.ts';
import { readPriceTable } from './price-table.ts';
import type { Part } from './table.ts';

const CSV = 'Date,Close\n2024-01-16,183.63\n2024-01-17,182.68\n';

function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const archive = new AdmZip();
  for (const [name, content] of Object.entries(files)) archive.addFile(name, Buffer.from(content as string));
  return archive.toBuffer();
}
/** The closes by symbol of each part, or why it has none. */
function read(bytes: Uint8Array, name = 'all.zip'): unknown[] {
  return [...partsOf(name, bytes)].map(({ name, content }: Part) => {
    const table = typeof content === 'string' ? content : readPriceTable(content, name);
    if (typeof table === 'string') return [name, table];
    return [name, ...table.rows.map(({ symbol, when, close }) => `${symbol} ${when.date} ${close}`)];
  });
}
const rows = (symbol: string): string[] => [`${symbol} 2024-01-16 183.63`, `${symbol} 2024-01-17 182.68`];

describe('a zip archive', () => {
  it('gives each price file of any of its folders, named after itself', () => {
    const bytes = zip({ 'data/us/aapl.us.txt': CSV, 'MSFT.csv': CSV, 'readme.md': 'x', '__MACOSX/._MSFT.csv': 'x' });
    expect(read(bytes)).toEqual([
      ['all.zip/data/us/aapl.us.txt', ...rows('AAPL')],
      ['all.zip/MSFT.csv', ...rows('MSFT')],
    ]);
  });

  it('loses no other file to one that is damaged', () => {
    const bytes = zip({ 'AAPL.csv': CSV, 'MSFT.csv': CSV });
    // The first byte of the first file, behind its header.
    const at = 30 + 'AAPL.csv'.length;
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    const [damaged, whole] = read(bytes);
    expect(damaged).toEqual([
      'all.zip/AAPL.csv',
      expect.stringMatching(/^it cannot be unpacked \(.+\); fetch the archive/),
    ]);
    expect(whole).toEqual(['all.zip/MSFT.csv', ...rows('MSFT')]);
  });

  it('is refused where it holds no price file, another archive, or more than a file may have', () => {
    expect(read(zip({ 'a.md': 'x' }))).toEqual([['all.zip', expect.stringContaining('it has no price file')]]);
    expect(read(zip({ 'AAPL.csv': zip({ 'AAPL.csv': CSV }) }))).toEqual([
      ['all.zip/AAPL.csv', 'it is an archive in an archive; unpack it'],
    ]);
    const bomb = zip({ 'AAPL.csv': CSV });
    // The size that the directory at the end says.
    bomb.writeUInt32LE(300 * 1024 * 1024, bomb.lastIndexOf('PK\u0001\u0002') + 24);
    expect(read(bomb)).toEqual([['all.zip', expect.stringContaining('its files have more than 256 MB together')]]);
    const liar = zip({ 'AAPL.csv': CSV.repeat(1000) });
    liar.writeUInt32LE(10, liar.lastIndexOf('PK\u0001\u0002') + 24);
    expect(read(liar)).toEqual([['all.zip/AAPL.csv', expect.stringContaining('it cannot be unpacked')]]);
    expect(read(zip({ 'AAPL.csv': CSV }).subarray(0, 60))).toEqual([
      ['all.zip', expect.stringContaining('it cannot be unpacked')],
    ]);
  });
});

describe('a workbook', () => {
  const sheet = (...cells: readonly string[]): string =>
    `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`;
  const HEAD = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Close</t></is></c></row>';
  const STYLES =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]d. mmm yyyy;@"/><numFmt numFmtId="165" formatCode="0.00 &quot;USD&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';
  function workbook(sheets: Readonly<Record<string, string>>, attributes = ''): Buffer {
    const names = Object.keys(sheets);
    const listed = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index}"/>`);
    const related = names.map((_, index) => `<Relationship Id="rId${index}" Target="worksheets/sheet${index}.xml"/>`);
    return zip({
      'xl/workbook.xml': `<workbook><workbookPr ${attributes}/><sheets>${listed.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${related.join('')}</Relationships>`,
      'xl/sharedStrings.xml': '<sst><si><r><t>Da</t></r><r><t>te</t></r></si><si><t>16.01.2024</t></si></sst>',
      'xl/styles.xml': STYLES,
      ...Object.fromEntries(Object.values(sheets).map((xml, index) => [`xl/worksheets/sheet${index}.xml`, xml])),
    });
  }
  const day = (row: number, serial: number | string, close: number, style = 1): string =>
    `<row r="${row}"><c r="A${row}" s="${style}"><v>${serial}</v></c><c r="C${row}" s="3"><v>${close}</v></c></row>`;

  it('has dates by the style of their cells, from 1900 or 1904, and cells at the columns that they name', () => {
    const prices = sheet(HEAD, day(2, 45307, 183.63), day(3, 45308, 182.68, 2));
    expect(read(workbook({ Sheet1: prices }), 'AAPL.xlsx')).toEqual([['AAPL.xlsx', ...rows('AAPL')]]);
    const later = sheet(HEAD, day(2, 45307 - 1462, 183.63), day(3, 45308.6875 - 1462, 182.68));
    expect(read(workbook({ Sheet1: later }, 'date1904="1"'), 'AAPL.xlsx')).toEqual([['AAPL.xlsx', ...rows('AAPL')]]);
  });

  it('has dates as text, and refuses serials that no style makes a date', () => {
    const text = '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2"><v>183.63</v></c></row>';
    const [[, ...found] = []] = read(workbook({ Sheet1: sheet(HEAD, text) }), 'AAPL.xlsx') as string[][];
    expect(found).toEqual(['AAPL 2024-01-16 183.63']);
    const table = readPriceTable(
      [...partsOf('A.xlsx', workbook({ S: sheet(HEAD, day(2, 45307, 1, 0)) }))][0]?.content as never,
      'A.xlsx',
    );
    expect(typeof table === 'string' ? table : table.problems).toEqual([
      { line: 2, reason: '"45307" is no date; write it as 2020-02-24' },
    ]);
  });

  it('has the symbol that its only sheet names in capitals, unless the file names another', () => {
    const prices = sheet(HEAD, day(2, 45307, 183.63), day(3, 45308, 182.68));
    const open = (name: string, file = 'download.xlsx') => {
      const [part] = [...partsOf(file, workbook({ [name]: prices }))];
      const table = readPriceTable(part?.content as never, file);
      if (typeof table === 'string') return table;
      return table.dialect.symbol ?? table.questions.map(({ choices }) => choices.map(({ value }) => value));
    };
    expect([open('XOM'), open('BRK.B'), open('7203.T'), open('XOM', 'xom.us.xlsx')]).toEqual([
      ...['XOM', 'BRK.B', '7203.T', 'XOM'],
    ]);
    expect(open('XOM', 'CVX.xlsx')).toEqual([['XOM', 'CVX']]);
    expect(open('Exxon')).toEqual([['EXXON', 'DOWNLOAD']]);
    for (const name of ['Sheet1', 'Sheet 2', 'Tabelle1', 'Hoja1', 'Data', 'PRICES', 'Q3', '2024', 'My data'])
      expect([name, open(name)]).toEqual([name, [['DOWNLOAD']]]);
    expect([open('EUR'), open('S')]).toEqual([[['EUR', 'DOWNLOAD']], [['S', 'DOWNLOAD']]]);
    expect(open('Sheet1', 'CVX.xlsx')).toBe('CVX');
  });

  it('with several sheets of prices gives each, and names those that are none', () => {
    const prices = sheet(HEAD, day(2, 45307, 183.63), day(3, 45308, 182.68));
    const bytes = workbook({ AAPL: prices, Notes: sheet('<row r="1"><c r="A1"><v>7</v></c></row>'), MSFT: prices });
    expect(read(bytes, 'book.xlsx')).toEqual([
      ['book.xlsx/AAPL', ...rows('AAPL')],
      ['book.xlsx/Notes', 'this sheet is not read, as none of its rows names columns of dates and closes'],
      ['book.xlsx/MSFT', ...rows('MSFT')],
    ]);
  });
});
