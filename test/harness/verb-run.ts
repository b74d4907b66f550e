// Test harness: runs a verb of the command line in this process and collects its output.
import { vi } from 'vitest';
import { barograph } from '../../main/node/program.ts';

export interface VerbRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function runVerb(...args: string[]): Promise<VerbRun> {
  const [out, err]: [string[], string[]] = [[], []];
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => void out.push(`${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => void err.push(`${line}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
  ];
  try {
    return { code: await barograph(args, (line) => err.push(`${line}\n`)), out: out.join(''), err: err.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
