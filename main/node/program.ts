// Main, command line: the verbs and their flags. Each verb's file loads on demand.
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { APP_FEEDS } from '../../shared/domain/price-feeds.ts';
import { MARKET_SCENARIOS } from '../../shared/domain/scenarios.ts';
import { exitCodeOf, strict } from '../host/command-line.ts';
import { addAppVerbs } from './app-verbs.ts';
import { verb } from './verb.ts';

/**
 * Runs one verb.
 * @param argv the arguments after the program's name
 * @returns the exit code
 */
export function barograph(argv: readonly string[], say: (line: string) => void): Promise<number> {
  return exitCodeOf(
    'barograph',
    async () => {
      let code = 0;
      await createProgram((ended) => {
        code = ended;
      }).parseAsync([...argv], { from: 'user' });
      return code;
    },
    say,
  );
}

/** @param endWith receives the exit code of a verb that has one besides 0 */
export function createProgram(endWith: (code: number) => void): Command {
  const program = strict(new Command('barograph'))
    .description('Barograph on the command line.')
    .version(manifest.version);

  verb(program, 'open', 'Open a window of the running app')
    .option('--profile <name>', 'profile to show')
    .option('--no-open', 'print the address only')
    .action(async (flags) => (await import('./verbs/open.ts')).openVerb(flags));

  addAppVerbs(program, endWith);

  verb(program, 'listen', 'Run the monitor without a window: print each ledger entry once, one per line')
    .option('--profile <name>', 'profile to watch')
    .option('--url <url>', 'service to watch instead of a profile (default: the service inside the running app)')
    .option('--json', 'print JSON lines')
    .option('--forward-to <url>', 'forward every event, signed, to a program on this computer')
    .action(async (flags) => (await import('./verbs/listen.ts')).listenVerb(flags));

  addServiceVerbs(program, endWith);
  addPriceVerbs(program, endWith);
  addKeyVerbs(program);

  verb(
    program,
    'ledger',
    'Print the newest entries of the ledger, one per line, oldest first, also beside a running app',
  )
    .option('--profile <name>', 'profile that has the ledger', 'sandbox')
    .option('--last <number>', 'how many', '40')
    .option('--json', 'print JSON lines with everything that is stored')
    .action(async (flags) => (await import('./verbs/ledger.ts')).ledgerVerb(flags));

  verb(
    program,
    'report',
    'Print a problem report, to be read before you share it: versions, profiles without secrets, gaps, the last lines of the log',
  )
    .option('--out <file>', 'write it to a new file instead of printing it')
    .action(async (flags) => (await import('./verbs/report.ts')).reportVerb(flags));

  verb(
    program,
    'doctor',
    'Check everything that is needed to notify you of a High Risk, and say what to do where something is wrong',
  )
    .option('--profile <name>', 'this profile only (default: all that are switched on)')
    .option('--json', 'print one JSON document instead of lines')
    .action(async (flags) => endWith(await (await import('./verbs/doctor.ts')).doctorVerb(flags)));

  addProfileVerbs(program);
  return program;
}

/** Verbs that ask a service, with or without the app. */
function addServiceVerbs(program: Command, endWith: (code: number) => void): void {
  verb(program, 'trigger [event]', 'Make an event happen in a sandbox service, or every event of a file')
    .option('--symbol <symbol>', 'symbol that the event is about')
    .option('--state <state>', 'state that signal.created announces: normal, elevated, high_risk')
    .option('--confidence <percent>', 'confidence of the event, in place of the present one')
    .option('--note <text>', 'note of the event, in place of the one that is written for it')
    .option('--fixture <file>', 'JSON file with a list of events: event, symbol, state, confidence, note')
    .option('--url <url>', 'address of the service (default: the service inside the running app)')
    .option('--key <key>', 'svc_test_ key of that service')
    .action(async (event, flags) => (await import('./verbs/trigger.ts')).triggerVerb(event, flags));

  verb(program, 'tail', 'Print the events of a service as they happen, one per line, without a profile or a ledger')
    .option('--symbols <symbols>', 'these symbols only, separated by commas')
    .option('--severity <states>', 'these states only: normal, elevated, high_risk')
    .option('--regime <names>', 'these regimes only')
    .option('--events <names>', 'these kinds of event only')
    .option('--after <id>', 'begin behind this event id')
    .option('--json', 'print whole events as JSON lines')
    .option('--url <url>', 'address of the service (default: the service inside the running app)')
    .option('--key <key>', 'svc_test_ key of that service; pass any other key in BAROGRAPH_KEY')
    .action(async (flags) => (await import('./verbs/tail.ts')).tailVerb(flags));

  verb(program, 'replay', 'Send the events of a period again to a webhook subscription')
    .requiredOption('--subscription <id>', 'id of the subscription, or "all" for every active one')
    .requiredOption(
      '--from <moment>',
      'start of the period, inclusive: an ISO 8601 date, or a date-time with Z or an offset',
    )
    .option('--to <moment>', 'end of the period, inclusive (default: now)')
    .option('--url <url>', 'address of the service (default: the service inside the running app)')
    .option('--key <key>', 'svc_test_ key of that service; pass any other key in BAROGRAPH_KEY')
    .action(async (flags) => (await import('./verbs/replay.ts')).replayVerb(flags));

  verb(
    program,
    'conformance [url]',
    'Test a service against every rule of the interface specification, or a vendor of prices (--feed)',
  )
    .option('--key <key>', 'svc_test_ key of that service; pass any other key in BAROGRAPH_KEY')
    .option('--dashboard <url>', 'address of a dashboard that proxies the service')
    .option('--feed <name>', 'test a vendor of prices instead; its key is in BAROGRAPH_FEED_KEY')
    .option('--feed-symbols <list>', 'symbols to try, like SPY,QQQ; the first three are used')
    .option('--feed-host <name=url...>', 'another address of the vendor (rest, stream, trading)')
    .option('--no-write', 'create no subscriptions and no events on the service')
    .option('--only <ids>', 'run only these checks, separated by commas')
    .option('--json', 'print one JSON document instead of lines')
    .action(async (url, flags) =>
      endWith(
        flags.feed === undefined
          ? await (await import('./verbs/conformance.ts')).conformanceVerb(url, flags)
          : await (await import('./verbs/feed-conformance.ts')).feedConformanceVerb(flags),
      ),
    );
}

