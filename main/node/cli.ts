// Main, command line: `npm run barograph -- VERB`.
import { messageOf } from '../../shared/lib/result.ts';
import { barograph } from './program.ts';

process.umask(0o077);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader may stop after a few lines; a full disk loses some.
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`barograph: the output cannot be written: ${messageOf(error)}`);
  process.exit(1);
});
process.exitCode = await barograph(process.argv.slice(2), console.error);
