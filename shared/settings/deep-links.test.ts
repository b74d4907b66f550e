// Test: deep links: the three forms lead to their routes, every other text to an error.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLink, parseLink } from './deep-links.ts';

describe('a valid link', () => {
  test.each([
    ['barograph://symbol/SPY', { page: 'watch', item: 'SPY' }, null],
    ['barograph://symbol/spy', { page: 'watch', item: 'SPY' }, null],
    // Windows adds a slash, and some programs use upper case.
    ['BAROGRAPH://SYMBOL/SPY/', { page: 'watch', item: 'SPY' }, null],
    ['barograph://symbol/BRK.B', { page: 'watch', item: 'BRK.B' }, null],
    ['barograph://symbol/BTC%2DUSD', { page: 'watch', item: 'BTC-USD' }, null],
    ['barograph://alert/12', { page: 'alerts', item: '12' }, null],
    ['barograph://alert/12?profile=desk-2', { page: 'alerts', item: '12' }, 'desk-2'],
    ['barograph://briefing/brf_01J9', { page: 'briefings', item: 'brf_01J9' }, null],
  ])('%s', (link, route, profile) => {
    expect(parseLink(link)).toEqual({ ok: true, value: { route, profile } });
  });
});

describe('an invalid link', () => {
  test.each([
    'barograph:',
    'barograph://',
    'barograph://symbol',
    'barograph://symbol/',
    'barograph://symbol/SPY/more',
    'barograph://symbol/../alert/1',
    'barograph://symbol/%2e%2e%2f',
    'barograph://symbol/%',
    'barograph://symbol/<script>',
    'barograph://symbol/SPY#x',
    'barograph://symbol/SPY?do=acknowledge',
    'barograph://symbol/SPY?profile=a&do=b',
    'barograph://symbol/SPY?profile=../x',
    'barograph://user@symbol/SPY',
    'barograph://alert/0',
    'barograph://alert/-1',
    'barograph://alert/1e3',
    'barograph://alert/acknowledge',
    'barograph://briefing/a b',
    'barograph://settings/keys',
    'barograph://acknowledge/12',
    ' barograph://alert/12',
    'barograph://alert/12 --data-dir=/tmp',
    'https://alert/12',
    `barograph://briefing/${'x'.repeat(300)}`,
  ])('%s', (link) => {
    expect(parseLink(link)).toMatchObject({ ok: false, error: expect.stringContaining('A link is') });
  });

  test('no text makes it throw, or leads anywhere but to the three pages', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('', 'barograph://', 'barograph://symbol/', 'barograph://alert/'),
        (text, lead) => {
          const parsed = parseLink(lead + text);
          return (
            !parsed.ok ||
            (['watch', 'alerts', 'briefings'].includes(parsed.value.route.page) && parsed.value.route.item !== null)
          );
        },
      ),
    );
  });
});

test('a link is recognised by its scheme', () => {
  expect(['barograph:x', 'Barograph://y', '--x', 'barographs://'].map(isLink)).toEqual([true, true, false, false]);
});
