// Main, command line: a verb, with the flags that many have.
import type { Command, CommandOptions } from 'commander';
import { defaultDataFolder } from '../host/data-folder.ts';

/** Every verb accepts the data folder, also where it ignores it: a script may pass it to all of them. */
export const verb = (parent: Command, usage: string, description: string, options?: CommandOptions): Command =>
  parent
    .command(usage, options)
    .description(description)
    .option('--data-dir <folder>', 'where settings, ledger and archive live', defaultDataFolder());

/** A verb that calls the running app. */
export const appVerb = (parent: Command, usage: string, description: string, options?: CommandOptions): Command =>
  verb(parent, usage, description, options)
    .option('--profile <name>', 'profile of the running app (default: the one that its first window shows)')
    .option('--json', 'print JSON lines');
