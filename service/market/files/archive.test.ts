// Service, test: zip archives and workbooks as files of prices: each file and sheet is read, or refused with its cure.
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import AdmZip from 'adm-zip';
import { describe, expect, it } from 'vitest';
import { openPriceFile, partsOf } from './archive.ts';
import { readPriceTable } from './price-table.ts';
import type { Part } from './table.ts';
import { sourceOf } from './zip.ts';

const MB = 1024 * 1024;
const CSV = 'Date,Close\n2024-01-16,183.63\n2024-01-17,182.68\n';

function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const archive = new AdmZip();
  for (const [name, content] of Object.entries(files)) archive.addFile(name, Buffer.from(content as string));
  return archive.toBuffer();
}
/** An archive of one file, not packed, as programs write it that do not know its size before: all numbers of eight bytes. */
function largeZip(name: string, text: string): Buffer {
  const record = (
    bytes: number,
    ...fields: readonly (readonly [at: number, size: 2 | 4 | 8, value: number])[]
  ): Buffer => {
    const buffer = Buffer.alloc(bytes);
    for (const [at, size, value] of fields)
      if (size === 8) buffer.writeBigUInt64LE(BigInt(value), at);
      else buffer.writeUIntLE(value, at, size);
    return buffer;
  };
  const [large, content] = [0xffffffff, Buffer.from(text)];
  const file = Buffer.concat([record(30, [0, 4, 0x04034b50], [26, 2, name.length]), Buffer.from(name), content]);
  const sizes = [
    [20, 4, large],
    [24, 4, large],
    [42, 4, large],
  ] as const;
  const directory = Buffer.concat([
    record(46, [0, 4, 0x02014b50], [16, 4, crc32(content)], [28, 2, name.length], [30, 2, 37], ...sizes),
    Buffer.from(name),
    // A field of another program, then the sizes and where the file begins.
    record(9, [0, 2, 0x5455], [2, 2, 5]),
    record(28, [0, 2, 1], [2, 2, 24], [4, 8, content.length], [12, 8, content.length], [20, 8, 0]),
  ]);
  const ends = record(98, [0, 4, 0x06064b50], [32, 8, 1], [40, 8, directory.length], [48, 8, file.length]);
  ends.writeUInt32LE(0x07064b50, 56);
  ends.writeUInt32LE(file.length + directory.length, 64);
  ends.writeUInt32LE(0x06054b50, 76);
  ends.writeUInt16LE(0xffff, 86);
  return Buffer.concat([file, directory, ends]);
}

const partsIn = (name: string, bytes: Uint8Array): Part[] =>
  [...partsOf(name, sourceOf(bytes))].filter((part) => part !== undefined);
