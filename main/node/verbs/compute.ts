// Main, command line: `barograph compute`: prices in, one JSON line per symbol and bar out.
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { UsageError } from '../../host/command-line.ts';
import { computeOver } from '../../service/service-tools.ts';

/** Lines are written in blocks of this many characters. */
const BLOCK = 64 * 1024;
/** Most rows with a problem that are named; more are counted. */
const NAMED_PROBLEMS = 10;

export async function computeVerb({
  prices,
  symbol,
  model,
}: {
  readonly prices: string;
  readonly symbol?: string;
  readonly model?: string;
}): Promise<void> {
  if (statSync(prices, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--prices ${prices}: this is not a folder.`);
  // The reader may stop after a few lines.
  process.stdout.on('error', () => process.exit(0));
  let block = '';
  const flush = async (): Promise<void> => {
    if (!process.stdout.write(block)) await once(process.stdout, 'drain');
    block = '';
  };
  const { lines, problems } = await computeOver(prices, symbol, model);
  for (const problem of problems.slice(0, NAMED_PROBLEMS)) console.error(problem);
  if (problems.length > NAMED_PROBLEMS) console.error(`and ${problems.length - NAMED_PROBLEMS} more like these`);
  for (const line of lines) {
    block += `${JSON.stringify(line)}\n`;
    if (block.length > BLOCK) await flush();
  }
  await flush();
}
