// Main, host: builds a problem report as Markdown, which its user reads before sharing it.
// It reads the data folder alone and sends nothing. Watched symbols and the paths of addresses stay out of
// it.
import { existsSync } from 'node:fs';
import { homedir, release } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import manifest from '../../package.json' with { type: 'json' };
import { KEY_TIERS } from '../../shared/channels/keys.ts';
import type { Gap } from '../../shared/channels/state.ts';
import { watchedSymbols } from '../../shared/domain/watchlists.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { textOf } from '../../shared/text/message.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { createGapStore } from '../core/ledger/gaps.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile, Settings } from '../core/profiles/settings.ts';
import { LOG_NAME } from './log-file.ts';
import { readEnd } from './notification-history.ts';
import { readRunFile } from './run-file.ts';
import { withoutSecrets } from './secrets.ts';

export interface ReportOptions {
  readonly dataFolder: string;
  readonly settings: Settings;
  /** Name and version of a component: "Node", "24.1.0". */
  readonly versions: readonly (readonly [name: string, value: string])[];
  readonly now: string;
}

/**
 * Returns the report of this data folder, written by the running program.
 * @param now ms
 */
export function reportOf(dataFolder: string, settings: SettingsStore, now: number): string {
  const { DISPLAY, WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS } = process.env;
  return writeReport({
    dataFolder,
    settings: settings.read(),
    versions: [
      ['Barograph', manifest.version],
      ...(process.versions.electron === undefined ? [] : [['Electron', process.versions.electron] as const]),
      ['Node', process.versions.node],
      ['system', `${process.platform} ${process.arch} ${release()}`],
      ['display', WAYLAND_DISPLAY ? 'Wayland' : DISPLAY ? 'X11' : 'none'],
      ['session bus', DBUS_SESSION_BUS_ADDRESS ? 'named' : 'not named'],
    ],
    now: timestamp(now),
  });
}

/** Lines of the log, and gaps per profile, newest last. */
const LINES = 100;
const GAPS = 20;
/** Bytes of the log that are searched, from its end. */
const TAIL = 128 * 1024;

export function writeReport({ dataFolder, settings, versions, now }: ReportOptions): string {
  const run = readRunFile(dataFolder);
  // Symbols come last: a symbol within a secret or the home folder would keep that from being found.
  const hideSymbols = withoutSymbols(settings);
  const hide = (text: string): string => hideSymbols(withoutHome(withoutSecrets(text)));
  const sections = [
    '# Problem report of Barograph',
    'Read this before you share it, and delete what you want to keep to yourself. Nothing was sent.',
    '## What runs',
    table(
      ['part', 'version'],
      [...versions, ['written', now], ['app', run === null ? 'not running' : `running, shows ${run.profile}`]],
    ),
    '## Profiles',
    table(
      ['profile', 'environment', 'service', 'mode', 'on', 'key kept in', 'saved'],
      settings.profiles.map(profileRow),
    ),
    `Watchlists: ${settings.watchlists.length}.`,
    '## Gaps',
    ...settings.profiles.map(
      ({ name }) => `### ${name}\n\n${hide(gapsOf(join(dataFolder, 'profiles', name, 'ledger.sqlite')))}`,
    ),
    `## The last lines of ${LOG_NAME}`,
    `\`\`\`\`\n${hide(tailOf(join(dataFolder, LOG_NAME)).join('\n'))}\n\`\`\`\``,
  ];
  return `${withoutHome(withoutSecrets(sections.join('\n\n')))}\n`;
}

function profileRow({ name, environment, baseUrl, mode, enabled, keys }: Profile): string[] {
  const tier = keys?.tier ?? (baseUrl === null ? 'own key' : KEY_TIERS[0]);
  return [
    name,
    environment,
    baseUrl === null ? 'inside the app' : new URL(baseUrl).origin,
    mode,
    enabled ? 'yes' : 'no',
    tier,
    keys?.saved_at ?? 'no',
  ];
}

function gapsOf(path: string): string {
  if (!existsSync(path)) return 'There is no ledger yet.';
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const gaps = createGapStore(db).newest(GAPS).reverse();
      return gaps.length === 0 ? 'None.' : table(['from', 'to', 'closed', 'cause'], gaps.map(gapRow));
    } finally {
      db.close();
    }
  } catch (error) {
    return `The ledger cannot be read: ${messageOf(error)}`;
  }
}

const gapRow = ({ from, to, closed, cause }: Gap): string[] => [
  from,
  to ?? 'open',
  closed ? 'yes' : 'no',
  textOf(cause),
];

function tailOf(path: string): string[] {
  try {
    const text = readEnd(path, TAIL);
    if (text === '') return ['There is none.'];
    const lines = text.trimEnd().split('\n');
    // The first line may be incomplete.
    return (text.length >= TAIL ? lines.slice(1) : lines).slice(-LINES);
  } catch (error) {
    return [messageOf(error)];
  }
}

const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** A home folder names its owner. */
const withoutHome = (text: string): string => (homedir().length > 1 ? text.replaceAll(homedir(), '~') : text);

/** Characters that a regular expression reads as something else. */
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** @returns a function that replaces every watched symbol, where it is a word, also in an address */
function withoutSymbols({ watchlists, profiles }: Settings): (text: string) => string {
  const symbols = [...watchedSymbols(watchlists), ...profiles.flatMap(({ feed }) => feed?.symbols ?? [])];
  if (symbols.length === 0) return (text) => text;
  // The longest first: BRK-B would keep its end where BRK is found.
  const written = [...new Set(symbols.flatMap((symbol) => [symbol, encodeURIComponent(symbol)]))]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(SPECIAL, '\\$&'));
  // The log's JSON writes a line break as a letter behind a backslash.
  const pattern = new RegExp(`(?:(?<![A-Za-z0-9])|(?<=\\\\[bfnrt]))(?:${written.join('|')})(?![A-Za-z0-9])`, 'g');
  return (text) => text.replaceAll(pattern, '[symbol]');
}
