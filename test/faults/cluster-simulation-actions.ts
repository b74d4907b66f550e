// Faults: actions of a simulated cluster, by the seed: turns of nodes, calls of clients, faults.
import { JournalUnavailable } from '../../service/cluster/journal.ts';
import { JournalGap } from '../../service/cluster/replicated-store.ts';
import { Refusal } from '../../service/refusal.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { claimsOf } from './cluster-simulation-claims.ts';
import { Killed } from './cluster-simulation-network.ts';
import { LANE, type SimulatedNode, SUBSCRIPTION } from './cluster-simulation-node.ts';
import { type Host, PROCESSES, type World } from './cluster-simulation-world.ts';

/** Longer than the streams of a node that is cut off may stay open. */
const ISOLATED_ROUNDS = 20;
const ISOLATED_STEP_MS = 2_000;

/** How many nodes may wait for the journal at once, each within the turn of the one before it. */
const MAX_NESTED = 2;

export interface Actions {
  /** One thing happens. */
  step(): void;
  /** A node is cut off for most of a minute, and everything else is well. */
  isolate(settled: () => Promise<void>): Promise<void>;
  /** Without faults: everybody does what is left to do. @returns whether nothing is left */
  settleOnce(): boolean;
}

type Running = Host & { node: SimulatedNode };
const canAct = (host: Host): host is Running => host.node !== null && !host.isFrozen && !host.isBusy;

const hasDelivered = ({ store }: SimulatedNode): boolean =>
  store.subscriptions.find(SUBSCRIPTION)?.position === store.log.lastSeq() &&
  store.deliveries.nextDue(SUBSCRIPTION, 0) === null;

