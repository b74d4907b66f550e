// Service, command line (npm run service): runs one service in one process.
// stdout has only `key`, `metrics`, `dashboard`, `dashboard-link` and `ready` lines; the log goes to stderr.
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { destination, pino } from 'pino';
import manifest from '../package.json' with { type: 'json' };
import { applicationFolder } from '../shared/lib/application-folder.ts';
import { createClock } from '../shared/lib/clock.ts';
import { whenOrphaned } from '../shared/lib/orphan.ts';
import { StoppedError } from '../shared/lib/progress.ts';
import { messageOf, type Result } from '../shared/lib/result.ts';
import { SECOND_MS } from '../shared/lib/time.ts';
import type { ServiceConfig, UserFolder } from './assemble.ts';
import type { ClusterConfig } from './cluster/node.ts';
import { type Arguments, readArguments } from './command-line/arguments.ts';
import { readBackup, writeBackup } from './command-line/backup.ts';
import { showsPassword, takeCluster } from './command-line/cluster-flags.ts';
import { readConfirmation, recordConfirmation } from './command-line/confirm.ts';
import { dashboardWarnings } from './command-line/dashboard-flags.ts';
import { takeFeedKey } from './command-line/feed-inputs.ts';
import { createProgressLine, longWork } from './command-line/long-work.ts';
import type { VerbRefusal } from './command-line/parse-verb.ts';
import { checkFeed, findingLine, readFeedCheck } from './feed-check.ts';
import { type DashboardOptions, type ListenDeps, listen, type NetworkOptions, type RunningServer } from './listen.ts';
import { feedNamed } from './market/feeds/feeds.ts';
import type { MetricsServer } from './metrics/server.ts';
import { readModel } from './model-file.ts';
import { environmentProxy } from './network/environment-proxy.ts';
import { createOutbound, type Outbound } from './network/outbound.ts';
import { readFeedList } from './news/feed-list.ts';
import { IN_MEMORY } from './store/store.ts';
import { StoreError } from './store/store-error.ts';
import { UsageError } from './usage-error.ts';
import type { OwnerNotifier } from './webhooks/notices.ts';
import { createOwnerMail } from './webhooks/owner-mail.ts';

/** SIGTERM ends the process within 3 s, even when something hangs; with --drain within that many seconds. */
const END_MS = 3_000;
/** Requests in flight are cut this long before the end. */
const CUT_MS = 800;
/** The process exits this long before the limit, even when something hangs. */
const LAST_MS = 200;
const PROBLEMS_SHOWN = 20;

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

const dataFolder = (): string => applicationFolder({ platform: process.platform, env: process.env, home: homedir() });

/** A replay without a folder or file uses memory: a store is bound to its clock and refuses another. */
function storeFile({ env, db, dataDir, time }: Arguments): string {
  if (db !== null) return db;
  if (env === 'sandbox' || (time.start !== null && dataDir === null)) return IN_MEMORY;
  return join(dataDir ?? dataFolder(), time.start === null ? 'service.db' : 'service-replay.db');
}

/**
 * Notices go by SMTP if SMTP_URL and an address are set, otherwise into a folder; a store in memory has none.
 */
function ownerMail({ env, db, dataDir, ownerEmail }: Arguments, smtpUrl: string | undefined): OwnerNotifier | null {
  const inFile = db !== null && db !== IN_MEMORY;
  const folder = dataDir ?? (inFile ? dirname(db) : env === 'production' ? dataFolder() : null);
  if (folder === null && smtpUrl === undefined) return null;
  const outbox = folder === null ? null : join(folder, 'outbox');
  return createOwnerMail({ operator: ownerEmail, smtpUrl: smtpUrl ?? null, outbox });
}

type Problems = readonly { file: string; line: number; reason: string }[];

const REFUSED = 'not used; the rest is';
const CONCLUSIONS: Readonly<Record<UserFolder, string>> = {
  // Of a gap, the rows around it are used.
  prices: 'lines of the price files to check; every sound row is used',
  editorial: `editorial files are ${REFUSED}`,
  events: `events of the files of what is due are ${REFUSED}`,
};

/** @param conclusion sentence after the number of problems */
const complainOf =
  (conclusion: string) =>
  (problems: Problems): void => {
    // Line 0 means the whole file.
    for (const { file, line, reason } of problems.slice(0, PROBLEMS_SHOWN))
      complain(`${file}:${line === 0 ? '' : line} ${reason}`);
    const more = problems.length - PROBLEMS_SHOWN;
    if (more > 0) complain(`and ${more} more`);
    if (problems.length > 0) complain(`${problems.length} ${conclusion}`);
  };

function feedsOf({ feeds: file }: Arguments): readonly string[] {
  if (file === null) return [];
  const { feeds, problems } = readFeedList(file);
  complainOf(`${problems.length === 1 ? 'line of the feeds is' : 'lines of the feeds are'} ${REFUSED}`)(problems);
  return feeds;
}

