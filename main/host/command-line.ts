// Main, host: argument parsing of every command: an error is one line and exit code 2.
import { type Command, CommanderError } from 'commander';
import { StoppedError } from '../../shared/lib/progress.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { withoutSecrets } from './secrets.ts';

/** The exit code of a program that a signal ended. */
export const INTERRUPTED = 130;

/** Invalid arguments: one line with the error and its remedy. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Makes `command` throw instead of printing and exiting. Call it before adding subcommands: they inherit it.
 */
export function strict(command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .allowExcessArguments(false)
    .enablePositionalOptions();
}

/** Text of others as a terminal may get it: without control characters, which could rewrite what is above. */
export const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\t\n]/gu, '\uFFFD');
export const oneLine = (text: string): string => printable(text.replaceAll(/\s*\n\s*/g, ' ').trim());

/**
 * Runs `job` and turns an error into one line on stderr. Hides a key that was given as an argument by
 * mistake.
 * @returns the exit code: 0, 2 for wrong arguments, 130 for work that the user stopped, 1 for anything else
 */
export async function exitCodeOf(
  name: string,
  job: () => Promise<number>,
  print: (line: string) => void,
): Promise<number> {
  const say = (line: string): void => print(withoutSecrets(line));
  try {
    return await job();
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof CommanderError && error.code === 'commander.help') {
      say(`${name}: a command is needed. --help lists them.`);
      return 2;
    }
    if (error instanceof CommanderError) {
      say(
        `${name}: ${oneLine(error.message)
          .replace(/^error: /, '')
          .replace(/\.$/, '')}. Try --help.`,
      );
      return 2;
    }
    say(`${name}: ${oneLine(messageOf(error))}`);
    if (error instanceof StoppedError) return INTERRUPTED;
    return error instanceof UsageError ? 2 : 1;
  }
}
