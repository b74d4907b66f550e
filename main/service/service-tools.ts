// Main, service: the parts of the service that the command line runs in its own process.
// Each part is loaded on first use.
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { KeyService } from '../../service/accounts/key-service.ts';
import type { LongWork } from '../../service/command-line/long-work.ts';
import type { ComputeLine } from '../../service/compute.ts';
import type { RiskModel } from '../../service/engine/risk/model.ts';
import type { FeedRuleFinding, FeedSubject } from '../../service/feed-conformance.ts';
import type { Outbound } from '../../service/network/outbound.ts';
import type { FolderReport } from '../../service/price-report.ts';
import type { EventList } from '../../service/scheduled/event-folder.ts';
import type { ValidationRecord } from '../../service/validation/compute.ts';
import type { ScoredCloses } from '../../service/validation/scored-closes.ts';
import type { PriceAnswer } from '../../shared/channels/profiles.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { oneLine, UsageError } from '../host/command-line.ts';

/** Most rows with a problem that are printed; more are counted. */
const NAMED_PROBLEMS = 10;

/** Runs work over a folder of prices with its progress and the unused rows of the folder on stderr. */
async function overFolder<Result>(
  folder: string,
  ended: string,
  job: (work: LongWork, onProblems: (problems: readonly string[]) => void) => Promise<Result>,
): Promise<Result> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--prices ${folder}: this is not a folder.`);
  const { longWork } = await import('../../service/command-line/long-work.ts');
  return longWork((work) => {
    const onProblems = (problems: readonly string[]): void => {
      work.clear();
      for (const problem of problems.slice(0, NAMED_PROBLEMS)) console.error(oneLine(problem));
      if (problems.length > NAMED_PROBLEMS) console.error(`and ${problems.length - NAMED_PROBLEMS} more like these`);
    };
    return job(work, onProblems);
  }, ended);
}

/**
 * Runs every bar of a price folder through the engine: see service/compute.ts.
 * @param model file of a model; default: the shipped one
 * @param print receives the lines
 * @param flush is waited for between two days
 */
export async function computeOver(
  folder: string,
  { symbol, model: file }: { readonly symbol?: string | undefined; readonly model?: string | undefined },
  { print, flush }: { readonly print: (line: ComputeLine) => void; readonly flush: () => Promise<void> | undefined },
): Promise<void> {
  const compute = await import('../../service/compute.ts');
  const model = await modelFrom(file);
  const ended = 'The next run begins with the first bar.';
  await overFolder(folder, ended, (work, onProblems) =>
    work.steps(compute.computeOver(folder, print, { symbol, model, onProblems }), flush),
  );
}

export type { FolderReport };

/** Reads price files as a service would, with its progress on stderr: see service/price-report.ts. */
export async function reportPrices(
  { folder, only }: { readonly folder: string; readonly only?: string },
  answers: readonly PriceAnswer[],
): Promise<FolderReport> {
  const { reportFolders } = await import('../../service/price-report.ts');
  const { longWork } = await import('../../service/command-line/long-work.ts');
  const ended = 'The next run begins with the first file.';
  return longWork((work) => work.steps(reportFolders({ folder, editorial: null }, answers, only)), ended);
}

/** Reads a folder or a file of what is due as a service without symbols would: see service/scheduled/. */
export async function readEvents(path: string): Promise<readonly EventList[]> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`${path}: there is no such folder or file.`);
  const { openEventFolder } = await import('../../service/scheduled/event-folder.ts');
  const { listedCalendars } = await import('../../service/scheduled/schedule.ts');
  const context = { calendarOf: listedCalendars('production', []), knows: () => false };
  if (stat.isDirectory()) return openEventFolder(path, context).lists;
  return openEventFolder(dirname(path), context).lists.filter(({ name }) => name === basename(path));
}

export interface ScoredModelFlags {
  /** File of a model; default: the shipped one. */
  readonly model?: string | undefined;
  /** Groups of symbols, each scored by weights that were fitted without it; default: none. */
  readonly leftOut?: readonly (readonly string[])[] | undefined;
}

/** Computes the validation record of a price folder: see service/validation/compute.ts. */
export async function computeFolder(
  folder: string,
  { model, leftOut }: ScoredModelFlags = {},
): Promise<{ readonly record: ValidationRecord; readonly closes: readonly ScoredCloses[] }> {
  const computeModule = await import('../../service/validation/compute.ts');
  const given = await modelFrom(model);
  const scored = { ...(given !== undefined && { model: given }), ...(leftOut !== undefined && { leftOut }) };
  const ended = 'Nothing was written; the next run begins with the first bar.';
  return overFolder(folder, ended, (work, onProblems) =>
    work.steps(computeModule.computeFolder(folder, scored, onProblems)),
  );
}

/** @throws UsageError for a file that is no model */
async function modelFrom(file: string | undefined): Promise<RiskModel | undefined> {
  if (file === undefined) return undefined;
  const { readModel } = await import('../../service/model-file.ts');
  try {
    return readModel(file);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Checks a vendor of prices, rule by rule: see service/feed-conformance.ts. */
export async function checkFeedRules(
  subject: FeedSubject,
  deps: { readonly clock: Clock; readonly outbound: Outbound },
): Promise<AsyncGenerator<FeedRuleFinding>> {
  const rules = await import('../../service/feed-conformance.ts');
  return rules.checkFeedRules(subject, deps);
}

/** Flags that say where the keys of a service are: in its store, or in the database of its nodes. */
export interface KeyStoreLocation {
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
  { db, cluster, clusterFile }: KeyStoreLocation,
  environment: NodeJS.ProcessEnv,
  defaultStore: () => string,
): Promise<KeyService> {
  const isStore = db !== undefined && cluster === undefined && clusterFile === undefined;
  // A named store takes precedence over a cluster of the environment.
  if (isStore) delete environment.BAROGRAPH_CLUSTER;
  const { takeCluster } = await import('../../service/command-line/cluster-flags.ts');
  const flags = { cluster: cluster ?? null, clusterFile: clusterFile ?? null, roles: null, db: db ?? null, feed: null };
  const nodes = takeCluster(environment, flags);
  if (nodes !== null) {
    const { openClusterKeys } = await import('../../service/cluster/cluster-keys.ts');
    return openClusterKeys(nodes.url, Date.now, randomBytes);
  }
  const keyModule = await import('../../service/accounts/key-service.ts');
  return keyModule.openKeyService(db ?? defaultStore(), Date.now, randomBytes);
}
