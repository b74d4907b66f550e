// Service, cluster: runs one node; rebuilds its service when its replica cannot be continued.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../shared/lib/result.ts';
import { bindingOf, type ServiceConfig } from '../assemble.ts';
import { type ListenDeps, type ListenOptions, listen, type RunningServer } from '../listen.ts';
import { flagsOf } from '../store/store.ts';
import { JournalUnavailable } from './journal.ts';
import { type ClusterConfig, type ClusterNode, joinCluster } from './node.ts';
import { JournalGap } from './replicated-store.ts';

/** Delay between two attempts to join, ms. */
const RETRY_MS = 500;

interface RunningNode {
  readonly node: ClusterNode;
  readonly server: RunningServer;
}

export function nodeBinding(
  { world, time }: Pick<ServiceConfig, 'world' | 'time'>,
  { plans }: Pick<ListenDeps, 'plans'>,
): string {
  const { plan = 'pro', hardCap = false, enforced = false } = plans ?? {};
  const symbols = world.kind === 'sandbox' ? world.symbols : undefined;
  const feed = world.kind === 'feed' ? [`--feed ${world.feed}`, ...symbolFlags(world.symbols)] : [];
  return [
    flagsOf(bindingOf({ world, time })),
    ...(symbols === undefined ? [] : [`--symbols ${symbols}`]),
    ...feed,
    `--plan ${plan}`,
    ...(hardCap ? ['--hard-cap'] : []),
    ...(enforced && world.kind === 'sandbox' ? ['--enforce-limits'] : []),
  ].join(', ');
}

/** A long list by its number and a hash, so that two different ones are told apart. */
function symbolFlags(symbols: readonly string[]): string[] {
  const named = [...new Set(symbols)].sort();
  if (named.length <= MAX_NAMED) return named.length === 0 ? [] : [`--feed-symbols ${named.join(',')}`];
  const hash = createHash('sha256').update(named.join(',')).digest('hex').slice(0, 8);
  return [`--feed-symbols of ${named.length} symbols (${hash})`];
}
const MAX_NAMED = 12;

/** Resolves when every route answers; waits for the database. */
export async function runNode(
  cluster: ClusterConfig,
  config: ServiceConfig,
  deps: ListenDeps,
  options: ListenOptions,
): Promise<RunningServer> {
  const { logger } = deps;
  const binding = nodeBinding(config, deps);
  let isEnding = false;
  let { port } = options;

  let current: RunningNode | null = null;
  let restarting: Promise<void> = Promise.resolve();

  /** Runs rebuilds one at a time; a loss during a rebuild schedules another. */
  const restart = (why: string, lost: ClusterNode): void => {
    restarting = restarting.then(async () => {
      if (isEnding || current?.node !== lost) return;
      logger.warn({ why }, 'this node rebuilds its service; its streams are told to reconnect');
      await current.server.close().catch(() => undefined);
      await lost.leave();
      current = await startWhenPossible(false);
    });
    restarting.catch((error: unknown) => {
      if (!isEnding) logger.error({ error: messageOf(error) }, 'this node cannot join again');
    });
  };
  const start = async (): Promise<RunningNode> => {
    const lost = Promise.withResolvers<string>();
    const node = await joinCluster({ ...deps, config: cluster, binding, time: config.time, lost: lost.resolve });
    try {
      const server = await listen(config, deps, { ...options, port }, node);
      port = Number(new URL(server.url).port);
      void lost.promise.then((why) => restart(why, node));
      return { node, server };
    } catch (error) {
      await node.leave();
      throw error;
    }
  };
  /** Retries until the database answers. @throws permanent errors, at the first start only */
  const startWhenPossible = async (isFirst: boolean): Promise<RunningNode> => {
    let lastError = '';
    for (;;) {
      try {
        return await start();
      } catch (error) {
        const text = messageOf(error);
        const passes = error instanceof JournalUnavailable || error instanceof JournalGap;
        if (isEnding || (isFirst && !passes)) throw error;
        if (text !== lastError) logger.warn({ error: text }, 'this node cannot join yet; it is tried again');
        lastError = text;
        await pause(RETRY_MS);
      }
    }
  };
  current = await startWhenPossible(true);
  const { server: first } = current;
  const end = async (close: (server: RunningServer) => Promise<void>): Promise<void> => {
    isEnding = true;
    if (current === null) return;
    const { server, node } = current;
    try {
      await close(server);
    } catch (error) {
      // The next leader recomputes what this one could not write.
      logger.warn({ error: messageOf(error) }, 'this node could not write down its end');
    }
    await node.leave();
  };

  return {
    ...first,
    readings: () =>
      current === null ? first.readings() : { ...current.server.readings(), node: current.node.readings() },
    drain: (withinMs) => end((server) => server.drain(Math.max(0, withinMs - RETRY_MS / 2))),
    close: () => end((server) => server.close()),
  };
}