export function createActions(world: World): Actions {
  const { chance, mutant, model, hosts, clients, receiver, history, counts } = world;
  let nested = 0;
  /** It is cut off for long, and has no other fault. */
  let isolated: Host | null = null;

  /** A turn of a node, as far as it comes. @returns false where the journal did not answer */
  const act = (host: Running, turn: (node: SimulatedNode) => void): boolean => {
    const { node } = host;
    host.isBusy = true;
    try {
      turn(node);
      return true;
    } catch (problem) {
      if (problem instanceof JournalGap) {
        if (host.node === node) restart(host);
      } else if (!(problem instanceof JournalUnavailable || problem instanceof Refusal || problem instanceof Killed)) {
        world.broken.push(`node ${host.index}: ${messageOf(problem)}`);
        if (host.node === node) restart(host);
      }
      return false;
    } finally {
      host.isBusy = false;
    }
  };
  const restart = (host: Host): void => {
    dropClients(host, true);
    world.kill(host);
    begin(host);
  };
  const listening = new Map<number, Host>();
  const dropClients = (host: Host, isHard: boolean): void => {
    for (const [index, at] of [...listening])
      if (at === host) {
        clients[index]?.drop(isHard);
        listening.delete(index);
      }
  };
  const begin = (host: Host): void => {
    if (host.isCut || host.node !== null) return;
    const started: Host = host;
    world.start(started);
    if (canAct(started)) act(started, (node) => node.catchUp());
  };

  const contend = (host: Running): void => {
    if (host.isCut) return;
    if (host.node.term() === null || !model.leads(host.session)) {
      const term = model.lead(host.session);
      if (term !== null) {
        history.add({ type: 'ok', process: host.index, f: 'elect', value: { log: model.head().logId, epoch: term } });
        host.node.setTerm(term);
        act(host, (node) => node.catchUp());
      }
    }
    if (canAct(host) && !host.isCut && model.lockLane(LANE, host.session)) act(host, (node) => node.takeLane());
  };
  /** What a node does in time: reads, contends, evaluates, and now and then says what it has. */
  const tick = (host: Running): void => {
    const polls = mutant !== 'no-poll' && (world.isResting() || chance.chance(0.3));
    if (host.isNotified || polls) {
      host.isNotified = false;
      if (polls && !host.isCut && host.node.isLost(model.head().logId)) {
        restart(host);
        return;
      }
      if (!act(host, (node) => node.catchUp())) return;
    }
    contend(host);
    if (!canAct(host) || host.node.term() === null) return;
    if (!world.isResting()) act(host, (node) => node.evaluate(world.now() + host.skew));
    if (canAct(host) && chance.chance(0.03) && !world.isResting()) world.takeSnapshot(host.node);
  };

  const trigger = (host: Running): void => {
    if (host.node.term() === null) return;
    counts.triggers += 1;
    const process = PROCESSES.triggers + counts.triggers;
    const id = `evt_trigger_${counts.triggers}`;
    history.add({ type: 'invoke', process, f: 'append', value: null });
    const isDone = act(host, (node) => void node.trigger(id));
    history.add({ type: isDone ? 'ok' : 'info', process, f: 'append', value: [id] });
  };
  const count = (host: Running): void => {
    const { tally } = world;
    tally.inFlight += 1;
    const isDone = act(host, (node) => node.count());
    tally.inFlight -= 1;
    // A backup that was restored meanwhile has it or not.
    if (tally !== world.tally) world.tally.unknown += 1;
    else if (isDone) tally.acknowledged += 1;
    else tally.unknown += 1;
  };
  const connect = (index: number, host: Running): void => {
    const client = clients[index];
    if (client === undefined || client.isConnected()) return;
    const reply = client.open();
    listening.set(index, host);
    // 503 where the node cannot know whether it has everything: the client asks another one.
    const isOpen = act(host, (node) => node.openStream(reply, client.lastEventId()));
    if (isOpen || listening.get(index) !== host) return;
    client.drop(true);
    listening.delete(index);
  };

  const kill = (host: Host): void => {
    if (host.node === null) return;
    counts.kills += 1;
    dropClients(host, true);
    world.kill(host);
  };
  const faults: ((host: Host) => void)[] = [
    kill,
    kill,
    (host) => {
      if (host.node === null || host.isFrozen || host === isolated) return;
      counts.freezes += 1;
      host.isFrozen = true;
    },
    (host) => {
      // The database waits some time for a frozen or cut host before it frees its locks.
      if (host.isFrozen || host.isCut) model.endSession(host.session);
    },
    (host) => {
      host.isCut = true;
    },
    () => {
      // The database restarts: every connection ends, and its locks are free.
      model.endAllSessions();
    },
    () => world.backUp(),
    () => {
      if (chance.chance(0.1)) world.restore();
    },
    (host) => dropClients(host, chance.chance(0.5)),
  ];
  const repair = (host: Host): void => {
    host.isFrozen = false;
    if (host.isCut && !host.isBusy && host !== isolated) world.reconnect(host);
    if (host.node === null && !host.isBusy) begin(host);
  };

  const step = (): void => {
    world.pass(chance.upTo(400));
    const host = hosts[chance.upTo(hosts.length)];
    if (host === undefined) return;
    const lot = chance.random();
    if (lot < 0.07) chance.pick(faults as [typeof kill, ...(typeof kill)[]])(host);
    else if (lot < 0.15) repair(host);
    else if (lot < 0.23) world.executeLate();
    else if (lot < 0.33) receiver.answerOne(false);
    else if (lot < 0.45) world.runTimers();
    else if (lot < 0.5) for (const client of clients) client.read();
    else if (!canAct(host)) repair(host);
    else if (lot < 0.55) trigger(host);
    else if (lot < 0.6) count(host);
    else if (lot < 0.67) connect(chance.upTo(clients.length), host);
    else tick(host);
  };
  world.meanwhile = () => {
    if (nested >= MAX_NESTED) return;
    nested += 1;
    try {
      for (let left = 1 + chance.upTo(6); left > 0; left -= 1) step();
    } finally {
      nested -= 1;
    }
  };

  const isolate = async (settled: () => Promise<void>): Promise<void> => {
    for (const host of hosts) {
      repair(host);
      if (canAct(host)) tick(host);
    }
    const victim = chance.pick(hosts as [Host, ...Host[]]);
    if (!canAct(victim)) return;
    world.pass(0);
    clients[0]?.drop(false);
    connect(0, victim);
    victim.isCut = true;
    isolated = victim;
    for (let round = 0; round < ISOLATED_ROUNDS; round += 1) {
      world.pass(ISOLATED_STEP_MS);
      // The database frees the locks of a node that says nothing.
      if (round === 2) model.endSession(victim.session);
      world.runTimers();
      for (const host of hosts) {
        host.isNotified = true;
        if (canAct(host)) tick(host);
      }
      // The turns took time, in which the checks of streams were due.
      world.runTimers();
      const isListening = listening.get(0) === victim && clients[0]?.isConnected() === true;
      for (const claim of claimsOf(victim, world.now(), isListening)) world.claims.add(claim);
      await settled();
    }
    isolated = null;
    repair(victim);
  };

  return {
    step,
    isolate,
    settleOnce() {
      for (const host of hosts) begin(host);
      for (const host of hosts) if (canAct(host)) tick(host);
      for (const host of hosts) if (canAct(host)) host.node.wakeWebhooks();
      // Deliveries that failed are due again after minutes.
      world.pass(30_000);
      world.runTimers();
      while (receiver.answerOne(true));
      for (const [index, client] of clients.entries()) {
        const host = hosts[index % hosts.length];
        if (host !== undefined && canAct(host) && !client.isConnected()) connect(index, host);
        client.read();
      }
      const { position } = model.head();
      return hosts.every(({ node }) => node?.store.position() === position && hasDelivered(node));
    },
  };
}
