// Main, command line: `barograph compute`: prices in, one JSON line per symbol and bar out.
import { once } from 'node:events';
import { computeOver } from '../../service/service-tools.ts';

/** Lines are written in blocks of this many characters. */
const BLOCK = 64 * 1024;

export async function computeVerb({
  prices,
  symbol,
  model,
}: {
  readonly prices: string;
  readonly symbol?: string;
  readonly model?: string;
}): Promise<void> {
  let block = '';
  const flush = async (): Promise<void> => {
    if (!process.stdout.write(block)) await once(process.stdout, 'drain');
    block = '';
  };
  await computeOver(
    prices,
    { symbol, model },
    {
      print(line) {
        block += `${JSON.stringify(line)}\n`;
      },
      flush: () => (block.length > BLOCK ? flush() : undefined),
    },
  ).finally(flush);
}
