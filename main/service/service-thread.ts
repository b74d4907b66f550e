// Main, service: both ends of a thread that has the service.
// Imported, it starts the thread; as the thread, it runs the service or a check of prices, and reports.
// The app loads the service nowhere else, but for its command line and its way through a proxy.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import {
  isMainThread,
  type MessagePort,
  parentPort,
  Worker,
  type WorkerOptions,
  workerData,
} from 'node:worker_threads';
import { z } from 'zod';
import type { FolderFound, UserFolder } from '../../service/assemble.ts';
import type { EmbeddedOptions as ServiceOptions } from '../../service/embedded.ts';
import type { FeedFinding } from '../../service/feed-check.ts';
import type { FolderReport } from '../../service/price-report.ts';
import { inOneTurn } from '../../service/steps.ts';
import {
  PROBLEMS_SHOWN,
  PriceAnswerSchema,
  type PriceFolder,
  PriceFolderSchema,
} from '../../shared/channels/profiles.ts';
import { EVENT_FOLDER } from '../../shared/domain/price-file-names.ts';
import { MarketScenarioSchema } from '../../shared/domain/scenarios.ts';
import { isRecent } from '../../shared/lib/clock.ts';
import { createProgressMeter, type Progress, ProgressSchema, type ShownProgress } from '../../shared/lib/progress.ts';
import { type FindProxy, type ProxyChoice, ProxyChoiceSchema } from '../../shared/lib/proxy.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { OwnPricesSchema, PriceFeedSchema } from '../../shared/settings/profiles.ts';
import { outsideArchive } from '../core/files/outside-archive.ts';
import { cleanEnvironment } from '../host/secrets.ts';

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
  /** 0 at the first start; the same port at later ones, so that clients find the service after a restart. */
  port: z.number().int(),
});
export type ServiceTask = z.infer<typeof TaskSchema>;
const FolderCheckSchema = z.object({
  task: z.literal('barograph-check-prices'),
  folder: z.string(),
  editorial: z.string().nullable(),
  events: z.string().optional(),
  answers: z.array(PriceAnswerSchema),
});

const FeedCheckSchema = z.object({
  task: z.literal('barograph-check-feed'),
  feed: PriceFeedSchema,
  key: z.string().nullable(),
});
/**
 * What may change while the service runs: the key of the feed's vendor, and whether its replay is paused. It is
 * sent, not part of the task.
 */
const ControlsSchema = z.object({ feedKey: z.string().nullable(), isPaused: z.boolean() });
export type Controls = z.infer<typeof ControlsSchema>;
/** The answer to a question `find_proxy`: only the app's main thread can ask Chromium. */
const ProxyAnswerSchema = z.object({ proxyOf: z.number(), choice: ProxyChoiceSchema });

const ReportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), url: z.url() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
  z.object({ kind: z.literal('notice'), line: z.string() }),
  z.object({ kind: z.literal('progress'), progress: ProgressSchema }),
  z.object({ kind: z.literal('folder'), folder: PriceFolderSchema }),
  z.object({ kind: z.literal('find_proxy'), question: z.number(), url: z.string() }),
  z.object({
    kind: z.literal('checked'),
    report: z.custom<FolderReport>((value) => typeof value === 'object' && value !== null),
  }),
  z.object({ kind: z.literal('tried'), findings: z.custom<FeedFinding[]>((value) => Array.isArray(value)) }),
]);
type Report = z.infer<typeof ReportSchema>;

export const SERVICE_THREAD = new URL(outsideArchive(import.meta.url));
/** Ends the service of a thread. */
export const CLOSE = 'close';
/**
 * Young generation, MB, as in the script `service` of package.json: more does not start the service faster,
 * and wastes 100 MB.
 */
const YOUNG_MB = 24;

/** Shortest time between two reports of progress. */
const REPORT_MS = 250;

