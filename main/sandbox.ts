// Main: runs the service in a worker thread; the app's only import of service/.
// This file is both ends of that thread: imported, it starts the worker and keeps it running; as the worker,
// it starts the service and reports its address.
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { KeyService } from '../service/accounts/key-service.ts';
import type { FolderLines } from '../service/compute.ts';
import type { FolderReport, EmbeddedOptions as ServiceOptions } from '../service/embedded.ts';
import type { FeedFinding } from '../service/feed-check.ts';
import type { FeedRuleFinding, FeedSubject } from '../service/feed-conformance.ts';
import type { FolderComputation } from '../service/validation/compute.ts';
import { PROBLEMS_SHOWN, type PriceReport } from '../shared/channels/profiles.ts';
import { MarketScenarioSchema } from '../shared/domain/scenarios.ts';
import { backoffDelay } from '../shared/lib/backoff.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { messageOf } from '../shared/lib/result.ts';
import { OwnPricesSchema, PriceFeedSchema } from '../shared/settings/profiles.ts';
import { formKey, KEY_ENTROPY_BYTES } from '../shared/wire/keys.ts';
import { keepCompiled } from './compiled.ts';
import type { EmbeddedOptions, EmbeddedService, FeedChecker, PriceChecker } from './host/embedded-service.ts';
import { cleanEnvironment } from './host/secrets.ts';

/** The job of the worker; `task` keeps other workers that load this file from starting a service. */
const TaskSchema = z.object({
  task: z.literal('barograph-service'),
  db: z.string(),
  /** Seed of the simulated market, served where there are neither prices nor a feed. */
  seed: z.number().int(),
  prices: OwnPricesSchema.nullable(),
  feed: PriceFeedSchema.nullable(),
  scenario: MarketScenarioSchema.nullable(),
  key: z.string(),
  /** 0 at the first start; then the same again, so that clients find the service after a restart. */
  port: z.number().int(),
});
type Task = z.infer<typeof TaskSchema>;
const FolderCheckSchema = z.object({
  task: z.literal('barograph-check-prices'),
  folder: z.string(),
  editorial: z.string().nullable(),
});

const FeedCheckSchema = z.object({
  task: z.literal('barograph-check-feed'),
  feed: PriceFeedSchema,
  key: z.string().nullable(),
});
/** The key of the feed's vendor. It is sent, not part of the task, because it may come later or be replaced. */
const FeedKeySchema = z.object({ feedKey: z.string().nullable() });

const ReportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), url: z.url() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
  z.object({ kind: z.literal('notice'), line: z.string() }),
  z.object({
    kind: z.literal('checked'),
    report: z.custom<FolderReport>((value) => typeof value === 'object' && value !== null),
  }),
  z.object({ kind: z.literal('tried'), findings: z.custom<FeedFinding[]>((value) => Array.isArray(value)) }),
]);
type Report = z.infer<typeof ReportSchema>;

/** The world of the first run, the same for everyone. */
const SEED = 7;
const CLOSE = 'close';
/** Time limit of closing before the thread is terminated, ms. */
const CLOSE_LIMIT = 1_500;
/**
 * Young generation, MB, as in the script `service` of package.json: more does not start the service faster,
 * and wastes 100 MB.
 */
const YOUNG_MB = 24;
const RESTART = { base: 1_000, cap: 30_000 };

/**
 * Runs a service beside the app and restarts it, at the same address, when its thread dies.
 * @param script what runs in the thread: this file, except in tests
 * @throws Error when the first start fails
 */
