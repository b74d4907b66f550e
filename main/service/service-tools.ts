// Main, service: the parts of the service that the command line runs in its own process.
// Each part is loaded on first use.
import { randomBytes } from 'node:crypto';
import type { KeyService } from '../../service/accounts/key-service.ts';
import type { FolderLines } from '../../service/compute.ts';
import type { RiskModel } from '../../service/engine/risk/model.ts';
import type { FeedRuleFinding, FeedSubject } from '../../service/feed-conformance.ts';
import type { Outbound } from '../../service/network/outbound.ts';
import type { FolderReport } from '../../service/price-report.ts';
import type { FolderComputation } from '../../service/validation/compute.ts';
import type { PriceAnswer } from '../../shared/channels/profiles.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { UsageError } from '../host/command-line.ts';

/**
 * Runs every bar of a price folder through the engine: see service/compute.ts.
 * @param model file of a model; default: the shipped one
 */
export async function computeOver(folder: string, symbol?: string, model?: string): Promise<FolderLines> {
  const compute = await import('../../service/compute.ts');
  return compute.computeOver(folder, symbol, await modelFrom(model));
}

export type { FolderReport };

/** Reads price files as a service would: see service/price-report.ts. */
export async function reportPrices(
  { folder, only }: { readonly folder: string; readonly only?: string },
  answers: readonly PriceAnswer[],
): Promise<FolderReport> {
  const { reportFolders } = await import('../../service/price-report.ts');
  return reportFolders(folder, null, answers, only);
}

export interface ScoredModelFlags {
  /** File of a model; default: the shipped one. */
  readonly model?: string | undefined;
  /** Groups of symbols, each scored by weights that were fitted without it; default: none. */
  readonly leftOut?: readonly (readonly string[])[] | undefined;
}

/** Computes the validation record of a price folder, in steps: see service/validation/compute.ts. */
export async function computeFolder(
  folder: string,
  { model, leftOut }: ScoredModelFlags = {},
): Promise<FolderComputation> {
  const computeModule = await import('../../service/validation/compute.ts');
  const scored = await modelFrom(model);
  return computeModule.computeFolder(folder, {
    ...(scored !== undefined && { model: scored }),
    ...(leftOut !== undefined && { leftOut }),
  });
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
