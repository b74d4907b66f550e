// Main, command line: what a verb prints about the running app: a record a line, for people or for programs.
import { isMessage, textOf } from '../../../shared/text/message.ts';
import { type AppClient, connectToApp } from '../../host/app-client.ts';
import { oneLine } from '../../host/command-line.ts';
import { readRunFile } from '../../host/run-file.ts';
import { openSettings } from './open-settings.ts';

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

/** The running app's core of the profile. Where none is named and others are on, a line says which one is asked. */
export function appOf({ dataDir, profile }: AppFlags): AppClient {
  const asked = profile === undefined ? readRunFile(dataDir)?.profile : undefined;
  if (asked !== undefined) {
    const { profiles } = openSettings(dataDir).read();
    const others = profiles.filter(({ name, enabled }) => enabled && name !== asked).map(({ name }) => name);
    if (others.length > 0)
      console.error(oneLine(`The profile ${asked} is asked. --profile NAME asks another one: ${others.join(', ')}`));
  }
  return connectToApp(dataDir, profile ?? null);
}

/** Prints the answer of the running app. */
export async function printFromApp(
  flags: AppFlags,
  ask: (app: AppClient) => Promise<readonly Printed[]>,
): Promise<void> {
  printRecords(flags, await ask(appOf(flags)));
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
