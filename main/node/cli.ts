// Main, command line: `npm run barograph -- VERB`.
import { barograph } from './program.ts';

process.umask(0o077);
process.exitCode = await barograph(process.argv.slice(2), console.error);
