// Main, command line: what a verb prints about the running app: a record a line, for people or for programs.
import { isMessage, textOf } from '../../../shared/text/message.ts';
import { type AppClient, connectToApp } from '../../host/app-client.ts';

export interface AppFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly json?: boolean;
}

/** A record for programs, and the fields of its line for people; empty ones are left out. */
export interface Printed {
  readonly record: unknown;
  readonly fields: readonly string[];
}

/** Prints the answer of the running app. */
export async function printFromApp(
  flags: AppFlags,
  ask: (app: AppClient) => Promise<readonly Printed[]>,
): Promise<void> {
  printRecords(flags, await ask(connectToApp(flags.dataDir, flags.profile ?? null)));
}

export function printRecords({ json = false }: AppFlags, printed: readonly Printed[]): void {
  for (const { record, fields } of printed) console.log(json ? JSON.stringify(inText(record)) : lineOf(fields));
}

/** The value with each message as its text. */
export function inText(value: unknown): unknown {
  if (isMessage(value)) return textOf(value);
  if (Array.isArray(value)) return value.map(inText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inText(part)]));
}

/** One line. Texts of others get no control over the terminal. */
const lineOf = (fields: readonly string[]): string =>
  fields
    .map((field) => field.replaceAll(/\p{C}+/gu, ' '))
    .filter((field) => field !== '')
    .join('  ')
    .trimEnd();
