// Service, validation: the record is reckoned in a thread of its own, so that nobody waits for it. This file is both ends of that thread:
// imported, it starts one; as the thread, it reads the prices anew, reckons, and says what came out.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { messageOf } from '../../shared/lib/result.ts';
import { ValidationSchema } from '../../shared/wire/validation.ts';
import { openCsvFolder } from '../market/csv/source.ts';
import { createSyntheticMarket } from '../market/synthetic/market.ts';
import { MARKET_SCENARIOS } from '../market/synthetic/scenarios.ts';
import { reckoning, type ValidationRecord } from './reckon.ts';

/** Room for what lives shortly, MB; more of it makes a reckoning no faster, and all of it stays taken until the end. */
const YOUNG_MB = 24;

/** Which prices; the mark keeps other threads that load this file from reckoning. */
const TaskSchema = z.object({
  task: z.literal('barograph-validation'),
  prices: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('sandbox'),
      seed: z.number(),
      symbols: z.exactOptional(z.number()),
      scenario: z.exactOptional(z.enum(MARKET_SCENARIOS)),
    }),
    z.object({ kind: z.literal('prices'), folder: z.string() }),
  ]),
  /** World ms. */
  moment: z.number(),
});
type Task = z.infer<typeof TaskSchema>;

const ReportSchema = z.union([z.object({ record: ValidationSchema }), z.object({ failed: z.string() })]);
type Report = z.input<typeof ReportSchema>;

/**
 * Reckons the record of everything that closed up to `moment` (world ms), which it bears as computed_at.
 * @param signal ends the thread; the promise then rejects
 */
export function validateInThread(prices: Task['prices'], moment: number, signal: AbortSignal): Promise<ValidationRecord> {
  const task: Task = { task: 'barograph-validation', prices, moment };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: task,
      env: {},
      name: 'validation',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const stop = (): void => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (raw: unknown) => {
      const report = ReportSchema.parse(raw);
      if ('record' in report) resolve(report.record);
      else reject(new Error(report.failed));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(new Error(`the thread ended with code ${code} before it had a record`));
    });
  });
}

function reckon({ prices, moment }: Task): ValidationRecord {
  const source = prices.kind === 'prices' ? openCsvFolder(prices.folder) : createSyntheticMarket(prices);
  const work = reckoning(source, moment);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

if (!isMainThread && parentPort !== null) {
  const task = TaskSchema.safeParse(workerData);
  if (task.success) parentPort.postMessage(report(task.data));
}

function report(task: Task): Report {
  try {
    return { record: reckon(task) };
  } catch (thrown) {
    return { failed: messageOf(thrown) };
  }
}