/** What a thread needs of the app besides its task. */
export interface ThreadHost {
  readonly findProxy: FindProxy;
  readonly say: (line: string) => void;
  /** Receives how far a start is. */
  readonly onProgress: (progress: ShownProgress) => void;
  /** Receives what the service found in the folders of own prices, at its start and after each change. */
  readonly onFolder: (folder: PriceFolder) => void;
}

/**
 * @param script program of the thread
 * @returns the thread, the address at which it is ready (rejects when it ends before), and why it ended
 */
export function startServiceThread(
  script: URL,
  task: ServiceTask,
  controls: Controls,
  { findProxy, say, onProgress, onFolder }: ThreadHost,
): { readonly worker: Worker; readonly url: Promise<string>; readonly ended: Promise<string> } {
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const limits = { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } };
  const worker = openThread(script, task, findProxy, limits, (message) => {
    if (message.kind === 'ready') resolve(message.url);
    else if (message.kind === 'notice') say(message.line);
    else if (message.kind === 'progress') onProgress(message.progress);
    else if (message.kind === 'folder') onFolder(message.folder);
    else if (message.kind === 'failed') reject(new Error(message.message));
  });
  worker.postMessage(controls);
  let fault: string | null = null;
  worker.on('error', (problem) => {
    fault = messageOf(problem);
  });
  // An error may overtake what the thread said before it; its exit comes after both.
  worker.once('exit', (code) => {
    const why = fault ?? `its thread ended with code ${code}`;
    reject(new Error(why));
    end(why);
  });
  return { worker, url, ended };
}

/**
 * @param onProgress receives how far a check of folders is
 * @throws Error when the thread ends without an answer
 */