/** The closes by symbol of each part, or why it has none. */
function read(bytes: Uint8Array, name = 'all.zip'): unknown[] {
  return partsIn(name, bytes).map(({ name, content }) => {
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

  it('may be of any size; a file in it that is larger than a file may be costs no other', () => {
    const noise = randomBytes(8 * MB);
    const bytes = zip({ 'MSFT.csv': CSV, 'noise.csv': noise });
    bytes.writeUInt32LE(300 * MB, bytes.lastIndexOf('PK\u0001\u0002') + 24);
    expect(read(bytes)).toEqual([
      ['all.zip/MSFT.csv', ...rows('MSFT')],
      ['all.zip/noise.csv', expect.stringContaining('it is larger than 256 MB; split it')],
    ]);
  });

  it('an archive is read where its numbers have eight bytes, its files are not packed, or its comment looks like its end', () => {
    const bytes = zip({ 'AAPL.csv': '' });
    const archive = new AdmZip();
    archive.addFile('AAPL.csv', Buffer.from(CSV), 'PK\u0005\u0006'.padEnd(40, '\u0000'));
    archive.addZipComment('PK\u0005\u0006'.padEnd(40, '\u0000'));
    expect(read(archive.toBuffer())).toEqual([['all.zip/AAPL.csv', ...rows('AAPL')]]);
    expect(read(bytes)).toEqual([['all.zip/AAPL.csv', expect.stringContaining('the file is empty')]]);
    expect(read(largeZip('AAPL.csv', CSV))).toEqual([['all.zip/AAPL.csv', ...rows('AAPL')]]);
  });

  it('a file of an archive that is encrypted, or packed in a way that is not known, is refused with that reason', () => {
    const at = (bytes: Buffer, from: number): number => bytes.lastIndexOf('PK\u0001\u0002') + from;
    const encrypted = zip({ 'AAPL.csv': CSV });
    encrypted.writeUInt16LE(1, at(encrypted, 8));
    expect(read(encrypted)).toEqual([['all.zip/AAPL.csv', expect.stringContaining('it is encrypted')]]);
    const other = zip({ 'AAPL.csv': CSV });
    other.writeUInt16LE(93, at(other, 10));
    expect(read(other)).toEqual([['all.zip/AAPL.csv', expect.stringContaining('unknown method 93')]]);
  });

  it('a file that cannot be read is closed: a folder is asked for it every second', () => {
    for (const failing of [0, 1]) {
      let [reads, closed] = [0, 0];
      const open = () => ({
        ...{ size: 100, writtenAt: 0 },
        read(_: number, length: number) {
          if (reads++ === failing) throw new Error('the disk does not answer');
          return Buffer.alloc(length);
        },
        close: () => void closed++,
      });
      expect(() => openPriceFile('SPY.csv', open)).toThrow('the disk does not answer');
      expect(closed).toBe(1);
    }
  });

  it('is refused where it holds no price file, another archive, or more than a file may have', () => {
    expect(read(zip({ 'a.md': 'x' }))).toEqual([['all.zip', expect.stringContaining('it has no price file')]]);
    expect(read(zip({ 'AAPL.csv': zip({ 'AAPL.csv': CSV }) }))).toEqual([
      ['all.zip/AAPL.csv', 'it is an archive in an archive; unpack it'],
    ]);
    const bomb = zip({ 'AAPL.csv': CSV });
    // The size that the directory at the end says.
    bomb.writeUInt32LE(300 * MB, bomb.lastIndexOf('PK\u0001\u0002') + 24);
    expect(read(bomb)).toEqual([['all.zip', expect.stringMatching(/its files become 300 MB, \d+ times as much/)]]);
    const overlapping = zip({ 'AAPL.csv': CSV, 'MSFT.csv': CSV });
    overlapping.writeUInt32LE(overlapping.length, overlapping.lastIndexOf('PK\u0001\u0002') + 20);
    expect(read(overlapping)).toEqual([['all.zip', expect.stringContaining('its files overlap')]]);
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
      partsIn('A.xlsx', workbook({ S: sheet(HEAD, day(2, 45307, 1, 0)) }))[0]?.content as never,
      'A.xlsx',
    );
    expect(typeof table === 'string' ? table : table.problems).toEqual([
      { line: 2, reason: '"45307" is no date; write it as 2020-02-24' },
    ]);
  });

  it('a workbook has the symbol that its only sheet names in capitals, unless the file names another', () => {
    const prices = sheet(HEAD, day(2, 45307, 183.63), day(3, 45308, 182.68));
    const open = (name: string, file = 'download.xlsx') => {
      const [part] = partsIn(file, workbook({ [name]: prices }));
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

  it('a workbook is read in slices, also where a row ends in another slice or its elements have a prefix', () => {
    const days = Array.from({ length: 5_000 }, (_, at) => day(at + 2, 30_000 + at, at + 1));
    const xml = sheet(HEAD, ...days, '<row r="9000"/>');
    for (const book of [xml, xml.replaceAll('<', '<x:').replaceAll('<x:/', '</x:')]) {
      const parts = [...partsOf('AAPL.xlsx', sourceOf(workbook({ Sheet1: book })))];
      expect(parts.filter((part) => part === undefined).length).toBeGreaterThan(4);
      const table = readPriceTable(parts.at(-1)?.content as never, 'AAPL.xlsx');
      expect(typeof table === 'string' ? table : table.rows.map(({ line, close }) => [line, close])).toEqual(
        days.map((_, at) => [at + 2, at + 1]),
      );
    }
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
