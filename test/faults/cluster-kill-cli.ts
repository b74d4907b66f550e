// Faults: `node test/faults/cluster-kill-cli.ts` runs a real cluster under faults.
// Arguments: [--kills N] [--freezes N] [--outages N] [--rate N] [--seed N] [--history FILE] [--feed].
// --feed: the nodes follow a vendor of prices, beside an undisturbed service (no rate, no history).
// It writes the history, and beside it the same for Jepsen (.edn). Exit code 0 without a finding.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { killNodesWithFeed } from './cluster-feed-kill.ts';
import { toEdn, toLines } from './cluster-history.ts';
import { killNodes } from './cluster-kill.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    freezes: { type: 'string', default: '50' },
    outages: { type: 'string', default: '20' },
    rate: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    history: { type: 'string' },
    feed: { type: 'boolean', default: false },
  },
});
const faults = {
  seed: Number(values.seed),
  kills: Number(values.kills),
  freezes: Number(values.freezes),
  outages: Number(values.outages),
  say: console.log,
};
// Ends the processes too.
process.once('SIGTERM', () => process.exit(1));
process.once('SIGINT', () => process.exit(1));
if (values.feed) {
  const { events, findings, handOvers, seconds, printed } = await killNodesWithFeed(faults);
  for (const finding of findings.slice(0, 20)) console.log(finding);
  if (findings.length > 0) console.log(printed);
  const at = (share: number): number | undefined => handOvers[Math.floor(share * (handOvers.length - 1))];
  console.log(
    `seed ${values.seed}: ${values.kills} kills, ${values.freezes} freezes, ${values.outages} outages in ${seconds} s: ${events} events, ` +
      `${handOvers.length} hand-overs seen: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms`,
  );
  console.log(`${findings.length} findings`);
  process.exit(findings.length === 0 ? 0 : 1);
}
const result = await killNodes({ ...faults, rate: Number(values.rate) });
if (values.history !== undefined) {
  writeFileSync(values.history, toLines(result.operations));
  writeFileSync(`${values.history}.edn`, toEdn(result.operations));
}
for (const { kind, what } of result.findings.slice(0, 20)) console.log(`${kind}: ${what}`);
if (result.findings.length > 0) console.log(result.printed);
const { triggered, unanswered, refused, reconnects, unknown } = result.counts;
console.log(
  `seed ${values.seed}: ${values.kills} kills, ${values.freezes} freezes, ${values.outages} outages in ${result.seconds} s: ` +
    `${result.events} events, ${triggered} triggers answered and ${unanswered} not, ${reconnects} streams opened again, ` +
    `${unknown} told that their event is unknown, ${refused} deliveries refused`,
);
console.log(`${result.findings.length} findings`);
process.exitCode = result.findings.length === 0 ? 0 : 1;
