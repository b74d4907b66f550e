// Test: parsing a query, and ranking the entries that match.
import { describe, expect, it } from 'vitest';
import { fitting, fittingSymbols, readQuery, scoreOf } from './entries.ts';

const named = (title: string, also = '') => ({ title, also });

describe('a query', () => {
  it('is words in lower case; a leading > restricts it to commands', () => {
    expect(readQuery('  Go  TO ')).toEqual({ text: 'Go  TO', terms: ['go', 'to'], commandsOnly: false });
    expect(readQuery('> theme')).toEqual({ text: 'theme', terms: ['theme'], commandsOnly: true });
    expect(readQuery('>')).toEqual({ text: '', terms: [], commandsOnly: true });
  });
});

describe('entries', () => {
  it('match when title or other words contain every word', () => {
    expect(scoreOf(named('Go to Briefings'), readQuery('brief'))).toBeGreaterThan(0);
    expect(scoreOf(named('Go to Briefings'), readQuery('brief go'))).toBeGreaterThan(0);
    expect(scoreOf(named('Go to Briefings'), readQuery('brief x'))).toBeNull();
    expect(scoreOf(named('Light theme', 'bright day'), readQuery('day'))).toBeGreaterThan(0);
  });

  it('come best first: the beginning before the middle, the middle before the inside of a word', () => {
    const entries = [named('A rerun'), named('Now run'), named('Run the drill')];
    expect(fitting(entries, readQuery('run'), 5).map(({ title }) => title)).toEqual([
      'Run the drill',
      'Now run',
      'A rerun',
    ]);
    expect(fitting(entries, readQuery('run'), 1)).toHaveLength(1);
  });

  it('treat the query as text, not as a pattern', () => {
    expect(fitting([named('a.b')], readQuery('.*'), 5)).toEqual([]);
    expect(scoreOf(named('C++'), readQuery('c++'))).toBeGreaterThan(0);
  });
});

describe('symbols', () => {
  const symbols = ['XLY', 'XLK', 'AXL', 'XL', 'SPY'];
  it('come exact match first, then by prefix, then by substring', () => {
    expect(fittingSymbols(symbols, readQuery('xl'), 9)).toEqual(['XL', 'XLK', 'XLY', 'AXL']);
    expect(fittingSymbols(symbols, readQuery('xl'), 2)).toEqual(['XL', 'XLK']);
  });
  it('are one word', () => {
    expect(fittingSymbols(symbols, readQuery('xl y'), 9)).toEqual([]);
    expect(fittingSymbols(symbols, readQuery(''), 9)).toEqual([]);
  });
});
