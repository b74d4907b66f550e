// Service, command line: parses and checks the flags.
// Pure: argv in, configuration or one line of text out.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { MARKET_SCENARIOS, type MarketScenario } from '../../shared/domain/scenarios.ts';
import { ok, type Result } from '../../shared/lib/result.ts';
import { DASHBOARD_SCOPES, type DashboardScope } from '../../shared/wire/dashboard.ts';
import { GIVEN_KEY_PATTERN } from '../../shared/wire/keys.ts';
import { PLANS, type Plan } from '../../shared/wire/limits.ts';
import { parseClockFlag, REAL_TIME, type WorldTime } from '../market/world-clock.ts';
import type { ListenAddress } from '../network/address.ts';
import { type ClusterFlags, clusterConflict, withClusterFlags } from './cluster-flags.ts';
import { openConflict } from './dashboard-flags.ts';
import { type FeedFlags, feedConflict, withFeedFlags } from './feed-flags.ts';
import {
  type ListenFlags,
  listenConflict,
  type NetworkArguments,
  networkOf,
  whole,
  withListenOptions,
} from './listen-flags.ts';
import { parseVerb, refusedVerb, type VerbRefusal } from './parse-verb.ts';

const DEFAULT_PORT = 8787;
const DEFAULT_SEED = 7;

export interface Arguments extends FeedFlags, ClusterFlags {
  readonly env: 'sandbox' | 'production';
  readonly port: number;
  readonly network: NetworkArguments;
  /** Address of the metrics; null: no metrics. */
  readonly metrics: ListenAddress | null;
  /** null: no dashboard. */
  readonly dashboardPort: number | null;
  readonly dashboardHost: string | null;
  readonly dashboardUrl: string | null;
  /** Local programs need no session there. */
  readonly dashboardOpen: boolean;
  readonly dashboardScopes: readonly DashboardScope[] | null;
  readonly time: WorldTime;
  readonly db: string | null;
  readonly dataDir: string | null;
  readonly publicUrl: string | null;
  /** Sandbox only. */
  readonly seed: number;
  readonly key: string | null;
  readonly symbols: number | null;
  readonly rate: number | null;
  /** The scenario of the sandbox: another market, or a service with very low limits. */
  readonly scenario: MarketScenario | 'throttle' | null;
  /** Gets the notices of accounts without an owner, and is the sender of all. */
  readonly ownerEmail: string | null;
  /** Production only. */
  readonly prices: string | null;
  /** Webhooks may target this computer over plain http; the sandbox always allows it. */
  readonly allowLoopback: boolean;
  /** Plan of accounts without their own plan. */
  readonly plan: Plan;
  readonly hardCap: boolean;
  /** Sandbox only: enforces limits there too. */
  readonly enforceLimits: boolean;
  readonly metricsByApiKey: boolean;
  /** Folder of Markdown files, published beside the generated briefings. */
  readonly editorial: string | null;
  /** Folder of files of what is due. */
  readonly events: string | null;
  /** File of a model of one's own; null: the shipped one. */
  readonly model: string | null;
  /** Production only: file with the addresses of news feeds. */
  readonly feeds: string | null;
}

const SANDBOX_ONLY = ['seed', 'key', 'symbols', 'rate', 'scenario', 'enforceLimits'] as const;
const PRODUCTION_ONLY = ['prices', 'feed', 'feeds', 'allowLoopback'] as const;
const DASHBOARD_ONLY = ['dashboardHost', 'dashboardUrl', 'dashboardOpen', 'dashboardScopes'] as const;

type Flags = Partial<Arguments> &
  ListenFlags &
  Pick<Arguments, 'env' | 'port' | 'plan'> & { readonly clock: WorldTime };

/**
 * @returns the arguments, or the text to print with the exit code: 2 for wrong arguments, 0 for --help and
 *   --version
 */
