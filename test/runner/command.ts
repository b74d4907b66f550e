// Test runner: the command line of a tool for developers. Wrong arguments: one line, exit code 2.
import { Command, InvalidArgumentError } from 'commander';

export const newCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .configureOutput({ outputError: (text, write) => write(text) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

/** A parser of whole numbers from `least` on. */
export const wholeNumber =
  (least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < least)
      throw new InvalidArgumentError(`It must be a whole number, ${least} at least.`);
    return value;
  };

/**
 * A parser of names among those that there are. It may be given several times.
 * @param matches whether what was given means a name. Default: it is the name
 */
export const namesAmong =
  <Name extends string>(names: readonly Name[], matches = (given: string, name: string) => given === name) =>
  (given: string, before: readonly Name[] = []): readonly Name[] => {
    const found = names.filter((name) => matches(given, name));
    if (found.length === 0) throw new InvalidArgumentError(`Names: ${names.join(', ')}.`);
    return [...new Set([...before, ...found])];
  };
