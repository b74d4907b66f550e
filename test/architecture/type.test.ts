// Test: style sheets take the sizes of type from the tokens, which say what each means.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles, TOP } from './files.ts';

/** The reader chooses the size of a briefing's text. */
const READER = 'renderer/features/briefings/document-page.css';
const OWN_SIZE = /font(?:-size)?:[^;/]*?[\d.]+px/;

test('no style sheet has a size of type of its own, but the text of briefings', () => {
  const sheets = sourceFiles(TOP, ['renderer']).filter((path) => path.endsWith('.css') && path !== READER);
  expect(sheets.length).toBeGreaterThan(20);
  expect(sheets.filter((path) => OWN_SIZE.test(readFileSync(join(TOP, path), 'utf8')))).toEqual([]);
});
