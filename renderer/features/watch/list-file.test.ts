// Test: reading and writing watchlists as files.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { decodeList, readList, writeList } from './list-file.ts';

const list: Watchlist = {
  id: 'desk',
  name: 'Desk',
  sections: [
    { name: 'Core, large', symbols: ['SPY', '^VIX', 'BRK.B'] },
    { name: 'Odd', symbols: ['=F', '-X'] },
  ],
};

describe('a watchlist as a file', () => {
  it.each(['csv', 'txt'] as const)('survives a round trip through %s', (format) => {
    const back = readList(writeList(list, format), 'Imported');
    expect(back.sections.map((section) => section.symbols)).toEqual([
      ['SPY', '^VIX', 'BRK.B'],
      ['=F', '-X'],
    ]);
    expect(back).toMatchObject({ symbols: 5, unread: [] });
  });

  it('never holds a cell that a spreadsheet would compute', () => {
    const cells = writeList(list, 'csv')
      .split('\n')
      .map((line) => line.split(',').at(-1) ?? '');
    expect(cells.filter((cell) => /^"?[=+\-@]/.test(cell))).toEqual([]);
  });

  it('is read from files of other programs', () => {
    expect(readList('###Tech,NASDAQ:AAPL,msft\nNYSE:IBM', 'Imported').sections).toEqual([
      { name: 'Tech', symbols: ['AAPL', 'MSFT', 'IBM'] },
    ]);
    expect(
      readList('\uFEFFName,Ticker,Sector\nApple,AAPL,Tech\nApple again,aapl,Tech\nExxon,XOM,Energy\n', 'Imported')
        .sections,
    ).toEqual([
      { name: 'Tech', symbols: ['AAPL'] },
      { name: 'Energy', symbols: ['XOM'] },
    ]);
    expect(readList('SPY\r\nQQQ\r\n', 'Imported').sections).toEqual([{ name: 'Imported', symbols: ['SPY', 'QQQ'] }]);
  });

  it('reports what is no symbol', () => {
    expect(readList('SPY, not a symbol at all, QQQ', 'Imported')).toMatchObject({
      symbols: 2,
      unread: ['not a symbol at all'],
    });
  });

  it('reports how many symbols a full section left out', () => {
    const lines = Array.from({ length: 2100 }, (_, number) => `S${number}`);
    expect(readList([...lines, 'S0', 'S2099'].join('\n'), 'Imported')).toMatchObject({ symbols: 2000, beyond: 100 });
    expect(readList(lines.slice(0, 2000).join('\n'), 'Imported')).toMatchObject({ symbols: 2000, beyond: 0 });
  });

  it('keeps the characters of a file that is not UTF-8', () => {
    const text = 'section,symbol\nMünchen,SPY\n';
    const oneByteEach = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const twoBytesEach = new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (letter) => letter.charCodeAt(0)).buffer);
    for (const bytes of [
      new TextEncoder().encode(text),
      new TextEncoder().encode(`\uFEFF${text}`),
      oneByteEach,
      twoBytesEach,
    ])
      expect(readList(decodeList(bytes), 'Imported').sections).toEqual([{ name: 'München', symbols: ['SPY'] }]);
  });

  it('accepts any input without failing, and no symbol twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { sections, symbols } = readList(text, 'Imported');
        const all = sections.flatMap((section) => section.symbols);
        expect([all.length, new Set(all).size]).toEqual([symbols, symbols]);
      }),
    );
  });
});