export function readArguments(argv: readonly string[], version: string): Result<Arguments, VerbRefusal> {
  const command = withClusterFlags(withFeedFlags(withListenOptions(serviceCommand(version))));
  const read = parseVerb(command.addHelpText('after', VERBS), argv);
  if (!read.ok) {
    const { text, exitCode } = read.error;
    return exitCode === 0 ? read : refusedVerb(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')} (--help lists the flags)`);
  }
  const flags = command.opts<Flags>();
  const conflict = listenConflict(flags, command.getOptionValueSource('port') === 'cli') ?? conflictOf(flags);
  if (conflict !== null) return refusedVerb(conflict);
  const { clock: time, ...given } = flags;
  return ok({ ...ABSENT, ...given, time, port: flags.listen?.port ?? flags.port, network: networkOf(flags) });
}

/** What flags mean that are not given. */
const ABSENT = {
  ...{ metrics: null, db: null, dataDir: null, publicUrl: null, key: null, symbols: null, rate: null },
  ...{ scenario: null, prices: null, ownerEmail: null, editorial: null, events: null, model: null, feeds: null },
  ...{ dashboardPort: null, dashboardHost: null, dashboardUrl: null, dashboardScopes: null, dashboardOpen: false },
  ...{ feed: null, feedSymbols: [], feedHost: {}, feedConfig: null, feedCompare: null, feedKeyFile: null },
  ...{ cluster: null, clusterFile: null, roles: null, seed: DEFAULT_SEED },
  ...{ allowLoopback: false, hardCap: false, enforceLimits: false, metricsByApiKey: false },
};

const VERBS =
  '\nconfirm SYMBOL DATE with --split RATIO, --real or --refuse, and --db or --data-dir, says what a quarantined price is\nbackup FILE, with --db or --data-dir, copies the store, also while the service runs\nfeed-check --feed NAME, with --feed-symbols, --feed-config and --feed-key-file, tries a feed of prices: key, plan, clock, symbols';

function serviceCommand(version: string): Command {
  return new Command('service')
    .description(
      'Market Risk Signal Service: signals from a simulated market (sandbox) or from real prices (production)',
    )
    .version(version)
    .addOption(
      new Option('--env <environment>', 'sandbox or production').choices(['sandbox', 'production']).default('sandbox'),
    )
    .option(
      '--port <number>',
      'port on 127.0.0.1, unless --listen names address and port; 0 picks a free one',
      whole(0, 65_535),
      DEFAULT_PORT,
    )
    .option(
      '--dashboard-port <number>',
      'also serve a dashboard on this port, whose clients send no key but begin with a one-time link; 0 picks a free one',
      whole(0, 65_535),
    )
    .option('--dashboard-host <address>', 'address that the dashboard listens on (default: 127.0.0.1)', hostName)
    .option(
      '--dashboard-url <url>',
      'address at which clients reach the dashboard; with --dashboard-host the default is --public-url',
      httpUrl,
    )
    .option('--dashboard-open', 'every program of this computer may use the dashboard, without a session')
    .option(
      '--dashboard-scopes <list>',
      'what clients of the dashboard may do: read, trigger, subscriptions, account (default: all; when open: read)',
      scopeList,
    )
    .addOption(
      new Option(
        '--clock <moment>',
        'world clock: ISO freezes it at that moment; ISO,x60 runs it from there, 60 times as fast',
      )
        .argParser(clock)
        .default(REAL_TIME, 'the real time'),
    )
    .option('--db <file>', 'file in which the service keeps its store')
    .option('--data-dir <folder>', 'folder for the store in production, and for mail to the owner')
    .option(
      '--owner-email <address>',
      'operator: is mailed when a subscription of an account without an owner is paused, and sends the mail',
      address,
    )
    .option('--public-url <url>', 'address at which clients reach the service', httpUrl)
    .option(
      '--seed <number>',
      `sandbox: seed of the simulated market (default: ${DEFAULT_SEED})`,
      whole(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--key <key>', 'sandbox: accept this svc_test_ key instead of issuing one', givenKey)
    .option('--symbols <number>', 'sandbox: number of symbols with full coverage', whole(1, 9_999))
    .option('--rate <number>', 'sandbox: force this many transitions per second, for load tests', whole(1, 100_000))
    .addOption(
      new Option(
        '--scenario <name>',
        'sandbox: burst (many symbols at once), flap (SPY back and forth), crash (the fall of 2020 in two minutes, three times an hour), throttle (429 after a few calls)',
      ).choices([...MARKET_SCENARIOS, 'throttle']),
    )
    .option('--prices <folder>', 'production: folder of CSV files (symbol,date,open,high,low,close,volume)')
    .option(
      '--editorial <folder>',
      'also serve the Markdown files of this folder as briefings; front matter: title, author, date',
    )
    .option(
      '--events <folder>',
      'also serve what is due by the files of this folder (ics, csv, json); default: the folder events in that of --prices',
    )
    .option('--model <file>', 'risk model of your own, made by npm run fit, in place of the shipped one')
    .option('--feeds <file>', 'production: file that lists news feeds (RSS, Atom, JSON), one address per line')
    .option('--allow-loopback', 'production: allow webhooks to this computer, also over plain http')
    .addOption(new Option('--plan <plan>', 'plan of accounts without one of their own').choices(PLANS).default('pro'))
    .option('--hard-cap', 'stop accounts at their monthly quota instead of letting them go into overage')
    .option('--enforce-limits', 'sandbox: enforce limits and quotas as in production')
    .option('--metrics-by-api-key', 'accept the key for validation metrics in X-API-Key only, not as a bearer token');
}

/** Returns why flags that are each valid cannot be used together, or null. */
function conflictOf(flags: Flags): string | null {
  const misplaced = (flags.env === 'sandbox' ? PRODUCTION_ONLY : SANDBOX_ONLY).find(
    (name) => flags[name] !== undefined,
  );
  if (misplaced === 'key')
    return '--key takes svc_test_ keys, which work in the sandbox only; in production a key is issued at the first start';
  if (misplaced !== undefined) {
    return `${spelled(misplaced)} belongs to --env ${flags.env === 'sandbox' ? 'production' : 'sandbox'}; leave it out here`;
  }
  const dashboardFlag = DASHBOARD_ONLY.find((name) => flags[name] !== undefined);
  if (dashboardFlag !== undefined && flags.dashboardPort === undefined)
    return `${spelled(dashboardFlag)} needs --dashboard-port`;
  const openRefusal = flags.dashboardOpen ? openConflict(flags) : null;
  if (openRefusal !== null) return openRefusal;
  const feedRefusal = feedConflict(flags);
  if (feedRefusal !== null) return feedRefusal;
  const clusterRefusal = clusterConflict(flags);
  if (clusterRefusal !== null) return clusterRefusal;
  if (flags.env === 'production' && flags.prices === undefined && flags.feed === undefined) {
    return '--env production needs prices: --feed binance for live ones of coins without an account, or --prices DIR, a folder of CSV files with the header symbol,date,open,high,low,close,volume';
  }
  if (flags.feeds !== undefined && flags.clock.start !== null) {
    return '--feeds brings the news of today; it cannot be used with --clock, which sets another day';
  }
  return null;
}

function clock(text: string): WorldTime {
  const parsed = parseClockFlag(text);
  if (!parsed.ok) throw new InvalidArgumentError(parsed.error);
  return parsed.value;
}

function address(text: string): string {
  if (!z.email().safeParse(text).success) throw new InvalidArgumentError('It must be an e-mail address.');
  return text;
}

const spelled = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function hostName(text: string): string {
  const name = text.replace(/^\[|\]$/g, '');
  if (URL.parse(`http://${name.includes(':') ? `[${name}]` : name}`)?.pathname !== '/' || /[/?#@\s]/.test(name))
    throw new InvalidArgumentError('It must be an address or a name of this computer, without a port.');
  return name;
}

function scopeList(text: string): readonly DashboardScope[] {
  const named = text.split(',').map((part) => part.trim());
  const scopes = DASHBOARD_SCOPES.filter((scope) => named.includes(scope));
  if (scopes.length === 0 || scopes.length !== new Set(named).size)
    throw new InvalidArgumentError(`It must be a list of ${DASHBOARD_SCOPES.join(', ')}.`);
  return scopes;
}

function givenKey(text: string): string {
  // The message must not contain the value, which may be a production key.
  if (!GIVEN_KEY_PATTERN.test(text))
    throw new CommanderError(2, 'barograph.key', '--key takes svc_test_ followed by 16 or more of A-Z, a-z, 0-9');
  return text;
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('It must be an http or https address.');
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('It must be an address without a user, a query or a fragment.');
  return text.replace(/\/+$/, '');
}
