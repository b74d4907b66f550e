// Test runner: `npm run test:electron` runs the end-to-end tests over a real Electron, and prints a table.
// It says what is missing where there is none. Arguments select specs, as those of Playwright.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findElectron, whyNoElectron } from '../../main/electron-binary.ts';
import { NODE_SHELL_SPECS } from '../e2e/shells.ts';
import { type FileTally, playwrightFiles, tallyLine } from './reports.ts';
import { reportPath, runStage, TOP } from './stages.ts';

async function runTests(selected: readonly string[]): Promise<number> {
  const folder = join(TOP, 'test-results', 'electron');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const stage = { name: 'electron', runner: 'playwright', args: ['--project=electron', ...selected] } as const;
  const tally = await runStage(stage, folder, (text) => void process.stdout.write(text));
  const report = reportPath(stage, folder);
  const files = existsSync(report) ? playwrightFiles(JSON.parse(readFileSync(report, 'utf8'))) : [];
  console.log(`\n${row('spec', 'passed', 'failed', 'skipped', '')}`);
  for (const file of files) console.log(lineOf(file));
  for (const [file, reason] of Object.entries(NODE_SHELL_SPECS)) console.log(row(file, '', '', 'all', reason));
  console.log(`\nelectron: ${tallyLine(tally)}`);
  for (const failure of tally.failures) console.log(`\nFAILED ${failure}`);
  return tally.failed === 0 ? 0 : 1;
}

const row = (file: string, passed: string, failed: string, skipped: string, reason: string): string =>
  `${file.padEnd(24)} ${passed.padStart(6)} ${failed.padStart(6)} ${skipped.padStart(7)}  ${reason}`.trimEnd();

const lineOf = ({ file, passed, failed, skipped, reasons }: FileTally): string =>
  row(file, `${passed}`, `${failed}`, `${skipped}`, reasons.join('; '));

const binary = findElectron(TOP);
const obstacle = whyNoElectron(process.env);
console.log(`Electron: ${binary ?? 'its binary is missing; npm start fetches it, as an ordinary user with a display'}`);
console.log(`window:   ${obstacle ?? 'can be opened'}`);
process.exitCode = binary === null || obstacle !== null ? 1 : await runTests(process.argv.slice(2));