export async function startSandbox(
  { db, prices, feed, feedKey, scenario, say }: EmbeddedOptions,
  script = new URL(import.meta.url),
  random = Math.random,
): Promise<EmbeddedService> {
  let closing = false;
  let attempt = 0;
  let vendorKey = feedKey;
  let timer: NodeJS.Timeout | undefined;
  const isSimulated = prices === null && feed === null;
  const key = formKey(isSimulated ? 'sandbox' : 'production', randomBytes(KEY_ENTROPY_BYTES));
  const task: Task = { task: 'barograph-service', db, seed: SEED, prices, feed, scenario, key, port: 0 };
  let running = await startWorker(script, task, vendorKey, say);
  const sendKey = (): void => running.worker.postMessage({ feedKey: vendorKey });
  const { url } = running;
  const again = { ...task, port: Number(new URL(url).port) };

  const keep = (worker: Worker): void => {
    let why = 'it ended';
    worker.on('error', (problem) => {
      why = messageOf(problem);
    });
    worker.on('exit', () => {
      if (closing) return;
      say(`The service inside the app stopped (${why}). It is started again.`);
      restart();
    });
  };
  const startAgain = (): void => {
    const givenKey = vendorKey;
    startWorker(script, again, givenKey, say).then(
      (started) => {
        attempt = 0;
        running = started;
        if (closing) return void started.worker.terminate();
        keep(started.worker);
        // Meanwhile a new one was sent to the thread that had ended.
        if (vendorKey !== givenKey) sendKey();
      },
      (problem) => {
        say(`The service inside the app does not start (${messageOf(problem)}). It is tried again.`);
        if (!closing) restart();
      },
    );
  };
  const restart = (): void => {
    timer = setTimeout(startAgain, backoffDelay(attempt++, RESTART, random, 100));
  };
  keep(running.worker);

  return {
    url,
    key,
    seed: isSimulated ? SEED : null,
    setFeedKey(next) {
      vendorKey = next;
      sendKey();
    },
    async close() {
      closing = true;
      clearTimeout(timer);
      const { worker } = running;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage(CLOSE);
      const limit = setTimeout(() => void worker.terminate(), CLOSE_LIMIT);
      // A thread that has ended sends nothing more.
      if (worker.threadId !== -1) await ended;
      clearTimeout(limit);
    },
  };
}

function startWorker(
  script: URL,
  task: Task,
  feedKey: string | null,
  say: (line: string) => void,
): Promise<{ worker: Worker; url: string }> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, {
      workerData: task,
      env: cleanEnvironment(process.env),
      name: 'service',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    if (feedKey !== null) worker.postMessage({ feedKey });
    worker.on('message', (raw: unknown) => {
      const message = ReportSchema.parse(raw);
      if (message.kind === 'ready') resolve({ worker, url: message.url });
      else if (message.kind === 'notice') say(message.line);
      else if (message.kind === 'failed') reject(new Error(message.message));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`its thread ended with code ${code}`)));
  });
}

/** In a thread of its own: a folder of many years takes a while, and must not block the app. */
export const checkPrices: PriceChecker = async (folder, editorial) => {
  const at = { folder: absolute(folder), editorial: editorial === null ? null : absolute(editorial) };
  // A missing folder is reported at once: starting the thread takes a second.
  for (const which of ['folder', 'editorial'] as const) {
    const why = at[which] === null ? null : whyNotFolder(at[which]);
    if (why !== null) return { ...at, ...shown(nothingIn(why, which)) };
  }
  const message = await askWorker({ task: 'barograph-check-prices', ...at });
  if (message.kind !== 'checked') throw new Error('the thread that reads the prices gave another answer');
  return { ...at, ...shown(message.report) };
};

/** In a thread of its own likewise: only threads have the service. */
export const checkFeed: FeedChecker = async (feed, key) => {
  const message = await askWorker({ task: 'barograph-check-feed', feed, key });
  if (message.kind !== 'tried') throw new Error('the thread that tries the feed gave another answer');
  return message.findings;
};

