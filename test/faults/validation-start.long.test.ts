// Faults: without a worker process for the validation record the request is refused, no more.
import { expect, test } from 'vitest';
import { start } from '../harness/processes.ts';

const ASKER = `
  import { openSync } from 'node:fs';
  import { RISK_MODEL } from './service/engine/risk/parameters.ts';
  import { validateInWorker } from './service/validation/worker.ts';
  try {
    for (;;) openSync('/dev/null');
  } catch {
    // From here on, no file can be opened and no process started.
  }
  const refused = await validateInWorker({ kind: 'sandbox', seed: 7 }, 0, RISK_MODEL, new AbortController().signal, () => undefined, 'process').catch((why) => why.message);
  setImmediate(() => console.log('refused: ' + refused));
`;

test('without a file to open, the request is refused and the service lives on', async () => {
  const asker = start('sh', [
    '-c',
    'ulimit -n 64 && exec "$0" --input-type=module --eval "$1"',
    process.execPath,
    ASKER,
  ]);
  expect({ ...(await asker.exit), printed: asker.printed() }).toEqual({
    code: 0,
    signal: null,
    printed: expect.stringMatching(/^refused: the worker process ended without a record \(spawn .+ EMFILE\)\n$/),
  });
});
