// Service, command line: reads the arguments of a verb that starts no service.
import { type Command, CommanderError } from 'commander';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';

/** Text to print instead of running the verb, with the exit code. */
export interface VerbRefusal {
  readonly text: string;
  readonly exitCode: number;
}

/** @returns the parsed command, or its help or error text */
export function parseVerb(command: Command, argv: readonly string[]): Result<Command, VerbRefusal> {
  let help = '';
  command
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut(text) {
        help += text;
      },
      writeErr: () => undefined,
    });
  try {
    return ok(command.parse(argv, { from: 'user' }));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? err({ text: help, exitCode: 0 }) : refusedVerb(messageOf(error));
  }
}

export const refusedVerb = (text: string): Result<never, VerbRefusal> =>
  err({ text: `${text.replace(/^error: /, '')}\n`, exitCode: 2 });