function dashboardOf(args: Arguments): { dashboard?: DashboardOptions } {
  const { dashboardPort, dashboardHost, dashboardUrl, dashboardOpen, dashboardScopes } = args;
  if (dashboardPort === null) return {};
  return {
    dashboard: {
      port: dashboardPort,
      isOpen: dashboardOpen,
      ...(dashboardHost === null ? {} : { host: dashboardHost }),
      ...(dashboardUrl === null ? {} : { url: dashboardUrl }),
      ...(dashboardScopes === null ? {} : { scopes: dashboardScopes }),
    },
  };
}

const networkOf = ({ network: { host, tls, trusts, allowedHosts } }: Arguments): NetworkOptions => ({
  ...(host === null ? {} : { host }),
  ...(tls === null ? {} : { tls }),
  ...(trusts === null ? {} : { trusts }),
  allowedHosts,
});

/** @throws UsageError */
function outboundOf(environment: NodeJS.ProcessEnv): Outbound {
  const found = environmentProxy(environment);
  if (!found.ok) throw new UsageError(found.error);
  return createOutbound(found.value);
}

/** Loads the metrics library only with --metrics. */
async function metricsOf({ metrics, network: { allowedHosts } }: Arguments): Promise<MetricsServer | null> {
  if (metrics === null) return null;
  const { openMetrics } = await import('./metrics/server.ts');
  const server = await openMetrics(metrics, { clock, version: manifest.version, allowedHosts });
  say(`metrics ${server.url}`);
  return server;
}

function worldOf({ env, seed, symbols, scenario, prices, feed, ...args }: Arguments): ServiceConfig['world'] {
  if (feed !== null)
    return {
      kind: 'feed',
      ...{ feed, symbols: args.feedSymbols, hosts: args.feedHost },
      ...{ config: args.feedConfig, compare: args.feedCompare },
    };
  if (env === 'production') return { kind: 'prices', folder: prices ?? '' };
  return {
    kind: 'sandbox',
    seed,
    ...(symbols === null ? {} : { symbols }),
    ...(scenario === null || scenario === 'throttle' ? {} : { scenario }),
  };
}

/** Loads the cluster libraries only with --cluster. */
async function serverOf(cluster: ClusterConfig): Promise<typeof listen> {
  const { runNode } = await import('./cluster/run-node.ts');
  return (config, deps, options) => runNode(cluster, config, deps, options);
}

/**
 * Overwrites the arguments in the list of processes; npm and a shell in front of this process still show
 * theirs.
 */
function hidePassword(): void {
  process.title = 'barograph service';
  complain('warning: the password in --cluster can be read in the list of processes; give it in BAROGRAPH_CLUSTER');
}

type StartWatch = Required<Pick<ListenDeps, 'onProgress' | 'isStopped'>>;

async function run(args: Arguments, smtpUrl: string | undefined, start: StartWatch): Promise<RunningServer> {
  const { env, time, port, key, publicUrl, rate, plan, hardCap, metricsByApiKey, scenario, editorial, events } = args;
  const feedKey = takeFeedKey(process.env, args.feedKeyFile);
  if (args.feed !== null && feedKey === null && feedNamed(args.feed, args.feedConfig).needsKey)
    throw new UsageError(`The feed ${args.feed} needs a key: set BAROGRAPH_FEED_KEY, or give --feed-key-file.`);
  const notifyOwner = ownerMail(args, smtpUrl);
  const cluster = takeCluster(process.env, args);
  if (showsPassword(args)) hidePassword();
  const measured = await metricsOf(args);
  const serve: typeof listen = cluster === null ? listen : await serverOf(cluster);
  const service = await serve(
    {
      world: worldOf(args),
      time,
      file: storeFile(args),
      feeds: feedsOf(args),
      ...(editorial === null ? {} : { editorial }),
      ...(events === null ? {} : { events }),
      ...(args.model === null ? {} : { model: readModel(args.model) }),
    },
    {
      clock,
      logger: pino(
        { level: 'warn', base: null, timestamp: pino.stdTimeFunctions.isoTime },
        destination({ dest: 2, sync: true }),
      ),
      randomBytes,
      ...(measured === null ? {} : { metrics: measured.metrics }),
      onFolder: (which, { problems }) => complainOf(CONCLUSIONS[which])(problems),
      onFeedNotice: complain,
      ...start,
      feedKey: () => feedKey,
      outbound: outboundOf(process.env),
      webhooks: {
        allowLoopback: env === 'sandbox' || args.allowLoopback,
        ...(notifyOwner === null ? {} : { notifyOwner }),
      },
      plans: {
        plan,
        hardCap,
        enforced: env === 'production' || args.enforceLimits,
        throttled: scenario === 'throttle',
        metricsByApiKeyOnly: metricsByApiKey,
      },
    },
    {
      port,
      network: networkOf(args),
      key,
      ...dashboardOf(args),
      ...(publicUrl === null ? {} : { publicUrl }),
      ...(rate === null ? {} : { rate }),
    },
  );
  measured?.attach(service.readings);
  return service;
}

