// Service, validation: computes the record in a worker, so that requests do not wait; and the scored closes.
// The worker is a process, which frees all its memory at its end, or a thread if processes cannot be started.
// The file has both ends: imported, it starts a worker; as the worker, it reads prices, computes the record
// and sends it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { MARKET_SCENARIOS } from '../../shared/domain/scenarios.ts';
import { type Progress, ProgressSchema } from '../../shared/lib/progress.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { ValidationSchema } from '../../shared/wire/validation.ts';
import { ParametersSchema, type RiskModel } from '../engine/risk/model.ts';
import { openCsvFolder } from '../market/csv/source.ts';
import { openFeedTape } from '../market/feeds/open-feed.ts';
import { createSyntheticMarket } from '../market/synthetic/market.ts';
import { openTape, readActions } from '../market/tape/tape.ts';
import type { MarketSource } from '../market/types.ts';
import { modelOf } from '../model-file.ts';
import { overTurns } from '../steps.ts';
import { computeInSteps, type ValidationRecord } from './compute.ts';
import { createCloseKeeper, type ScoredCloses, ScoredClosesSchema } from './scored-closes.ts';

/** Marks the task, so that other processes and threads that load this file do not compute. */
const TASK_NAME = 'barograph-validation';
/**
 * Size of the young generation, MB: in total for a thread, a third of it as semi-space for a process. Larger
 * sizes are not faster.
 */
const YOUNG_MB = 24;

const TaskSchema = z.object({
  task: z.literal(TASK_NAME),
  /** The prices to read. */
  prices: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('sandbox'),
      seed: z.number(),
      symbols: z.exactOptional(z.number()),
      scenario: z.exactOptional(z.enum(MARKET_SCENARIOS)),
    }),
    z.object({
      kind: z.literal('prices'),
      folder: z.string(),
      /** Path of the service's tape, for the operator's decisions about prices. */
      tape: z.exactOptional(z.string()),
    }),
    z.object({
      kind: z.literal('feed'),
      feed: z.string(),
      symbols: z.array(z.string()),
      config: z.string().nullable(),
      /** Path of the tape, or of a copy of the store that has it. */
      tape: z.string(),
    }),
  ]),
  /** World ms. */
  instant: z.number(),
  /** The parameters of the scored model. */
  model: ParametersSchema,
});
type Task = z.infer<typeof TaskSchema>;
export type ValidatedPrices = Task['prices'];

const ResultSchema = z.object({ record: ValidationSchema, closes: z.array(ScoredClosesSchema) });
const ProgressReportSchema = z.object({ progress: ProgressSchema.omit({ left: true }) });
const ReportSchema = z.union([ResultSchema, ProgressReportSchema, z.object({ failed: z.string() })]);
type Report = z.input<typeof ReportSchema>;
export interface ValidationResult {
  readonly record: ValidationRecord;
  readonly closes: readonly ScoredCloses[];
}

/** The starter's end of a worker. */
interface WorkerHandle {
  onReport(listener: (raw: unknown) => void): void;
  /** `why` is a short reason. */
  onEnd(listener: (why: string) => void): void;
  end(): void;
}

export type WorkerKind = 'process' | 'thread';

/** Electron cannot start another Node process. */
const defaultWorkerKind = (): WorkerKind => (process.versions.electron === undefined ? 'process' : 'thread');

/**
 * Computes the record of the bars closed up to `instant` (world ms), which is its computed_at.
 * @param signal aborts the computation and rejects the promise
 * @param onProgress receives how far it is
 */
