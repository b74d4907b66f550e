// Test harness: a core with a relay on a manual clock, without sockets.
// The server is a pair of functions; the service knows subscriptions and signs.

import { createHmac } from 'node:crypto';
import { beforeEach } from 'vitest';
import { createSessionVault } from '../../main/core/keys/session-vault.ts';
import type { KeyVault } from '../../main/core/ports.ts';
import type { Answer, ListenOptions, OutboundRequest, Receipt, RelayServer } from '../../main/core/relay/server.ts';
import type { Headers } from '../../main/core/relay/signature.ts';
import type { RelayView } from '../../shared/channels/relay.ts';
import { RelayViewSchema } from '../../shared/channels/relay.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { type CoreBench, setUpCoreBench } from './core-bench.ts';
import type { CoreRig, RigOptions } from './core-rig.ts';
import type { WireRequest } from './wire-service.ts';

export const OK: Receipt = { status: 200, error: null };
export const GONE: Receipt = { status: null, error: plainMessage('nothing listens there') };

export interface FakeRelayServer extends RelayServer {
  /** The relay's listener; null while it does not listen. */
  listening: ListenOptions | null;
  /** Every request that was sent. */
  readonly sent: OutboundRequest[];
  /** The answer of a target. */
  reply: (request: OutboundRequest) => Receipt | Promise<Receipt>;
}

export function createFakeRelayServer(): FakeRelayServer {
  const server: FakeRelayServer = {
    listening: null,
    sent: [],
    reply: () => OK,
    async listen(options) {
      server.listening = options;
      return {
        port: options.port,
        isConfiguredPort: true,
        async close() {
          server.listening = null;
        },
      };
    },
    async post(request) {
      server.sent.push(request);
      return server.reply(request);
    },
  };
  return server;
}

interface StoredSubscription {
  readonly id: string;
  readonly url: string;
  status: 'active' | 'paused';
  secret: string;
  next: string | null;
}

/** The routes of subscriptions, as a fault of the wire service. */
export interface SubscriptionServer {
  readonly subscriptions: Map<string, StoredSubscription>;
  /** Answers requests about subscriptions; null for the rest. */
  readonly answer: (request: WireRequest) => Response | null;
  /** Calls, as "METHOD path". */
  readonly calls: string[];
  /**
   * The only subscription.
   * @throws when there are more or none
   */
  only(): StoredSubscription;
}

export function createSubscriptionServer(): SubscriptionServer {
  let made = 0;
  const subscriptions = new Map<string, StoredSubscription>();
  const calls: string[] = [];
  const json = (body: unknown, status = 200): Response => Response.json(body, { status });
  const secret = (): string => Buffer.alloc(32, ++made).toString('base64');
  const record = ({ id, url, status }: StoredSubscription) => ({
    id,
    url,
    status,
    paused_reason: status === 'paused' ? 'a day of failures' : null,
  });
  return {
    subscriptions,
    calls,
    only() {
      const [first, ...more] = subscriptions.values();
      if (first === undefined || more.length > 0) throw new Error(`there are ${subscriptions.size} subscriptions`);
      return first;
    },
    answer({ method, path, body }) {
      if (!path.startsWith('/signals/')) return null;
      calls.push(`${method} ${path}`);
      if (path === '/signals/subscribe') {
        const { url } = JSON.parse(body);
        const known = [...subscriptions.values()].find((one) => one.url === url);
        if (known !== undefined) return json(record(known));
        const one: StoredSubscription = { id: `sub_${made + 1}`, url, status: 'active', secret: secret(), next: null };
        subscriptions.set(one.id, one);
        return json({ ...record(one), signing_secret: one.secret }, 201);
      }
      const [, , , id = '', deed] = path.split('/');
      const one = subscriptions.get(id);
      if (one === undefined) return json({ code: 'not_found', message: 'no such subscription', doc_url: '' }, 404);
      if (method === 'DELETE') {
        subscriptions.delete(id);
        return json({ id, deleted: true });
      }
      if (deed === 'resume') one.status = 'active';
      if (deed === 'rotate-secret') {
        one.next = secret();
        return json({ ...record(one), signing_secret: one.next });
      }
      if (deed === 'promote-secret') {
        one.secret = one.next ?? one.secret;
        one.next = null;
      }
      return json(record(one));
    },
  };
}

export interface RelayRig extends CoreRig {
  readonly server: FakeRelayServer;
  view(): RelayView;
  /** Delivers a body to the relay like the service, signed with this secret. Resolves with the answer. */
  deliver(body: string, secret: string, headers?: Headers): Promise<Answer>;
}

export interface RelayRigOptions extends Partial<RigOptions> {
  readonly server?: FakeRelayServer;
  readonly vault?: KeyVault;
}

/** A core that is not started. */
export function relayRig(
  bench: CoreBench,
  { server = createFakeRelayServer(), vault = createSessionVault(), ...options }: RelayRigOptions = {},
): RelayRig {
  const rig = bench.rig({ ...options, ports: { ...options.ports, host: { relay: server }, vault } });
  return Object.assign(rig, {
    server,
    view: () => RelayViewSchema.parse(rig.core.handlers['relay.read']({})),
    async deliver(body: string, secret: string, headers: Headers = {}) {
      if (server.listening === null) throw new Error('nothing listens');
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const answer = server.listening.receive({ 'x-service-signature': signature, ...headers }, Buffer.from(body));
      await bench.clock.advance(1);
      return answer;
    },
  });
}

export interface RelayBench {
  readonly bench: CoreBench & { subscriptions: SubscriptionServer };
  /** Started, registered, its past read; the stream brings no further event. */
  up(options?: RelayRigOptions): Promise<RelayRig>;
}

/** Call at the top of a test file. */
export function setUpRelayBench(): RelayBench {
  const bench = Object.assign(setUpCoreBench(), { subscriptions: createSubscriptionServer() });
  beforeEach(() => {
    bench.subscriptions = createSubscriptionServer();
    bench.service.fault = bench.subscriptions.answer;
  });
  return {
    bench,
    async up(options) {
      const rig = relayRig(bench, options);
      await rig.core.start();
      await bench.clock.until(
        () => rig.view().registration.state !== 'waiting' && rig.snapshot().connection.indicators.open.state === 'ok',
      );
      await bench.clock.advance(100);
      bench.service.deaf = true;
      return rig;
    },
  };
}