/** @returns the message about a failed start, and the exit code */
function failure(error: unknown, args: Arguments): { text: string; exitCode: number } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const port = error instanceof Error && 'port' in error ? error.port : args.port;
  if (code === 'EADDRINUSE' && port === args.metrics?.port)
    return { text: `Port ${port} is in use. Give another one with --metrics (0 picks a free one).`, exitCode: 1 };
  const own = args.network.host === null ? '--port' : '--listen';
  const flag = port === args.dashboardPort && port !== args.port ? '--dashboard-port' : own;
  if (code === 'EADDRNOTAVAIL')
    return {
      text: `This computer has no address ${error instanceof Error && 'address' in error ? error.address : args.network.host}. Give one of its own, or 0.0.0.0 for all of them.`,
      exitCode: 2,
    };
  if (code === 'EADDRINUSE')
    return {
      text: `Port ${port} is in use. Stop what uses it, or give another one with ${flag} (0 picks a free one).`,
      exitCode: 1,
    };
  if (code === 'EACCES')
    return {
      text: `Port ${port} needs rights that this process does not have. Give one above 1023 with ${flag}.`,
      exitCode: 1,
    };
  if (error instanceof StoppedError) return { text: error.message, exitCode: 0 };
  return { text: messageOf(error), exitCode: error instanceof StoreError || error instanceof UsageError ? 2 : 1 };
}

/** Prints the text of `--help`, or of wrong arguments, and sets the exit code. */
function refuse({ text, exitCode }: VerbRefusal): void {
  (exitCode === 0 ? process.stdout : process.stderr).write(text);
  process.exitCode = exitCode;
}

/** Runs a verb that starts no service; prints its result, or why it did nothing. */
async function runVerb<Given>(
  read: Result<Given, VerbRefusal>,
  act: (given: Given) => string | Promise<string>,
): Promise<void> {
  if (!read.ok) {
    refuse(read.error);
    return;
  }
  try {
    say(await act(read.value));
  } catch (error) {
    complain(messageOf(error));
    process.exitCode = error instanceof StoppedError ? 130 : 1;
  }
}

/** `feed-check`: no service is started. */
async function feedCheck(argv: readonly string[]): Promise<void> {
  const read = readFeedCheck(argv);
  if (!read.ok) return refuse(read.error);
  try {
    const key = takeFeedKey(process.env, read.value.keyFile);
    for await (const finding of checkFeed(read.value, { clock, outbound: outboundOf(process.env), key })) {
      say(findingLine(finding));
      if (!finding.isRight) process.exitCode = 1;
    }
  } catch (error) {
    complain(messageOf(error));
    process.exitCode = 2;
  }
}

async function main(): Promise<void> {
  const [, , verb, ...rest] = process.argv;
  if (verb === 'confirm')
    return runVerb(readConfirmation(rest), (given) => recordConfirmation(given, dataFolder(), clock.now()));
  if (verb === 'backup')
    return runVerb(readBackup(rest), (given) =>
      longWork(({ report }) => writeBackup(given, dataFolder(), report), 'There is no copy; the next run begins anew.'),
    );
  if (verb === 'feed-check') return feedCheck(rest);
  const args = readArguments(process.argv.slice(2), manifest.version);
  if (!args.ok) return refuse(args.error);
  // May contain a password, which no other part of this process needs.
  const smtpUrl = process.env.SMTP_URL;
  delete process.env.SMTP_URL;
  if (smtpUrl !== undefined && !/^smtps?:\/\/\S+$/.test(smtpUrl)) {
    complain('SMTP_URL must begin with smtp:// or smtps://, like smtps://user:password@mail.example.com');
    process.exitCode = 2;
    return;
  }
  const progress = createProgressLine({ output: process.stderr, clock });
  let service: RunningServer | undefined;
  let ending = false;
  const drainMs = args.value.network.drain === null ? END_MS : args.value.network.drain * SECOND_MS;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), drainMs - LAST_MS).unref();
    void service?.drain(drainMs - CUT_MS).then(
      () => process.exit(0),
      (error: unknown) => {
        complain(messageOf(error));
        process.exit(1);
      },
    );
  };
  process.on('unhandledRejection', (reason) => complain(`work in the background failed: ${messageOf(reason)}`));
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // npm passes SIGTERM only to the shell between itself and this process.
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => process.ppid, clock, end);
  try {
    service = await run(args.value, smtpUrl, { onProgress: progress.report, isStopped: () => ending });
    progress.clear();
    if (service.issued !== null) say(`key ${service.issued}`);
    if (service.dashboard !== null) {
      for (const warning of dashboardWarnings(args.value, service.dashboard)) complain(`warning: ${warning}`);
      say(`dashboard ${service.dashboard}`);
    }
    if (service.dashboardLink !== null) say(`dashboard-link ${service.dashboardLink}`);
    say(`ready ${service.url}`);
  } catch (error) {
    progress.clear();
    const { text, exitCode } = failure(error, args.value);
    complain(text);
    process.exit(exitCode);
  }
}

await main();
