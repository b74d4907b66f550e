// Runner: `npm run cluster`: PostgreSQL, three nodes and a balancer on this machine, until Ctrl-C.
// Flags after `--` go to every node, such as `--env production --feed binance`; default: a sandbox.
import { startPostgres, whyNoPostgres } from '../harness/postgres.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { startBalancer } from './balancer.ts';

const NODES = 3;
const READY_MS = 300_000;
const SANDBOX = ['--env', 'sandbox', '--seed', '7'];

const why = whyNoPostgres();
if (why !== null) {
  console.error(why);
  process.exit(1);
}
const given = process.argv.slice(2);
const postgres = await startPostgres();
const cluster = await postgres.createDatabase();
console.log(`PostgreSQL ${postgres.name}`);
const nodes: RunningProcess[] = [];
const end = async (code: number): Promise<never> => {
  await Promise.all(nodes.map((node) => node.stop()));
  await postgres.remove();
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0));

try {
  const addresses: string[] = [];
  for (let index = 1; index <= NODES; index += 1) {
    const flags = given.length > 0 ? given : SANDBOX;
    const node = start(process.execPath, [...nodeScript('service'), ...flags, '--port', '0', '--cluster', cluster]);
    nodes.push(node);
    const [, address = ''] = await node.line(/^ready (http:\/\/\S+)/, READY_MS);
    addresses.push(address);
    const key = /svc_(?:test|live)_\w+/.exec(node.printed())?.[0];
    console.log(`node ${index} ${address}${key === undefined ? '' : `  key ${key}`}`);
  }
  const balancer = await startBalancer(addresses);
  console.log(`ready ${balancer.url} (Ctrl-C ends all of it)`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}
