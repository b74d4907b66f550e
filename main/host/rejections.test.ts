// Main, host: what a program writes to a terminal that is gone is no fault of it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/harness/folders.ts';

const PROGRAM = `
import { reportExceptions } from ${JSON.stringify(new URL('./rejections.ts', import.meta.url).href)};
let reports = 0;
reportExceptions((why) => {
  reports += 1;
  if (reports < 100) console.error(why);
});
process.on('message', (text) => {
  console.log(text);
  console.error(text);
  setImmediate(() => setImmediate(() => process.send(reports)));
});
process.send('begun');
`;

test('a program whose terminal is closed goes on, and reports no fault of its own', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'program.mjs');
  writeFileSync(file, PROGRAM);
  const child = fork(file, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  try {
    await once(child, 'message');
    child.stdout?.destroy();
    child.stderr?.destroy();
    const reports: unknown[] = [];
    for (const text of ['one', 'two', 'three']) {
      child.send(text);
      reports.push((await once(child, 'message'))[0]);
    }
    expect(reports).toEqual([0, 0, 0]);
  } finally {
    child.kill();
    folder.remove();
  }
});
