// Develop: the app of `npm run develop`: the Node shell with the page of Vite at the address in its first argument.
import { exitCodeOf } from './host/command-line.ts';
import { parseStartFlags } from './host/start-flags.ts';

const [page = '', ...argv] = process.argv.slice(2);
process.exitCode = await exitCodeOf(
  'npm run develop',
  async () => {
    const flags = parseStartFlags(argv);
    const { runNodeShell } = await import('./node/entry.ts');
    return runNodeShell({ flags, environment: process.env, page: new URL(page), electron: null });
  },
  console.error,
);
