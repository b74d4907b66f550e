// Test runner: the first seed of the random tests of a run, which is another one for every commit.
import { execFileSync } from 'node:child_process';
import { TOP } from './stages.ts';

/** BAROGRAPH_SEED, else a number of the commit: at most nine digits, as `npm run sim -- --from` takes them. */
export function seedOfRun(): string {
  if (process.env.BAROGRAPH_SEED !== undefined) return process.env.BAROGRAPH_SEED;
  try {
    // A gate that root runs in a folder of another user reads its commit too.
    const commit = execFileSync('git', ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'], {
      cwd: TOP,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return String(Number.parseInt(commit.slice(0, 7), 16) + 1);
  } catch {
    return '1'; // Sources without their history.
  }
}
