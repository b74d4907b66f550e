// Test: how a body of another program is read: any text becomes an alert, and what is unknown is never quieter.
import { describe, expect, test } from 'vitest';
import { DEFAULT_MAPPING, foreignBody, readForeign, tradingViewExample } from './foreign-alerts.ts';

const NOW = Date.parse('2026-03-02T15:00:00.000Z');
const read = (body: unknown, more: Partial<typeof DEFAULT_MAPPING> = {}) =>
  readForeign(typeof body === 'string' ? body : JSON.stringify(body), { ...DEFAULT_MAPPING, ...more }, NOW);

test('a JSON body gives its fields by the mapping', () => {
  const at = '2026-03-02T14:59:00Z';
  const body = { ticker: 'NASDAQ:aapl', title: 'Cross', message: 'Over 200', severity: 'Warning', time: at, id: 7 };
  expect(read(body)).toEqual({
    alert: { title: 'Cross', text: 'Over 200', severity: 1, problems: [] },
    symbol: 'AAPL',
    at: Date.parse(at),
    id: '7',
  });
});

test('a path names nested fields and members of lists', () => {
  const mapping = { title: 'alerts.0.labels.name', severity: 'alerts.0.level', elevated: ['p3'] };
  expect(read({ alerts: [{ labels: { name: 'Disk full' }, level: 'P3' }] }, mapping).alert).toMatchObject({
    title: 'Disk full',
    severity: 1,
  });
});

test('plain text is an alert whose title is its first line', () => {
  expect(read('SPY crossed 500\nby 1 %')).toMatchObject({
    alert: { title: 'SPY crossed 500', text: 'SPY crossed 500\nby 1 %', severity: 2, problems: ['severity'] },
    symbol: null,
    at: NOW,
    id: null,
  });
  expect(read('one line').alert).toMatchObject({ title: 'one line', text: '' });
});

describe('what is unknown counts as High Risk, and is said', () => {
  test.each([
    ['no severity', { title: 'x' }, ['severity']],
    ['an unknown severity', { title: 'x', severity: 'mauve' }, ['severity']],
    ['an object as severity', { title: 'x', severity: { level: 0 } }, ['severity']],
    ['broken JSON', '{"title": "x", "severity": "info"', ['json', 'severity']],
    ['no title', { severity: 'high' }, ['title']],
    ['an empty body', '', ['severity', 'empty']],
    ['a symbol that is none', { title: 'x', severity: 2, ticker: 'A B; DROP' }, ['symbol']],
    ['an impossible time', { title: 'x', severity: 'high', time: 'soon' }, ['time']],
    ['a time of last year', { title: 'x', severity: 'high', time: '2025-03-02T15:00:00Z' }, ['time']],
    ['a time of tomorrow', { title: 'x', severity: 'high', time: NOW + 86_400_000 }, ['time']],
    ['a name of every object', { constructor: 'x', severity: 'high', title: 'x' }, []],
  ])('%s', (_name, body, problems) => {
    expect(read(body).alert).toMatchObject({ severity: 2, problems });
    expect(read(body).at).toBe(NOW);
  });

  test('a path does not reach what an object inherits', () => {
    expect(read({ severity: 'high' }, { title: 'constructor.name' }).alert).toMatchObject({
      title: '',
      problems: ['title'],
    });
    expect(read('{"__proto__": {"x": "y"}}', { title: 'x' }).alert.title).toBe('');
  });
});

test('texts are shortened, and lose control characters and characters that turn the text around', () => {
  const { alert } = read({ title: `a\u202Eb\u0007c\nd${'x'.repeat(500)}`, message: 'y'.repeat(9_000), severity: 'ok' });
  expect(alert.title).toHaveLength(160);
  expect(alert.title.startsWith('a b c d')).toBe(true);
  expect(alert.text).toHaveLength(2_000);
  expect(alert).toMatchObject({ severity: 0, problems: ['cut'] });
});

test('epoch seconds and milliseconds are times', () => {
  for (const time of [NOW / 1000 - 60, NOW - 60_000, String(NOW - 60_000)])
    expect(read({ title: 'x', severity: 'high', time }).at).toBe(NOW - 60_000);
});

test('the example for TradingView is read by the mapping that it was made for', () => {
  const mapping = { ...DEFAULT_MAPPING, title: 'alert.title', severity: 'alert.level', id: '' };
  const example = tradingViewExample(mapping, 'Read this')
    .replace('{{exchange}}:{{ticker}}', 'NYSE:SPY')
    .replace('{{timenow}}', '2026-03-02T15:00:00Z');
  expect(readForeign(example, mapping, NOW)).toMatchObject({ symbol: 'SPY', alert: { severity: 2, problems: [] } });
  expect(foreignBody({ ...mapping, severity: 'alert.title.deep' }, { title: 'a', severity: 'b' })).toBe(
    '{"alert":{"title":{"deep":"b"}}}',
  );
});
