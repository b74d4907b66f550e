// Test: a prompt hides its input, and piped input is one line.
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UsageError } from '../host/command-line.ts';
import { askHidden, readSecret } from './hidden-input.ts';

let shown: string;
beforeEach(() => {
  shown = '';
  const keep = (text: unknown): boolean => {
    shown += String(text);
    return true;
  };
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
});
afterEach(() => void vi.restoreAllMocks());

/** Standard input of a terminal. */
function terminal(): NodeJS.ReadStream & PassThrough {
  const raw: boolean[] = [];
  return Object.assign(new PassThrough(), { isTTY: true, raw, setRawMode: (on: boolean) => raw.push(on) }) as never;
}

test('a prompt shows the question, not the answer', async () => {
  const input = terminal();
  const secret = readSecret('Key: ', input);
  input.write('svc_live_typ\u007fyped\r');
  expect(await secret).toBe('svc_live_tyyped');
  expect(shown).toBe('Key: \n');
});

test.each([
  ['Control-C', '\u0003'],
  ['the end of input', '\u0004'],
])('%s cancels', async (_, pressed) => {
  const input = terminal();
  const secret = askHidden('Key: ', input);
  input.write(`svc_live${pressed === '\u0004' ? '\u0015' : ''}${pressed}`);
  await expect(secret).rejects.toBeInstanceOf(UsageError);
  expect(shown).not.toContain('svc_live');
});

test('only the first line of piped input counts', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: false });
  input.end('svc_live_piped\r\nsecond\n');
  expect(await readSecret('Key: ', input as never)).toBe('svc_live_piped');
  expect(shown).toBe('');
});
