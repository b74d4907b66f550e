// Test: parsing a query, and ranking the entries that match.
import { describe, expect, it } from 'vitest';
import { fitting, readQuery, scoreOf, splitPrice, splitVerbs } from './entries.ts';

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

describe('verbs', () => {
  const verbs = ['silence', 'acknowledge', 'ack'];
  const split = (typed: string) => splitVerbs(readQuery(typed), verbs);
  it('are divided from what they are about, in either order', () => {
    expect(split('silence Tesla')).toEqual({ verbs: ['silence'], subject: 'tesla' });
    expect(split('spy ackn')).toEqual({ verbs: ['ackn'], subject: 'spy' });
    expect(split('ack')).toEqual({ verbs: ['ack'], subject: '' });
  });
  it('have three letters at least', () => {
    expect(split('si')).toEqual({ verbs: [], subject: 'si' });
  });
});

describe('a price in a query', () => {
  const of = (typed: string) => {
    const { conditions, query } = splitPrice(readQuery(typed));
    return [
      query.text,
      ...conditions.map((one) => `${one.direction} ${one.kind === 'level' ? one.level : `${one.percent} %`}`),
    ];
  };
  it.each([
    ['alert aapl below 180', ['alert aapl below', 'below 180']],
    ['aapl 180.5', ['aapl', 'below 180.5', 'above 180.5']],
    ['alert btc below 64,000', ['alert btc below', 'below 64000']],
    ['btc above 64,000.50', ['btc above', 'above 64000.5']],
    ['eurusd above 1,0845', ['eurusd above', 'above 1.0845']],
    ['aapl rises 3%', ['aapl rises', 'up 3 %']],
    ['aapl 3 %', ['aapl', 'down 3 %', 'up 3 %']],
    ['aapl', ['aapl']],
    ['aapl 0', ['aapl']],
  ])('%s', (typed, expected) => expect(of(typed)).toEqual(expected));
});
