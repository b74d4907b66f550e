// Test: named characters of Markdown.
import { expect, test } from 'vitest';
import { decodeNamedCharacterReference } from './named-reference.ts';

test('a named character is one of HTML, whole and with its semicolon', () => {
  const read = ['amp', 'nbsp', 'notin', 'semi', 'NotEqualTilde', 'notit', 'copyx', 'none', ''].map((name) =>
    decodeNamedCharacterReference(name),
  );
  expect(read).toEqual(['&', '\u00a0', '∉', ';', '≂̸', false, false, false, false]);
});
