// Bench: runs one row in a folder and process of its own, and sends the outcome to the runner.
// It ends everything that the row started.
import { messageOf } from '../../shared/lib/result.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { evaluate, failed, rowText } from './report.ts';
import type { Row, RowResult } from './row.ts';
import { ROWS } from './rows.ts';

async function measure(row: Row): Promise<RowResult> {
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  const folder = temporaryFolder();
  const ends: (() => unknown)[] = [];
  try {
    const outcome = await row.run({ folder: folder.path, defer: (end) => void ends.push(end) });
    return evaluate(row, outcome, seconds());
  } catch (error) {
    return failed(row, messageOf(error), seconds());
  } finally {
    for (const end of ends.reverse()) await end();
    folder.remove();
  }
}

const row = ROWS.find(({ name }) => name === process.argv[2]);
if (row === undefined) throw new Error(`there is no row "${process.argv[2]}"`);
const result = await measure(row);
if (process.send === undefined) console.log(rowText(result));
else process.send(result);
// What a row left open must not hold up the next.
process.disconnect?.();
process.exit(0);
