// Main, command line: `barograph prices`: reads price files as the service would, and prints how; changes nothing.
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { PriceAnswer } from '../../../shared/channels/profiles.ts';
import { texts } from '../../../shared/text/texts.ts';
import { oneLine, printable, UsageError } from '../../host/command-line.ts';
import { type FolderReport, reportPrices } from '../../service/service-tools.ts';

/** Rows that are not used, and forms, that are named; more are counted. */
const NAMED = 50;
const HEADS = ['symbol', 'date', 'open', 'high', 'low', 'close', 'volume'];
/** Settings that have other answers than the choices. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = { columns: ['columns.date=NAME', 'columns.close=NAME'] };
/** Exit codes: something is asked; nothing can be read. */
const ASKED = 2;
const REFUSED = 1;

/** @returns the exit code */
export async function pricesVerb(path: string, { answer = [] }: { readonly answer?: readonly string[] }) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`${path}: there is no such folder or file.`);
  const at = stat.isDirectory() ? { folder: path } : { folder: dirname(path), only: basename(path) };
  const before = await reportPrices(at, []);
  const answers = answer.flatMap((text) => answersOf(text, before));
  const report = answers.length === 0 ? before : await reportPrices(at, answers);
  for (const format of report.formats.slice(0, NAMED)) console.log(printable(formatLines(format).join('\n')));
  const { problems, formats, used, rows, files, refused, due } = report;
  for (const { file, line, reason } of problems.slice(0, NAMED))
    console.log(oneLine(`${file}${line === 0 ? '' : `:${line}`} ${reason}`));
  if (problems.length > NAMED) console.log(`and ${problems.length - NAMED} more like these`);
  const asked = formats.reduce((sum, { questions }) => sum + questions.length, 0);
  console.log(refused !== null ? oneLine(refused) : `${used} of ${rows} rows in ${files} files are used`);
  if (due !== null) console.log(oneLine(texts.ownPrices.due(due.folder, due.events, due.files)));
  if (asked > 0) console.log(`${asked} to answer; these files wait`);
  return asked > 0 ? ASKED : refused === null ? 0 : REFUSED;
}

function formatLines({ file, files, found, rows, questions }: FolderReport['formats'][number]): string[] {
  const table = [HEADS, ...rows.filter(({ length }) => length > 1)];
  const widths = HEADS.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    `${file}${files === 1 ? '' : ` and ${files - 1} more`}: ${found}`,
    ...(rows.length === 0 ? [] : [HEADS, ...rows].map((row) => `  ${line(row)}`)),
    ...questions.flatMap(({ kind, what, choices }) => [
      `  ? ${what}`,
      ...(
        SETTINGS[kind]
          ?.map((setting) => ({ setting, means: '' }))
          .concat(
            choices.flatMap(({ value, means }) =>
              value === '*' ? [{ setting: `columns.symbol=${value}`, means }] : [],
            ),
          ) ??
        // The name of a file may propose no symbol.
        (choices.length > 0 ? choices : [{ value: 'NAME', means: '' }]).map(({ value, means }) => ({
          setting: `${kind === 'symbol' ? `symbol:${file}` : kind}=${value}`,
          means,
        }))
      ).map(({ setting, means }) => `    --answer "${setting}"${means === '' ? '' : `  ${means}`}`),
    ]),
    '',
  ];
}

/** "dateFormat=DD/MM/YYYY" for every form that asks it; "symbol:download.csv=SPY" for one file. */
function answersOf(text: string, { formats }: FolderReport): PriceAnswer[] {
  const at = text.indexOf('=');
  const [setting = '', file] = text.slice(0, at).split(':');
  const value = text.slice(at + 1);
  if (at < 1 || value === '') throw new UsageError(`--answer ${text}: write it like dateFormat=DD/MM/YYYY.`);
  if (setting === 'symbol' && file !== undefined) return [{ of: file, setting, value }];
  const [kind = ''] = setting.split('.');
  const asking = formats.filter(({ questions }) => questions.some((question) => question.kind === kind));
  if (asking.length === 0) throw new UsageError(`--answer ${text}: no file asks that.`);
  return asking.map((format) => ({ of: kind === 'symbol' ? format.file : format.header, setting, value }));
}