const MODEL_FLAG = 'risk model made by npm run fit (default: the shipped one)';

/** Verbs that work on a folder of prices, without a service. */
function addPriceVerbs(program: Command, endWith: (code: number) => void): void {
  verb(
    program,
    'prices <path>',
    'Read price files as the service would, and print how: form, five rows, what is not used',
  )
    .option(
      '--answer <setting=value...>',
      'answer what is asked, in mapping.json beside the files: dateFormat=DD/MM/YYYY, decimal=, zone=, columns.close=, symbol:FILE=',
    )
    .action(async (path, flags) => endWith(await (await import('./verbs/prices.ts')).pricesVerb(path, flags)));

  verb(program, 'compute', 'Run every bar of a price folder through the engine; print one JSON line per symbol and bar')
    .requiredOption('--prices <folder>', 'folder of price files')
    .option('--symbol <symbol>', 'this symbol only')
    .option('--model <file>', MODEL_FLAG)
    .action(async (flags) => (await import('./verbs/compute.ts')).computeVerb(flags));

  verb(
    program,
    'validate',
    'Measure how often the signals would have been right on a price folder, compared with simple rules and chance',
  )
    .requiredOption('--prices <folder>', 'folder of price files')
    .option('--model <file>', MODEL_FLAG)
    .option(
      '--leave-out <symbols...>',
      'score only these symbols, by weights fitted on the others; one list (SPX,SPY,QQQ) for each group of like symbols',
    )
    .option('--json', 'print the record as the service serves it')
    .option('--html <file>', 'also write the page Record, with its plots, as one file')
    .action(async (flags) => (await import('./verbs/validate.ts')).validateVerb(flags));
}

/** Verbs about the keys of the service. */
function addKeyVerbs(program: Command): void {
  const keys = program
    .command('keys')
    .description('Issue, list, rotate, change and revoke the keys of a service, and report their use');
  keyVerb(keys, 'issue', 'Issue a key and print it, once')
    .option('--plan <plan>', 'pro, desk or institutional (default: the plan that the service is started with)')
    .option(
      '--scope <scope>',
      'read, webhooks (which includes read), or account (which includes both, and manages the keys of its account)',
      'webhooks',
    )
    .option('--account <name>', 'account that the key belongs to (default: a new account)')
    .option('--owner <address>', 'mail address of the owner of the account, who gets its notices')
    .option('--hard-cap', 'stop the account at its monthly quota instead of going into overage')
    .option('--contract <terms>', 'terms of an institutional account: monthly=N,burst=N,sustained=N,archetypes=N')
    .action(async (flags) => (await import('./verbs/keys.ts')).issueKey(flags));
  keyVerb(
    keys,
    'list',
    'Print one line per key: id, last characters, account, plan, scope, time of issue, status',
  ).action(async (flags) => (await import('./verbs/keys.ts')).listKeys(flags));
  keyVerb(
    keys,
    'rotate <id>',
    'Issue a replacement for a key and print it, once; the old key keeps working for a while',
  )
    .option('--overlap <time>', 'how long the old key keeps working: 0, 90s, 30m, 24h, 7d', '24h')
    .action(async (id, flags) => (await import('./verbs/keys.ts')).rotateKey(id, flags));
  keyVerb(
    keys,
    'change <account>',
    'Change the plan, cap, contract or owner of an account, or the scope of its keys; takes effect at once, even while the service runs',
  )
    .option('--plan <plan>', 'pro, desk, institutional, or "service" for the plan that the service is started with')
    .option('--hard-cap', 'stop the account at its monthly quota')
    .option('--no-hard-cap', 'let the account go into overage')
    .option('--contract <terms>', 'terms for --plan institutional, any of: monthly=N,burst=N,sustained=N,archetypes=N')
    .option('--scope <scope>', 'scope of all its live keys: read, webhooks or account')
    .option('--owner <address>', 'mail address of its owner, who gets its notices')
    .option('--no-owner', 'no owner: the operator of the service gets its notices')
    .action(async (account, flags) => (await import('./verbs/keys.ts')).changeAccount(account, flags));
  keyVerb(keys, 'usage', 'Print the calls of a month (UTC) and the overage, one row per account')
    .option('--account <name>', 'this account alone')
    .option('--month <month>', 'like 2026-03 (default: the present one)')
    .option('--format <format>', 'table, json or csv', 'table')
    .action(async (flags) => (await import('./verbs/keys.ts')).printUsage(flags));
  keyVerb(keys, 'revoke <id>', 'Revoke a key at once').action(async (id, flags) =>
    (await import('./verbs/keys.ts')).revokeKey(id, flags),
  );
}

