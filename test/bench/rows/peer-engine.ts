// Bench: the engine's powers bar by bar, against pandas over whole columns.
// The values are compared first; where they differ, nothing is timed.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SymbolFactors } from '../../../service/engine/factors/own.ts';
import { MarketPanel } from '../../../service/engine/factors/panel.ts';
import { BarHistory } from '../../../service/engine/history.ts';
import type { Bar } from '../../../service/engine/types.ts';
import type { FactorCode, Powers } from '../../../shared/domain/factors.ts';
import { compare, interleave, timed } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { makeMarket, others } from '../support/market.ts';

/** Debian's, which has its packages; another Python may come first in the path. */
const PYTHON = '/usr/bin/python3';
const PROGRAM = join(import.meta.dirname, '../support/powers.py');
const SYMBOLS = others(60);
const DAYS = 6_500;
const COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;
/** In the order of the program: the powers that need no market. */
const CODES: readonly FactorCode[] = ['D-01', 'D-03', 'D-05', 'D-06', 'D-08', 'D-09', 'D-10', 'D-11', 'D-12'];
const CLOSE_ENOUGH = 1e-9;

export const peerEngine: Row = {
  name: 'peer-engine',
  what: `engine, the nine powers that need no market (fifteen ranked measures), bar by bar; ${SYMBOLS.length} symbols, ${DAYS} days; us a bar`,
  floor:
    'pandas and numpy over whole columns, one thread; the same values to 1e-9; bars that arrive one by one would cost it the whole again',
  goal: { atMost: 1 },
  async run(context) {
    const version = spawnSync(PYTHON, ['-c', 'import pandas; print(pandas.__version__)'], { encoding: 'utf8' });
    if (version.status !== 0) {
      const reason = 'there is no pandas (Debian: python3-pandas)';
      return { ratio: null, spread: null, sides: [], notes: [`not measured: ${reason}`] };
    }
    const market = makeMarket(['SPY', ...SYMBOLS], DAYS);
    const rows = SYMBOLS.map((symbol) => market.get(symbol) as readonly Bar[]);
    const pandas = startPandas(context, rows);
    await pandas.seconds();
    const compared = assertSame(rows, pandas.powers());
    const micros = 1e6 / rows.length / DAYS;
    const pair = await interleave({
      product: async () => ((await timed(() => throughEngine(rows, () => undefined))) / 1000) * micros,
      floor: async () => (await pandas.seconds()) * micros,
      warmups: 0,
      rounds: 5,
    });
    const notes = [`pandas ${version.stdout.trim()}; ${compared.toLocaleString('en-US')} values compared before`];
    return compare(pair, { product: 'engine', floor: 'pandas', unit: 'us a bar', notes });
  },
};

/** Day by day, all symbols of a day, as a service does. */
function throughEngine(
  rows: readonly (readonly Bar[])[],
  onPowers: (day: number, symbol: number, powers: Powers) => void,
): void {
  const panel = new MarketPanel();
  const tracks = rows.map((bars, symbol) => ({
    bars,
    history: new BarHistory(),
    factors: new SymbolFactors(SYMBOLS[symbol] as string, true, panel),
  }));
  for (let day = 0; day < DAYS; day++) {
    for (const [symbol, { bars, history, factors }] of tracks.entries()) {
      history.push(bars[day] as Bar);
      onPowers(day, symbol, factors.evaluate(history));
      factors.commit(history);
    }
  }
}

/** @throws Error at the first value that is another; @returns the number of values */
function assertSame(rows: readonly (readonly Bar[])[], expected: Float64Array): number {
  throughEngine(rows, (day, symbol, powers) => {
    for (const [index, code] of CODES.entries()) {
      const value = powers[code];
      const peer = expected[(index * DAYS + day) * rows.length + symbol] as number;
      const isSame = value === null ? Number.isNaN(peer) : Math.abs(value - peer) <= CLOSE_ENOUGH;
      if (!isSame)
        throw new Error(`nothing is timed: ${SYMBOLS[symbol]} day ${day} ${code} is ${value}, pandas has ${peer}`);
    }
  });
  return expected.length;
}

function startPandas(context: Context, rows: readonly (readonly Bar[])[]) {
  const [prices, results] = [join(context.folder, 'prices'), join(context.folder, 'powers')];
  const columns = Float64Array.from(
    COLUMNS.flatMap((column) =>
      Array.from({ length: DAYS }, (_, day) => rows.map((bars) => bars[day]?.[column] ?? Number.NaN)).flat(),
    ),
  );
  writeFileSync(prices, columns);
  const child = spawn(PYTHON, [PROGRAM, prices, results, String(rows.length)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' },
  });
  context.defer(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async seconds(): Promise<number> {
      child.stdin.write('compute\n');
      const { value, done } = await lines.next();
      if (done === true) throw new Error('pandas ended without a result');
      return Number(value);
    },
    powers: () => new Float64Array(new Uint8Array(readFileSync(results)).buffer),
  };
}
