// Faults: what must hold at the end of a life of a cluster, beside what its history says.
import { checkHistory, type Finding } from './cluster-history-checker.ts';
import { eventsOfWorld, WORLD_START } from './cluster-simulation-node.ts';
import { dumpOf, PROCESSES, type World } from './cluster-simulation-world.ts';

/**
 * - broken: a node met an error that no fault explains
 * - claimed: a node that was cut off claimed what it could not know, or did not say that it was
 * - stuck: a node is not where the journal is, although nothing hinders it
 * - replica: a node has other rows than the journal
 * - missed: something happened in the world, and is not in the log
 * - counted: an acknowledged write is not there, or is there twice
 * - crowded: more requests to one subscriber at once than one holder of its lane sends
 */
export interface LifeFinding {
  readonly kind: Finding['kind'] | 'broken' | 'claimed' | 'stuck' | 'replica' | 'missed' | 'counted' | 'crowded';
  readonly what: string;
}

/** As the deliverer's limit for one subscription. */
const MAX_FLYING = 4;

export function checkLife(world: World): LifeFinding[] {
  const { model, history, receiver, tally } = world;
  const { logId, position, worldTime } = model.head();
  const findings: LifeFinding[] = [
    ...world.broken.map((what) => ({ kind: 'broken', what }) as const),
    ...[...world.claims].map((what) => ({ kind: 'claimed', what }) as const),
  ];
  let reference: string;
  try {
    reference = world.dumpOfJournal();
  } catch (problem) {
    return [...findings, { kind: 'hole', what: `the journal cannot be read to its end: ${String(problem)}` }];
  }
  for (const { index, node } of world.hosts) {
    if (node === null || node.store.position() !== position) {
      findings.push({
        kind: 'stuck',
        what: `node ${index} is at ${node?.store.position()}, the journal at ${position}`,
      });
      continue;
    }
    const events = node.events().map(({ seq, id }) => ({ log: logId, seq, id }));
    history.add({ type: 'ok', process: PROCESSES.readers + index, f: 'read', value: { log: logId, events } });
    const difference = firstDifference(dumpOf(node), reference);
    if (difference !== null) findings.push({ kind: 'replica', what: `node ${index}: ${difference}` });
    const ids = new Set(events.map(({ id }) => id));
    for (const id of eventsOfWorld(WORLD_START, worldTime))
      if (!ids.has(id)) findings.push({ kind: 'missed', what: `${id} on node ${index}` });
    const counted = node.counted();
    if (counted < tally.acknowledged || counted > tally.acknowledged + tally.unknown)
      findings.push({
        kind: 'counted',
        what: `${counted} on node ${index}, of ${tally.acknowledged} acknowledged and ${tally.unknown} unknown`,
      });
  }
  if (receiver.crowd() > MAX_FLYING)
    findings.push({ kind: 'crowded', what: `${receiver.crowd()} requests to one subscriber at once` });
  return [...findings, ...checkHistory(history.operations, { isQuiet: true })];
}

function firstDifference(one: string, other: string): string | null {
  if (one === other) return null;
  const [a, b] = [one.split('\n'), other.split('\n')];
  const index = a.findIndex((line, place) => line !== b[place]);
  return `${a[index] ?? 'nothing'} instead of ${b[index] ?? 'nothing'}`;
}