function addProfileVerbs(program: Command): void {
  const profiles = program
    .command('profiles')
    .description('List, add and remove profiles: the services that Barograph listens to');
  verb(profiles, 'list', 'Print one line per profile').action(async (flags) =>
    (await import('./verbs/profiles.ts')).listProfiles(flags),
  );
  verb(profiles, 'add <name>', 'Add a profile')
    .requiredOption('--env <environment>', 'sandbox or production')
    .option(
      '--url <url>',
      'address of the service, or with --mode proxy the one-time link of a dashboard; a sandbox profile without one uses the service inside the app',
    )
    .option('--keep <tier>', 'with such a link: keychain, or passphrase for a file encrypted with one')
    .option('--mode <mode>', 'how the key is sent: auto, api-key, bearer or proxy', 'auto')
    .option('--scenario <name>', `what happens in a simulated market inside the app: ${MARKET_SCENARIOS.join(', ')}`)
    .option('--feed <name>', `live prices inside the app: ${APP_FEEDS.join(', ')}`)
    .option('--feed-symbols <list>', 'what the feed follows, like SPY,AAPL')
    .option('--states <map>', 'what the states of this service mean, as in "1 = High Risk, 0 = Normal"')
    .action(async (name, flags) => (await import('./verbs/profiles.ts')).addProfile(name, flags));
  verb(
    profiles,
    'states <name> <map>',
    'Say what the states of a service mean that writes them in its own numbers or words: "1 = High Risk, amber = Elevated", or default',
  ).action(async (name, map, flags) => (await import('./verbs/profiles.ts')).setStates(name, map, flags));
  verb(
    profiles,
    'trust <name>',
    'Send the key to what listens at the http address of a profile, though it cannot prove that it is the service',
  ).action(async (name, flags) => (await import('./verbs/profiles.ts')).trustProfile(name, flags));
  verb(profiles, 'remove <name>', 'Remove a profile; its ledger stays in the data folder').action(async (name, flags) =>
    (await import('./verbs/profiles.ts')).removeProfile(name, flags),
  );

  const key = profiles
    .command('key')
    .description(
      'Save, show, move and delete the key of a profile; it is kept in the system keychain unless you choose otherwise',
    );
  verb(key, 'set <name>', 'Save a key, read from standard input or from a prompt that shows nothing')
    .option(
      '--keep <tier>',
      'keychain, or passphrase for a file encrypted with one (default: where the profile keeps its keys)',
    )
    .action(async (name, flags) => (await import('./verbs/profile-keys.ts')).setKey(name, flags));
  verb(key, 'show <name>', 'Show where the key is kept, its prefix and its age; never the key').action(
    async (name, flags) => (await import('./verbs/profile-keys.ts')).showKey(name, flags),
  );
  verb(key, 'forget <name>', 'Delete the key from where it is kept')
    .option('--lost-passphrase', 'give up the keys of the profile in a vault whose passphrase is lost')
    .action(async (name, flags) => (await import('./verbs/profile-keys.ts')).forgetKey(name, flags));
  verb(key, 'move <name>', 'Move the keys of a profile to another place')
    .requiredOption('--to <tier>', 'keychain or passphrase')
    .action(async (name, flags) => (await import('./verbs/profile-keys.ts')).moveKey(name, flags));
}

/** A verb that works on the store of a service, running or not. */
const keyVerb = (parent: Command, usage: string, description: string): Command =>
  verb(parent, usage, description)
    .option('--db <file>', "the service's store (default: the one in the data folder)")
    .option(
      '--cluster <url>',
      'PostgreSQL of its nodes, instead of a store; with a password better in BAROGRAPH_CLUSTER',
    )
    .option('--cluster-file <file>', 'file with the address of --cluster');
