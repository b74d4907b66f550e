// Test: a promise that nothing awaits or handles is an error of `npm run check`.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { TOP } from './files.ts';

const BIOME = join(TOP, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

async function lint(text: string): Promise<string> {
  const folder = temporaryFolder();
  try {
    const { vcs: _, ...rules } = JSON.parse(readFileSync(join(TOP, 'biome.json'), 'utf8'));
    writeFileSync(join(folder.path, 'biome.json'), JSON.stringify(rules));
    writeFileSync(join(folder.path, 'planted.ts'), text);
    const run = promisify(execFile)(process.execPath, [BIOME, 'lint', '--colors=off', '.'], { cwd: folder.path });
    const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string }) => failed);
    return stdout + stderr;
  } finally {
    folder.remove();
  }
}
const WORK = 'async function work(): Promise<number> {\n  return 1;\n}\n';

test.each(['work();', 'work().then(String);', '[1].map(async () => work());'])('%s', async (statement) => {
  expect(await lint(`${WORK}export function start(): void {\n  ${statement}\n}\n`)).toContain('noFloatingPromises');
});

test('a promise that is awaited or handled is not found as a floating one', async () => {
  const handled = `${WORK}export async function start(): Promise<void> {\n  await work();\n  work().catch(console.error);\n}\n`;
  expect(await lint(handled)).not.toContain('noFloatingPromises');
});
