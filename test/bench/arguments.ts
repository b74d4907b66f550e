// Bench: what was asked for on the command line.
import { parseArgs } from 'node:util';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';

/**
 * @param names of all rows, in their order
 * @returns the names of the rows to run: all, or those that --only names; a name with a dash can be asked for by its first word ("growth")
 */
export function readArguments(given: readonly string[], names: readonly string[]): Result<readonly string[], string> {
  try {
    const { values } = parseArgs({ args: [...given], options: { only: { type: 'string', multiple: true } } });
    if (values.only === undefined) return ok(names);
    const selected = new Set<string>();
    for (const name of values.only) {
      const found = names.includes(name) ? [name] : names.filter((one) => one.startsWith(`${name}-`));
      if (found.length === 0) return err(`there is no row "${name}". Rows: ${names.join(', ')}`);
      for (const one of found) selected.add(one);
    }
    return ok(names.filter((name) => selected.has(name)));
  } catch (error) {
    const [problem = ''] = messageOf(error).split('\n');
    return err(`${problem.replace(/\.$/, '')}. Usage: npm run bench -- [--only NAME]`);
  }
}
