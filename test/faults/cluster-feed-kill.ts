// Faults: kills the nodes of a real cluster that follows a vendor of prices, beside one undisturbed service over
// the same vendor. Ids of events are hashes of their contents, so both must have announced the same ids.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../shared/lib/time.ts';
import { startFakeBinance } from '../harness/fake-binance.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { nodeScript, start } from '../harness/processes.ts';
import { type KillOptions, restartAll, torment } from './cluster-kill.ts';
import { argumentsOf, type NodeFlags, openCluster, patiently } from './cluster-kill-cluster.ts';
import { createChance } from './core-simulation-random.ts';

export interface FeedKillResult {
  /** Events that both services announced after they ran. */
  readonly events: number;
  /** Ids that only one of them announced, or a node announced twice, or that two nodes have otherwise. */
  readonly findings: readonly string[];
  /** From each kill until another node had evaluated past it, ms, ascending. */
  readonly handOvers: readonly number[];
  readonly seconds: number;
  readonly printed: string;
}

const NODES = 3;
const COINS = 'BTC,ETH,SOL,XRP,ADA,DOGE,LTC,BNB'.split(',');
/** Each coin falls and recovers once in so many minutes. */
const PERIOD = 5;
const READY_MS = 120_000;
const QUIET_MS = 15 * SECOND_MS;
/** Coins fall every minute; the rule may wait for another one. */
const FALL_MS = PERIOD * MINUTE_MS;
/** Counted for a hand-over that takes longer. */
const LONGEST_MS = 30 * SECOND_MS;

/** A calm past, and then falls and recoveries at minutes of each coin's own. */
const priceFrom =
  (began: number) =>
  (coin: string, at: number): number => {
    const index = COINS.indexOf(coin);
    const noise = Math.sin((at / MINUTE_MS) * 12.9898 + index) * 43_758.5453;
    const calm = 100 * (1 + 0.02 * Math.sin(at / (9 * DAY_MS) + index) + 0.004 * (noise - Math.floor(noise)));
    const minute = Math.floor((at - began) / MINUTE_MS) + index;
    return at < began || minute % PERIOD > 1 ? calm : calm * (0.9 - 0.01 * ((minute * 7 + index) % 6));
  };

export async function killNodesWithFeed(options: Omit<KillOptions, 'rate'>): Promise<FeedKillResult> {
  const began = Date.now();
  const chance = createChance(options.seed);
  const folder = temporaryFolder();
  const vendor = await startFakeBinance({ now: Date.now, coins: COINS, price: priceFrom(began) });
  const ticking = setInterval(vendor.tick, SECOND_MS);
  const flags: NodeFlags = {
    ...{ env: 'production', feed: 'binance', 'feed-symbols': COINS.join(',') },
    'feed-host': [`rest=${vendor.hosts.rest}`, `stream=${vendor.hosts.stream}`],
  };
  const cluster = await openCluster(NODES, () => flags);
  const alone = start(process.execPath, [
    ...nodeScript('service'),
    ...argumentsOf({ ...flags, port: 0, db: join(folder.path, 'service.db') }),
  ]);
  const handOvers: number[] = [];
  try {
    const [, address = ''] = await alone.line(/^ready (http:\/\/127\.0\.0\.1:\d+)/, READY_MS);
    await Promise.all(cluster.hosts.map((host) => host.start()));
    const ownKey = keyIn(alone.printed());
    const key = keyIn(cluster.hosts.map((host) => host.printed()).join('\n'));
    const since = Date.now();
    const watches: Promise<void>[] = [];
    const note = (text: string): void => {
      if (!text.startsWith('kill')) return;
      const killedAt = Date.now();
      const others = cluster.hosts.filter((host) => host.isReady() && !text.endsWith(` ${host.index}`));
      // Nodes that start are no hand-over.
      if (others.length < NODES - 1) return;
      const attempt = () => Promise.any(others.map((host) => evaluatedPast(host.url(), killedAt)));
      watches.push(
        patiently(attempt, LONGEST_MS).then(
          () => void handOvers.push(Date.now() - killedAt),
          () => void handOvers.push(LONGEST_MS),
        ),
      );
    };
    await torment(cluster, chance, { ...options, note });
    await Promise.all(watches);
    await restartAll(cluster);
    options.say?.('rest');
    // A run of few faults is over before a coin falls.
    await patiently(async () => {
      if (!(await readEvents(address, ownKey)).some(({ at }) => at > since)) throw new Error('no coin has fallen yet');
    }, FALL_MS);
    await pause(QUIET_MS);
    const until = Date.now() - QUIET_MS / 2;
    const isWithin = ({ at }: Announced): boolean => at > since && at <= until;
    const own = (await readEvents(address, ownKey)).filter(isWithin);
    const logs = await Promise.all(cluster.hosts.map((host) => patiently(() => readEvents(host.url(), key))));
    const findings = logs.flatMap((log, index) => [
      ...differences(log.filter(isWithin), own).map((text) => `node ${index}: ${text}`),
      ...(JSON.stringify(log) === JSON.stringify(logs[0]) ? [] : [`node ${index} has another log than node 0`]),
    ]);
    return {
      events: own.length,
      findings,
      handOvers: handOvers.sort((a, b) => a - b),
      seconds: Math.round((Date.now() - began) / SECOND_MS),
      printed: cluster.hosts.map((host) => host.printed().slice(-3_000)).join('\n--\n'),
    };
  } finally {
    clearInterval(ticking);
    await alone.kill();
    await cluster.remove();
    await vendor.close();
    folder.remove();
  }
}

interface Announced {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly text: string;
}

const keyIn = (printed: string): string => /svc_live_\w+/.exec(printed)?.[0] ?? '';

/** @throws while the world of that node has not passed the instant */
async function evaluatedPast(url: string, instant: number): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(SECOND_MS) });
  const { time } = (await answer.json()) as { time: string };
  if (Date.parse(time) <= instant) throw new Error('not yet');
}

async function readEvents(url: string, key: string): Promise<Announced[]> {
  const events: Announced[] = [];
  for (let after = ''; ; ) {
    const answer = await fetch(`${url}/events?limit=100${after}`, { headers: { 'x-api-key': key } });
    if (!answer.ok) throw new Error(`/events: ${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as {
      data: { event_id: string; seq: number; timestamp: string; event: string; data: { symbol?: string } }[];
      has_more: boolean;
    };
    for (const { event_id: id, seq, timestamp, event, data } of page.data)
      events.push({ id, seq, at: Date.parse(timestamp), text: `${timestamp} ${event} ${data.symbol ?? ''}` });
    if (!page.has_more) return events;
    after = `&after=${events.at(-1)?.id ?? ''}`;
  }
}

function differences(log: readonly Announced[], own: readonly Announced[]): string[] {
  const [ids, ownIds] = [new Set(log.map(({ id }) => id)), new Set(own.map(({ id }) => id))];
  return [
    ...own.filter(({ id }) => !ids.has(id)).map(({ id, text }) => `missing ${id} ${text}`),
    ...log.filter(({ id }) => !ownIds.has(id)).map(({ id, text }) => `added ${id} ${text}`),
    ...(ids.size === log.length ? [] : ['an id is there twice']),
  ];
}
