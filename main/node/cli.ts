// Main, command line: `npm run barograph -- VERB`.
import { exitCodeOf } from '../host/command-line.ts';
import { applyEnvironmentProxy } from '../host/environment-proxy.ts';
import { barograph } from './program.ts';

process.umask(0o077);
const proxied = async (): Promise<number> => {
  applyEnvironmentProxy(process.env);
  return barograph(process.argv.slice(2), console.error);
};
process.exitCode = await exitCodeOf('barograph', proxied, console.error);