export function askThread(
  task: z.infer<typeof FolderCheckSchema> | z.infer<typeof FeedCheckSchema>,
  findProxy: FindProxy,
  onProgress: ThreadHost['onProgress'] = () => undefined,
): Promise<Report> {
  return new Promise((resolve, reject) => {
    const worker = openThread(SERVICE_THREAD, task, findProxy, {}, (message) =>
      message.kind === 'progress' ? onProgress(message.progress) : resolve(message),
    );
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread of a check ended with code ${code}`)));
  });
}

function openThread(
  script: URL,
  task: { readonly task: string },
  findProxy: FindProxy,
  limits: Pick<WorkerOptions, 'resourceLimits'>,
  onReport: (report: Report) => void,
): Worker {
  const worker = new Worker(script, {
    ...limits,
    workerData: task,
    env: cleanEnvironment(process.env),
    name: task.task,
  });
  worker.on('message', (raw: unknown) => {
    const message = ReportSchema.parse(raw);
    if (message.kind !== 'find_proxy') onReport(message);
    else void findProxy(message.url).then((choice) => worker.postMessage({ proxyOf: message.question, choice }));
  });
  return worker;
}

/** The thread's end: asks the app. */
function proxyAsker(port: MessagePort): FindProxy {
  const waiting = new Map<number, (choice: ProxyChoice) => void>();
  let asked = 0;
  port.on('message', (message: unknown) => {
    const answer = ProxyAnswerSchema.safeParse(message).data;
    if (answer === undefined) return;
    waiting.get(answer.proxyOf)?.(answer.choice);
    waiting.delete(answer.proxyOf);
  });
  return (url) =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      report(port, { kind: 'find_proxy', question: asked, url });
    });
}

async function serve(port: MessagePort, { db, key, port: requestedPort, ...market }: ServiceTask): Promise<void> {
  const { startEmbedded } = await import('../../service/embedded.ts');
  const { createOutbound } = await import('../../service/network/outbound.ts');
  const { StoreError } = await import('../../service/store/store-error.ts');
  const world = worldOf(market);
  let isStopped = false;
  let close = (): void => {
    isStopped = true;
  };
  let { feedKey, isPaused }: Controls = { feedKey: null, isPaused: true };
  port.on('message', (message: unknown) => {
    const given = ControlsSchema.safeParse(message);
    if (given.success) ({ feedKey, isPaused } = given.data);
    else if (message === CLOSE) close();
  });
  const outbound = createOutbound(proxyAsker(port));
  const start = (file: string | null) =>
    startEmbedded({
      ...world,
      db: file,
      key,
      port: requestedPort,
      feedKey: () => feedKey,
      isPaused: () => isPaused,
      outbound,
      onProgress: reporter(port),
      isStopped: () => isStopped,
      onFolder: folderReporter(port, market.prices),
    });
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
}: Pick<ServiceTask, 'prices' | 'feed' | 'seed' | 'scenario'>): Pick<
  ServiceOptions,
  'world' | 'editorial' | 'events' | 'time'
> {
  if (feed !== null) {
    const { name, symbols = [], hosts = {} } = feed;
    return { world: { kind: 'feed', feed: name, symbols, hosts } };
  }
  if (prices === null) return { world: { kind: 'sandbox', seed, ...(scenario === null ? {} : { scenario }) } };
  const { folder, editorial, events, replay } = prices;
  return {
    world: { kind: 'prices', folder },
    ...(editorial === null ? {} : { editorial }),
    ...(events === undefined ? {} : { events }),
    ...(replay === null ? {} : { time: { start: Date.parse(replay.from), speed: replay.speed } }),
  };
}

/** Reports the folders of own prices as one, whenever one of them changes. */
function folderReporter(port: MessagePort, paths: ServiceTask['prices']): NonNullable<ServiceOptions['onFolder']> {
  const found = new Map<UserFolder, FolderFound>();
  return (which, folder) => {
    found.set(which, folder);
    const { instruments = [], added = () => [] } = found.get('prices') ?? {};
    const lists = [...found].map(([of, { problems }]) =>
      problems.map(({ file, line, reason }) => ({ file: shownName(file, of, paths), line, reason })),
    );
    report(port, {
      kind: 'folder',
      folder: {
        // Those of one folder leave room for those of the others.
        problems: lists.flatMap((problems) => problems.slice(0, PROBLEMS_SHOWN)),
        more: lists.flatMap((problems) => problems.slice(PROBLEMS_SHOWN)).length,
        symbols: [...instruments.map(({ symbol }) => symbol), ...added()],
        added: [...added()],
      },
    });
  };
}

/** Names a file with its folder, unless that is the price folder or `file` itself. */
function shownName(file: string, of: UserFolder, paths: ServiceTask['prices']): string {
  if (of === 'prices' || isAbsolute(file)) return file;
  return `${basename(paths?.[of] ?? EVENT_FOLDER)}/${file}`;
}

/** Reports the progress of a start or a check with the time left, a few times a second. */
function reporter(port: MessagePort): (progress: Progress) => void {
  const measure = createProgressMeter({ now: Date.now });
  let reportedAt = 0;
  let what: Progress['what'] | null = null;
  return (given) => {
    const progress = measure(given);
    // Other work may take long before it reports again.
    if (given.what === what && isRecent({ now: Date.now }, reportedAt, REPORT_MS)) return;
    what = given.what;
    reportedAt = Date.now();
    report(port, { kind: 'progress', progress });
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
      // The disk is read-only.
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

const report = (port: MessagePort, message: Report): void => port.postMessage(message);

if (!isMainThread && parentPort !== null) {
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
    void import('../../service/price-report.ts').then(({ reportFolders }) => {
      const { task: _, answers, ...folders } = folderCheck.data;
      report(port, { kind: 'checked', report: inOneTurn(reportFolders(folders, answers), reporter(port)) });
    });
  const feedCheck = FeedCheckSchema.safeParse(workerData);
  if (feedCheck.success)
    void import('../../service/embedded.ts')
      .then(async ({ tryFeed }) => {
        const { createOutbound } = await import('../../service/network/outbound.ts');
        const { feed, key } = feedCheck.data;
        const findings = await tryFeed(feed, key, createOutbound(proxyAsker(port)));
        report(port, { kind: 'tried', findings });
      })
      .finally(() => port.close());
}
