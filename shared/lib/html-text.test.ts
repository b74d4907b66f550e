// Test: markup is removed in linear time.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutMarkup, withoutTags } from './html-text.ts';

test('tags, comments and hidden elements become blanks; entities and unclosed tags stay', () => {
  expect(withoutMarkup('<p class="a">One &lt;<b>two</b></p>')).toBe(' One &lt; two  ');
  expect(withoutMarkup('a<script>if (1 < 2) x()</SCRIPT >b<style\n>c</style>d<template><p>e</p></template>f')).toBe(
    'a b d f',
  );
  expect(withoutMarkup('a<!-- 1 > 0 -->b')).toBe('a b');
  expect(withoutMarkup('a<scripted>b')).toBe('a b');
  expect(withoutMarkup('1 < 2 and <!-- never closed')).toBe('1 < 2 and <!-- never closed');
  expect(withoutTags('<script>x</script>')).toBe(' x ');
});

test('it removes the same segments as a search for each pair', () => {
  const parts = [
    '<',
    '>',
    '<script',
    '<script>',
    '</script>',
    '</ script',
    '<!--',
    '-->',
    'a',
    ' ',
    '<style ',
    '</style\n>',
    '-',
  ];
  const pairs = (html: string): string =>
    ['script', 'style', 'template']
      .reduce((text, name) => text.replaceAll(new RegExp(`<${name}\\b[\\s\\S]*?</${name}\\s*>`, 'gi'), ' '), html)
      .replaceAll(/<!--[\s\S]*?-->/g, ' ')
      .replaceAll(/<[^>]*>/g, ' ');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (chosen) => {
      const html = chosen.join('');
      expect(withoutMarkup(html)).toBe(pairs(html));
    }),
    { numRuns: 500 },
  );
});

// A search for pairs takes hours for each of these; one pass takes milliseconds.
test.each(['<', '<script', '<script>', '<!--', '<style >', '<template '])(
  'two million characters of %s are read in one pass',
  (piece) => {
    const html = piece.repeat(2_000_000 / piece.length);
    expect(withoutMarkup(html).length).toBeGreaterThan(0);
  },
);
