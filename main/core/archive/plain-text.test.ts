// Test: the plain text of Markdown and HTML documents, in linear time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test('links of Markdown leave their text; rules and tables leave none', () => {
  const read = (body: string): string => plainText(body, 'text/markdown');
  expect(read('a [b](c) ![d](e) [f] (g) [h](i')).toBe('a b d [f] (g) [h](i');
  expect(read('a\n\n - - -\n\n| b | c |\n| :-- | --- |\n~~~ js\nd')).toBe('a b c d');
  const parts = ['[', ']', '(', ')', '](', '!', 'a', ' ', '\n'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 30 }), (chosen) => {
      const body = chosen.join('');
      const links = body.replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1');
      expect(read(body)).toBe(links.replaceAll(/\s+/g, ' ').trim());
    }),
    { numRuns: 500 },
  );
});

// A search that restarts at each of them would take hours.
test.each(['[', '[](', '![a](b', '[a', '- ', ' ', '| '])(
  'two million characters of "%s" are read in one pass',
  (piece) => {
    const body = `${piece.repeat(2_000_000 / piece.length)}.`;
    expect(plainText(body, 'text/markdown; charset=utf-8')).toMatch(/\.$/);
  },
);