export function validateInWorker(
  prices: ValidatedPrices,
  instant: number,
  model: RiskModel,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
  kind: WorkerKind = defaultWorkerKind(),
): Promise<ValidationResult> {
  const task: Task = { task: TASK_NAME, prices, instant, model: model.source };
  return new Promise((resolve, reject) => {
    const handle = kind === 'process' ? startProcess(task) : startThread(task);
    signal.addEventListener('abort', handle.end, { once: true });
    handle.onReport((raw) => {
      const report = ReportSchema.safeParse(raw);
      if (!report.success) reject(new Error('the result is not a validation record'));
      else if ('progress' in report.data) onProgress(report.data.progress);
      else if ('record' in report.data) resolve(report.data);
      else reject(new Error(report.data.failed));
    });
    handle.onEnd((why) => {
      signal.removeEventListener('abort', handle.end);
      reject(new Error(`the worker ${kind} ended without a record (${why})`));
    });
  });
}

function startProcess(task: Task): WorkerHandle {
  const child = fork(fileURLToPath(import.meta.url), [TASK_NAME], {
    // With the growth of the heap, half the memory at the same speed.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [`--max-semi-space-size=${YOUNG_MB / 3}`, '--heap-growing-percent=30'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // A process that failed to start has no channel. When a task cannot be sent, the process has ended, and
  // `error` or `exit` reports it.
  child.once('spawn', () => child.send(task, () => undefined));
  return {
    onReport: (listener) => void child.on('message', listener),
    onEnd(listener) {
      child.on('error', (problem) => listener(problem.message));
      child.once('exit', (code, signal) => listener(`${signal ?? code}`));
    },
    end: () => void child.kill('SIGKILL'),
  };
}

function startThread(task: Task): WorkerHandle {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: task,
    env: {},
    name: 'validation',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  return {
    onReport: (listener) => void worker.on('message', listener),
    onEnd(listener) {
      worker.on('error', (problem) => listener(messageOf(problem)));
      worker.once('exit', (code) => listener(`${code}`));
    },
    end: () => void worker.terminate(),
  };
}

async function report(task: Task, send: (report: Report) => void): Promise<Report> {
  try {
    return await compute(task, (progress) => send({ progress }));
  } catch (error) {
    return { failed: messageOf(error) };
  }
}

/** Yields between steps, to notice the end of the parent. */
async function compute(
  { prices, instant, model }: Task,
  onProgress: (progress: Progress) => void,
): Promise<z.input<typeof ResultSchema>> {
  const { source, close } = open(prices);
  const keeper = createCloseKeeper();
  const work = computeInSteps(source, instant, { model: modelOf(model) }, keeper);
  try {
    const record = await overTurns(work, () => false, onProgress);
    if (record === null) throw new Error('nothing stops this work');
    return { record, closes: keptOf(record, keeper.kept()) };
  } finally {
    close();
  }
}

/** Without the inputs, which have no signal. */
const keptOf = ({ symbols }: ValidationRecord, kept: ScoredCloses[]): ScoredCloses[] => {
  const scored = new Set(symbols.map(({ symbol }) => symbol));
  return kept.filter(({ symbol }) => scored.has(symbol)).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
};

function open(prices: ValidatedPrices): { readonly source: MarketSource; readonly close: () => void } {
  if (prices.kind === 'feed') return openFeedTape(prices);
  return {
    source: prices.kind === 'prices' ? openPrices(prices) : createSyntheticMarket(prices),
    close: () => undefined,
  };
}

function openPrices({ folder, tape: place }: { folder: string; tape?: string }): MarketSource {
  const tape = openTape(null);
  if (place !== undefined) tape.recordActions(readActions(place), { feed: 'tape', receivedAt: 0 });
  return openCsvFolder(folder, { tape });
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const task = TaskSchema.safeParse(workerData);
  const send = (one: Report): void => port.postMessage(one);
  if (task.success) void report(task.data, send).then(send);
} else if (isMainThread && process.argv[2] === TASK_NAME && process.send !== undefined) {
  process.once('disconnect', () => process.exit());
  // A terminal interrupts all its processes; this one ends with the service, which must log its stop first.
  process.on('SIGINT', () => undefined);
  process.once('message', async (raw) => {
    const result = await report(TaskSchema.parse(raw), (one) => process.send?.(one));
    process.send?.(result, () => process.disconnect());
  });
}
