// Test: the budget of lines: how much each top folder, the tests and the documents may hold.
// `budget.json` has the limits. A commit that raises one does nothing else, and says what the lines buy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { lineCount, SOURCE_FOLDERS, sourceFiles } from './files.ts';

/** A limit this far above the figure is lowered to it, so that what was saved is not spent unnoticed. */
const SLACK = 0.01;

const BudgetSchema = z.strictObject({
  /** Lines of TypeScript without tests, by top folder. */
  lines: z.record(z.string(), z.number().int()),
  /** Lines of tests, harness and bench. */
  tests: z.number().int(),
  /** Words of Markdown. */
  words: z.number().int(),
});

const isTest = (path: string): boolean => path.startsWith('test/') || /\.test\.tsx?$/.test(path);

/** What the folders hold now. */
export function figures(root: string): z.infer<typeof BudgetSchema> {
  const lines: Record<string, number> = {};
  let tests = 0;
  for (const path of sourceFiles(root).filter((one) => /\.tsx?$/.test(one))) {
    const count = lineCount(readFileSync(join(root, path), 'utf8'));
    const [folder = ''] = path.split('/');
    if (isTest(path)) tests += count;
    else lines[folder] = (lines[folder] ?? 0) + count;
  }
  const documents = ['', 'docs', 'docs/decisions', 'deploy'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(root, folder, name)),
  );
  const words = documents.reduce((sum, path) => sum + readFileSync(path, 'utf8').split(/\s+/).length, 0);
  return { lines, tests, words };
}

/** One line for each limit that is passed, or is far above what it limits. */
export function budgetErrors(root: string): string[] {
  const file = join(root, 'test/architecture/budget.json');
  const budget = BudgetSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const now = figures(root);
  const error = (name: string, figure: number, limit: number, unit: string): string[] => {
    if (figure > limit)
      return [
        `${name} has ${figure} ${unit}, its budget is ${limit}. Take something away, or raise it in a commit of its own.`,
      ];
    if (limit - figure > Math.max(20, limit * SLACK))
      return [`${name} has ${figure} ${unit}, its budget is ${limit}. Lower it: test/architecture/budget.json.`];
    return [];
  };
  return [
    ...SOURCE_FOLDERS.filter((folder) => folder !== 'test').flatMap((folder) =>
      error(folder, now.lines[folder] ?? 0, budget.lines[folder] ?? 0, 'lines'),
    ),
    ...error('the tests', now.tests, budget.tests, 'lines'),
    ...error('the documents', now.words, budget.words, 'words'),
  ];
}

if (import.meta.main) console.log(JSON.stringify(figures(join(import.meta.dirname, '..', '..')), null, 2));
