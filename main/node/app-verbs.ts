// Main, command line: the verbs that call the running app. Each verb's file loads on demand.
// Loads no schema: every command starts with this file.
import type { Command } from 'commander';
import { ASSET_CLASSES } from '../../shared/domain/instruments.ts';
import { appVerb, verb } from './verb.ts';

/** What happens without a further word. */
const LIST = { isDefault: true };

/** @param endWith receives the exit code of a verb that has one besides 0 */
export function addAppVerbs(program: Command, endWith: (code: number) => void): void {
  addAcknowledge(program);
  addAlertVerbs(program.command('alerts').description('List, explain, acknowledge and snooze alerts'));
  appVerb(program, 'status', 'Print whether data arrives and alerts are notified, one part per line')
    .addHelpText('after', '\nExit code: 0; 1 where a part is down; 2 where no app runs.')
    .action(async (flags) => endWith(await (await import('./verbs/status.ts')).printStatus(flags)));
  appVerb(program, 'due', 'Print what is due, next first, by the lists of the service or by calendar files')
    .option(
      '--events <path>',
      'a folder or a file of the form ICS, CSV or JSON, read as the service would; needs no app',
    )
    .option('--symbol <symbol>', 'of this symbol and of every market only')
    .option('--sessions <number>', 'sessions ahead; 0: today', '10')
    .addHelpText('after', '\nExit code: 0; 1 where a list cannot be read, or there is none; 2 where no app runs.')
    .action(async (flags) => endWith(await (await import('./verbs/due.ts')).printDue(flags)));
  addWatchVerbs(program.command('watch').description('List, add and remove the symbols of watchlists'));
  addSilenceVerbs(program.command('silence').description('List, add and end silences; list and end snoozes'));
  verb(program, 'mcp', 'Serve the Model Context Protocol on stdin and stdout: an assistant reads alerts and signals')
    .option('--profile <name>', 'profile of the running app (default: the one that its first window shows)')
    .option('--allow <what>', 'acknowledge: the assistant may acknowledge alerts (default: it can only read)')
    .action(async (flags) => (await import('./mcp/mcp.ts')).mcpVerb(flags));
  addApiVerbs(
    program.command('api').description('Serve a read API to scripts of this computer, and manage its tokens'),
  );
  addRuleVerbs(program.command('rules').description('List, enable, test, export and import alert rules'), endWith);
  addChannelVerbs(program.command('channels').description('List and test the channels of notifications'));
}

const loadAlerts = () => import('./verbs/alerts.ts');

const addAcknowledge = (parent: Command): Command =>
  appVerb(
    parent,
    'acknowledge <alerts...>',
    'Acknowledge alerts: the id of an event, or a symbol for its alerts that need attention',
  )
    .option('--note <text>', 'write this note on each of them')
    .action(async (names, flags) => (await loadAlerts()).acknowledgeAlerts(names, flags));

function addAlertVerbs(alerts: Command): void {
  appVerb(alerts, 'list', 'Print alerts, newest first, one per line', LIST)
    .option('--filter <which>', 'all, notified, unacked, suppressed or ended', 'all')
    .option('--attention', 'those that need attention, of either kind')
    .option('--prices', 'price alerts, market breadth and alerts of other programs, instead of changes of state')
    .option('--symbol <symbol>', 'of this symbol only')
    .option('--limit <number>', 'how many', '50')
    .action(async (flags) => (await loadAlerts()).listAlerts(flags));
  appVerb(alerts, 'show <alert>', 'Print an alert and its history: why it was notified, or why not').action(
    async (name, flags) => (await loadAlerts()).showAlert(name, flags),
  );
  addAcknowledge(alerts);
  appVerb(alerts, 'snooze <alerts...>', 'Mute the symbols of alerts, which are notified again if they are active then')
    .option('--for <time>', 'like 30m, 4h or 2d, on the clock of the market')
    .option('--until <end>', 'next-open, change, recovery, or a time like 2026-03-02T14:30:00Z')
    .action(async (names, flags) => (await loadAlerts()).snoozeAlerts(names, flags));
}

