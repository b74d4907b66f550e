// Service, briefings, test: texts give no advice and use standard terms.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SERVICE = join(import.meta.dirname, '..');
const FOLDERS = ['briefings', 'news', 'signals'];

/** Phrases of advice, and "stands" for a value. */
const BARRED =
  /\b(accordingly|you (should|could|may want)|(should|must) (buy|sell|hold|wait)|consider(ed|ing)?|buy|hedg\w*|reduce|trim|take (profit|cover)|position siz\w*|size positions|before acting|lean on|stands?)\b/i;

function textsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no text gives advice', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(SERVICE, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(SERVICE, folder, name)),
  );
  const texts = files.flatMap(textsOf);
  expect(texts.length).toBeGreaterThan(1_000);
  expect(texts.filter((text) => BARRED.test(text))).toEqual([]);
});

test.each(['size positions accordingly', 'Consider hedging.', 'Before acting on it', 'It stands at 5.'])(
  'the pattern finds "%s"',
  (text) => expect(text).toMatch(BARRED),
);
