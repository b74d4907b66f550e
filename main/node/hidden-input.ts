// Main, command line: reads a secret from a hidden prompt or standard input, never from arguments.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from '../host/command-line.ts';

/** Maximum length, characters; no key is as long. */
const MOST = 4096;

/** The first line of standard input; on a terminal, the answer to `question`. */
export async function readSecret(question: string, input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (input.isTTY) return askHidden(question, input);
  return (await text(input)).slice(0, MOST).split(/\r?\n/, 1)[0] ?? '';
}

/**
 * Asks on the terminal without showing the answer.
 * @throws UsageError where the user cancels
 */
export function askHidden(question: string, input: NodeJS.ReadStream = process.stdin): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      process.stderr.write('\n');
      reject(new UsageError('Cancelled; nothing was changed.'));
    });
  });
}
