// Main, command line: the verbs and their flags. Every verb is its own file, loaded when it is asked for; nothing is built here.
import { Command } from 'commander';
import { exitCodeOf, strict } from '../core/host/command-line.ts';
import { defaultDataFolder } from '../core/host/data-folder.ts';

/**
 * Runs one verb.
 * @param argv what stands behind the program's name
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

/** @param endWith told the exit code of a verb that has one besides 0 */
function createProgram(endWith: (code: number) => void): Command {
  const program = strict(new Command('barograph')).description('Barograph on the command line.');

  verb(program, 'open', 'opens a window of the running app')
    .option('--profile <name>', 'the profile that it shows')
    .option('--no-open', 'only print the address')
    .action(async (flags) => (await import('./verbs/open.ts')).openVerb(flags));

  verb(program, 'trigger <event>', 'makes an event happen in a sandbox service')
    .option('--symbol <symbol>', 'whose event')
    .option('--url <url>', 'the service; without it the one inside the running app')
    .option('--key <key>', 'a svc_test_ key of it')
    .action(async (event, flags) => (await import('./verbs/trigger.ts')).triggerVerb(event, flags));

  verb(program, 'listen', 'the monitor without a window: one line per entry of the ledger, each once')
    .option('--profile <name>', 'the profile that it watches')
    .option('--url <url>', 'a service to watch instead; without both the one inside the running app')
    .option('--json', 'JSON lines')
    .option('--forward-to <url>', 'passes every event on to a program of this computer, signed')
    .action(async (flags) => (await import('./verbs/listen.ts')).listenVerb(flags));

  verb(program, 'replay', 'sends what happened within a range once more to a webhook subscription')
    .requiredOption('--subscription <id>', 'the subscription; "all": every active one')
    .requiredOption('--from <moment>', 'beginning, included: an ISO 8601 date, or a date-time with Z or an offset')
    .option('--to <moment>', 'end, included; without it, now')
    .option('--url <url>', 'the service; without it the one inside the running app')
    .option('--key <key>', 'a svc_test_ key of it; any other key goes into BAROGRAPH_KEY')
    .action(async (flags) => (await import('./verbs/replay.ts')).replayVerb(flags));

  verb(program, 'conformance <url>', 'tries every rule of the interface specification against a service')
    .option('--key <key>', 'a svc_test_ key of it; any other key goes into BAROGRAPH_KEY')
    .option('--dashboard <url>', 'a dashboard that proxies the service')
    .option('--no-write', 'make no subscriptions and no events over there')
    .option('--only <ids>', 'these checks only, separated by commas')
    .option('--json', 'one JSON document instead of lines')
    .action(async (url, flags) => endWith(await (await import('./verbs/conformance.ts')).conformanceVerb(url, flags)));

  verb(program, 'compute', 'every bar of a price folder through the engine, one JSON line per symbol and bar')
    .requiredOption('--prices <folder>', 'folder of CSV files (symbol,date,open,high,low,close,volume)')
    .option('--symbol <symbol>', 'only this one')
    .action(async (flags) => (await import('./verbs/compute.ts')).computeVerb(flags));

  verb(program, 'validate', 'how often the signals would have been right on a price folder, beside simple rules and chance')
    .requiredOption('--prices <folder>', 'folder of CSV files (symbol,date,open,high,low,close,volume)')
    .option('--json', 'the record as the service serves it')
    .action(async (flags) => (await import('./verbs/validate.ts')).validateVerb(flags));

  const keys = program.command('keys').description('the keys of a service: issued and shown once, rotated, revoked');
  keyVerb(keys, 'issue', 'issues a key and prints it, once')
    .option('--plan <plan>', 'pro, desk or institutional; without it, the plan that the service is started with')
    .option('--scope <scope>', 'read, or webhooks (reads too)', 'webhooks')
    .option('--account <name>', 'whose key it is; without it, the key is an account of its own')
    .option('--hard-cap', 'the account stops at its monthly quota instead of going into overage')
    .option('--contract <terms>', 'terms of an institutional account: monthly=N,burst=N,sustained=N,archetypes=N')
    .action(async (flags) => (await import('./verbs/keys.ts')).issueKey(flags));
  keyVerb(keys, 'list', 'one line per key: id, last characters, account, plan, scope, when made, what it is').action(async (flags) =>
    (await import('./verbs/keys.ts')).listKeys(flags),
  );
  keyVerb(keys, 'rotate <id>', 'issues the successor of a key and prints it, once; the old one goes on for a while')
    .option('--overlap <time>', 'how long the old one goes on: 0, 90s, 30m, 24h, 7d', '24h')
    .action(async (id, flags) => (await import('./verbs/keys.ts')).rotateKey(id, flags));
  keyVerb(
    keys,
    'change <account>',
    'gives an account another plan, cap or contract, or its keys another scope; at once, also under a running service',
  )
    .option('--plan <plan>', 'pro, desk, institutional, or service for the plan that the service is started with')
    .option('--hard-cap', 'the account stops at its monthly quota')
    .option('--no-hard-cap', 'it goes into overage instead')
    .option('--contract <terms>', 'of --plan institutional: monthly=N,burst=N,sustained=N,archetypes=N, any of them')
    .option('--scope <scope>', 'what all its live keys may do: read or webhooks')
    .action(async (account, flags) => (await import('./verbs/keys.ts')).changeAccount(account, flags));
  keyVerb(keys, 'revoke <id>', 'ends a key at once').action(async (id, flags) => (await import('./verbs/keys.ts')).revokeKey(id, flags));

  verb(
    program,
    'report',
    'a problem report to read before you share it: versions, profiles without secrets, gaps, the last lines of the log',
  )
    .option('--out <file>', 'writes it to a new file instead of printing it')
    .action(async (flags) => (await import('./verbs/report.ts')).reportVerb(flags));

  verb(program, 'doctor', 'whether everything is in order that is needed to tell of a High Risk, and what to do if not')
    .option('--profile <name>', 'only this profile; without it, all that are switched on')
    .option('--json', 'one JSON document instead of lines')
    .action(async (flags) => endWith(await (await import('./verbs/doctor.ts')).doctorVerb(flags)));

  const profiles = program.command('profiles').description('the services that Barograph listens to');
  verb(profiles, 'list', 'one line per profile').action(async (flags) => (await import('./verbs/profiles.ts')).listProfiles(flags));
  verb(profiles, 'add <name>', 'adds a profile')
    .requiredOption('--env <environment>', 'sandbox or production')
    .option('--url <url>', 'address of the service; a sandbox profile without one uses the service inside the app')
    .option('--mode <mode>', 'how the key is sent: auto, api-key, bearer or proxy', 'auto')
    .action(async (name, flags) => (await import('./verbs/profiles.ts')).addProfile(name, flags));
  verb(profiles, 'remove <name>', 'removes a profile; its ledger stays in the data folder').action(async (name, flags) =>
    (await import('./verbs/profiles.ts')).removeProfile(name, flags),
  );

  const key = profiles.command('key').description('the key of a profile: kept in the system keychain unless you choose otherwise');
  verb(key, 'set <name>', 'saves a key, read from standard input or a prompt that shows nothing')
    .option('--keep <tier>', 'keychain, or passphrase (a file encrypted under one); without it, where the profile keeps its keys')
    .action(async (name, flags) => (await import('./verbs/profile-keys.ts')).setKey(name, flags));
  verb(key, 'show <name>', 'where the key is kept, its prefix and its age; never the key').action(async (name, flags) =>
    (await import('./verbs/profile-keys.ts')).showKey(name, flags),
  );
  verb(key, 'forget <name>', 'deletes the key from where it is kept').action(async (name, flags) =>
    (await import('./verbs/profile-keys.ts')).forgetKey(name, flags),
  );
  verb(key, 'move <name>', 'keeps the keys of a profile elsewhere; what is kept moves along')
    .requiredOption('--to <tier>', 'keychain or passphrase')
    .action(async (name, flags) => (await import('./verbs/profile-keys.ts')).moveKey(name, flags));
  return program;
}

/** A verb that works on the store of a service, running or not. */
const keyVerb = (parent: Command, usage: string, words: string): Command =>
  verb(parent, usage, words).option('--db <file>', "the service's store; without it, the one in the data folder");

/** Every verb takes the data folder, those that leave it alone too: a script may give it to all of them. */
const verb = (parent: Command, usage: string, words: string): Command =>
  parent.command(usage).description(words).option('--data-dir <folder>', 'where settings, ledger and archive live', defaultDataFolder());
