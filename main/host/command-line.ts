// Main, host: how every command of the application reads its arguments: what is wrong is said in one line, exit code 2.
import { type Command, CommanderError } from 'commander';
import { messageOf } from '../../shared/lib/result.ts';
import { withoutSecrets } from './secrets.ts';

/** Thrown for arguments that cannot be used: one line saying what and how to mend it. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Makes `command` throw instead of printing and exiting. To be called before subcommands are added: they inherit it. */
export function strict(command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .allowExcessArguments(false)
    .enablePositionalOptions();
}

export const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim();

/**
 * Runs `job` and turns what it throws into one line on stderr. A key that was given as an argument by mistake is not repeated in it.
 * @returns the exit code: 0, 2 for wrong arguments, 1 for anything else
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
    return error instanceof UsageError ? 2 : 1;
  }
}
