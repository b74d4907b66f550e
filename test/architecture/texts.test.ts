// Architecture: the core sends no sentences: what a user reads is a message of shared/text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { TOP } from '../harness/processes.ts';

const SENTENCE = /^[A-Z][a-z']* [a-z]+ .*[a-z]+/;
/** What reads them is no user: a developer, a log, the sender of a webhook; `problem` is the client library's. */
const OTHER_READERS = /^(logger\.|context\.ports\.logger\.|problem$|notStored$)|Error$/;

function sentencesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(TOP, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node))
      if (OTHER_READERS.test(node.expression.getText(source))) return;
    if (ts.isImportDeclaration(node)) return;
    const text = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) ? node.text : '';
    if (SENTENCE.test(text)) found.push(`${file}: ${text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('main/core has no sentence for people: it sends messages', () => {
  const files = readdirSync(join(TOP, 'main/core'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `main/core/${file}`);
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(sentencesIn)).toEqual([]);
});