function addWatchVerbs(watch: Command): void {
  const load = () => import('./verbs/watch.ts');
  appVerb(watch, 'list', 'Print the watched symbols with their states, one per line', LIST)
    .option('--list <name>', 'this watchlist only')
    .action(async (flags) => (await load()).listWatched(flags));
  appVerb(watch, 'add <symbols...>', 'Add symbols to a watchlist')
    .option('--list <name>', 'watchlist (default: the one that a window shows at first)')
    .option('--section <name>', 'section, made where there is none (default: the first)')
    .action(async (symbols, flags) => (await load()).editWatched('add', symbols, flags));
  appVerb(watch, 'remove <symbols...>', 'Remove symbols from a watchlist')
    .option('--list <name>', 'watchlist (default: the one that a window shows at first)')
    .action(async (symbols, flags) => (await load()).editWatched('remove', symbols, flags));
}

function addSilenceVerbs(silence: Command): void {
  const load = () => import('./verbs/silence.ts');
  appVerb(silence, 'list', 'Print silences and snoozes, one per line', LIST).action(async (flags) =>
    (await load()).listSilences(flags),
  );
  appVerb(silence, 'add', 'Silence every alert that meets all conditions')
    .option('--symbols <symbols>', 'separated by commas')
    .option('--list <name>', 'symbols of this watchlist')
    .option('--classes <classes>', ASSET_CLASSES.join(', '))
    .option('--states <states>', 'normal, elevated, high_risk')
    .option('--all', 'every alert')
    .option('--from <time>', 'when it begins (default: now)')
    .option('--for <time>', 'like 30m, 4h or 2d, on the clock of the market')
    .option('--until <time>', 'a time like 2026-03-02T14:30:00Z')
    .option('--comment <text>', 'why')
    .action(async (flags) => (await load()).addSilence(flags));
  appVerb(silence, 'end <ids...>', 'End silences or snoozes now, by their numbers').action(async (ids, flags) =>
    (await load()).endSilences(ids, flags),
  );
}

function addChannelVerbs(channels: Command): void {
  const load = () => import('./verbs/channels.ts');
  appVerb(channels, 'list', 'Print the channels and the rules that name them, one per line', LIST).action(
    async (flags) => (await load()).listChannels(flags),
  );
  appVerb(channels, 'test <ids...>', 'Send a test through channels, and print the answer of each receiver')
    .addHelpText('after', '\nExit code: 0; 1 where a receiver did not accept it.')
    .action(async (ids, flags) => (await load()).testChannels(ids, flags));
}

function addApiVerbs(api: Command): void {
  verb(api, 'serve', 'Serve the read API on 127.0.0.1 until a signal; prints its address')
    .option('--port <port>', 'port; 0: any', '4790')
    .option('--profile <name>', 'profile of the running app (default: the one that its first window shows)')
    .action(async (flags) => (await import('./api/server.ts')).serveApi(flags));
  const token = api.command('token').description('Add, list and remove tokens');
  const load = () => import('./api/tokens.ts');
  verb(token, 'add <name>', 'Add a token and print it, once')
    .requiredOption('--scopes <scopes>', 'what it may read: alerts, signals, texts, separated by commas')
    .action(async (name, flags) => (await load()).addToken(name, flags));
  verb(token, 'list', 'Print one line per token', LIST)
    .option('--json', 'print JSON lines')
    .action(async (flags) => (await load()).listTokens(flags));
  verb(token, 'remove <name>', 'Remove a token; it ends at once').action(async (name, flags) =>
    (await load()).removeToken(name, flags),
  );
}

function addRuleVerbs(rules: Command, endWith: (code: number) => void): void {
  const load = () => import('./verbs/rules.ts');
  appVerb(rules, 'list', 'Print the rules in their order, one per line', LIST).action(async (flags) =>
    (await load()).listRules(flags),
  );
  appVerb(rules, 'enable <ids...>', 'Enable rules').action(async (ids, flags) =>
    (await load()).enableRules(ids, true, flags),
  );
  appVerb(rules, 'disable <ids...>', 'Disable rules').action(async (ids, flags) =>
    (await load()).enableRules(ids, false, flags),
  );
  appVerb(rules, 'what-if [id]', 'Test a rule on the last 30 days of the ledger; notifies nobody')
    .option('--file <file>', 'a rule as JSON, which need not be saved: the field rule of rules list --json')
    .action(async (id, flags) => (await load()).testRule(id, flags));
  appVerb(rules, 'export <file>', 'Write the rules to a file: channels by name, without address or secret').action(
    async (file, flags) => (await load()).exportRules(file, flags),
  );
  appVerb(rules, 'import <file>', 'Append the rules of a file, and print what differs from it')
    .option('--dry-run', 'print what would be imported, and save nothing')
    .addHelpText('after', '\nExit code: 0; 1 where a rule is left out.')
    .action(async (file, flags) => endWith(await (await load()).importRules(file, flags)));
}