function askWorker(task: z.infer<typeof FolderCheckSchema> | z.infer<typeof FeedCheckSchema>): Promise<Report> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: task,
      env: cleanEnvironment(process.env),
      name: task.task,
    });
    worker.on('message', (raw: unknown) => resolve(ReportSchema.parse(raw)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread of a check ended with code ${code}`)));
  });
}

const absolute = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
function whyNotFolder(path: string): string | null {
  if (!isAbsolute(path)) return `"${path}" is no whole path. Begin with ${join(homedir(), '...')}.`;
  try {
    return statSync(path).isDirectory() ? null : `${path} is a file. Give the folder that it lies in.`;
  } catch (error) {
    return `${path} cannot be read (${messageOf(error)}). Look at its spelling and its rights.`;
  }
}
const nothingIn = (refused: string, refused_at: FolderReport['refused_at']): FolderReport => ({
  refused,
  refused_at,
  symbols: [],
  from: null,
  to: null,
  earliest_end: null,
  median_end: null,
  files: 0,
  rows: 0,
  used: 0,
  problems: [],
});
const shown = ({ symbols, problems, ...report }: FolderReport): Omit<PriceReport, 'folder' | 'editorial'> => ({
  ...report,
  symbols: [...symbols],
  problems: problems.slice(0, PROBLEMS_SHOWN).map(({ file, line, reason }) => ({ file, line, reason })),
  more: Math.max(0, problems.length - PROBLEMS_SHOWN),
});

/** Every bar of a price folder through the engine: see service/compute.ts. */
export async function computeOver(folder: string, symbol?: string): Promise<FolderLines> {
  const compute = await import('../service/compute.ts');
  return compute.computeOver(folder, symbol);
}

/** A vendor of prices, rule by rule: see service/feed-conformance.ts. */
export async function checkFeedRules(subject: FeedSubject, clock: Clock): Promise<AsyncGenerator<FeedRuleFinding>> {
  const rules = await import('../service/feed-conformance.ts');
  return rules.checkFeedRules(subject, { clock, fetch });
}

/** Flags that say where the keys of a service are: in its store, or in the database of its nodes. */
export interface KeyPlace {
  readonly db?: string;
  readonly cluster?: string;
  readonly clusterFile?: string;
}

/**
 * The keys of a service: see service/accounts/key-service.ts and service/cluster/cluster-keys.ts.
 * @param environment may have BAROGRAPH_CLUSTER, which is taken out
 * @throws UsageError, StoreError
 */
export async function openKeyService(
  { db, cluster, clusterFile }: KeyPlace,
  environment: NodeJS.ProcessEnv,
  defaultStore: () => string,
): Promise<KeyService> {
  const isStore = db !== undefined && cluster === undefined && clusterFile === undefined;
  // A store that was named counts more than a cluster of the environment.
  if (isStore) delete environment.BAROGRAPH_CLUSTER;
  const { takeCluster } = await import('../service/command-line/cluster-flags.ts');
  const flags = { cluster: cluster ?? null, clusterFile: clusterFile ?? null, roles: null, db: db ?? null, feed: null };
  const nodes = takeCluster(environment, flags);
  if (nodes !== null) {
    const { openClusterKeys } = await import('../service/cluster/cluster-keys.ts');
    return openClusterKeys(nodes.url, Date.now, randomBytes);
  }
  const keyModule = await import('../service/accounts/key-service.ts');
  return keyModule.openKeyService(db ?? defaultStore(), Date.now, randomBytes);
}

async function serve(
  port: NonNullable<typeof parentPort>,
  { db, key, port: requestedPort, ...market }: Task,
): Promise<void> {
  const { startEmbedded } = await import('../service/embedded.ts');
  const { StoreError } = await import('../service/store/store-error.ts');
  const world = worldOf(market);
  let close: () => void = () => undefined;
  let feedKey: string | null = null;
  port.on('message', (message: unknown) => {
    const given = FeedKeySchema.safeParse(message);
    if (given.success) ({ feedKey } = given.data);
    else if (message === CLOSE) close();
  });
  const start = (file: string | null) =>
    startEmbedded({ ...world, db: file, key, port: requestedPort, feedKey: () => feedKey });
  const service = await start(db).catch((problem) => {
    if (refusesWrites(dirname(db))) {
      const line = `The service inside the app cannot write to its disk (${messageOf(problem)}). It runs in memory until the next start.`;
      report(port, { kind: 'notice', line });
      return start(null);
    }
    // A sandbox world can be regenerated; the unusable store is quarantined for diagnosis. A full disk is no
    // reason to abandon it.
    if (world.world.kind !== 'sandbox' || !(problem instanceof StoreError) || problem.passing || !existsSync(db))
      throw problem;
    report(port, {
      kind: 'notice',
      line: `${problem.message} It is kept as ${quarantineStore(db)}; a new sandbox world begins.`,
    });
    return start(db);
  });
  close = () => void service.close().finally(() => port.close());
  report(port, { kind: 'ready', url: service.url });
}

function worldOf({
  prices,
  feed,
  seed,
  scenario,
}: Pick<Task, 'prices' | 'feed' | 'seed' | 'scenario'>): Pick<ServiceOptions, 'world' | 'editorial' | 'time'> {
  if (feed !== null) {
    const { name, symbols = [], hosts = {} } = feed;
    return { world: { kind: 'feed', feed: name, symbols, hosts } };
  }
  if (prices === null) return { world: { kind: 'sandbox', seed, ...(scenario === null ? {} : { scenario }) } };
  const { folder, editorial, replay } = prices;
  return {
    world: { kind: 'prices', folder },
    ...(editorial === null ? {} : { editorial }),
    ...(replay === null ? {} : { time: { start: Date.parse(replay.from), speed: replay.speed } }),
  };
}

/** True where a disk is full or read-only. */
function refusesWrites(folder: string): boolean {
  const probe = join(folder, `service.${process.pid}.probe`);
  try {
    writeFileSync(probe, Buffer.alloc(64 * 1024));
    rmSync(probe);
    return false;
  } catch {
    try {
      rmSync(probe, { force: true });
    } catch {
      // It is read-only.
    }
    return true;
  }
}

/**
 * Renames a store and its companion files.
 * @returns its new name
 */
function quarantineStore(db: string): string {
  let number = 1;
  while (existsSync(`${db}.bad-${number}`)) number += 1;
  for (const ending of ['-wal', '-shm', '']) {
    if (existsSync(db + ending)) renameSync(db + ending, `${db}.bad-${number}${ending}`);
  }
  return basename(`${db}.bad-${number}`);
}

const report = (port: NonNullable<typeof parentPort>, message: Report): void => port.postMessage(message);

if (!isMainThread && parentPort !== null) {
  keepCompiled();
  const task = TaskSchema.safeParse(workerData);
  const port = parentPort;
  process.on('unhandledRejection', (reason) =>
    report(port, { kind: 'notice', line: `Work of the sandbox in the background failed: ${messageOf(reason)}` }),
  );
  if (task.success)
    serve(port, task.data).catch((problem) => {
      report(port, { kind: 'failed', message: messageOf(problem) });
      port.close();
    });
  const folderCheck = FolderCheckSchema.safeParse(workerData);
  if (folderCheck.success)
    void import('../service/embedded.ts').then(({ reportFolders }) => {
      report(port, { kind: 'checked', report: reportFolders(folderCheck.data.folder, folderCheck.data.editorial) });
    });
  const feedCheck = FeedCheckSchema.safeParse(workerData);
  if (feedCheck.success)
    void import('../service/embedded.ts').then(async ({ tryFeed }) => {
      const { feed, key } = feedCheck.data;
      report(port, { kind: 'tried', findings: await tryFeed(feed, key) });
    });
}

/** The validation record of a price folder, in steps: see service/validation/compute.ts. */
export async function computeFolder(folder: string): Promise<FolderComputation> {
  const computeModule = await import('../service/validation/compute.ts');
  return computeModule.computeFolder(folder);
}
