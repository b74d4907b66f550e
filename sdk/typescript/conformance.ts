// TypeScript SDK: its conformance run against a sandbox, as a program that installed the package.
// The test installs the package beside it; it runs in Node 20 and in a browser.
import { connect, isSignalEvent, type ServiceClient, ServiceError, verifyWebhook } from './index.ts';

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Conditions {
  readonly url: string;
  /**
   * In front of the same service: below /cut/ the first stream breaks after an event, below /silent/ it says nothing; below
   * /relayed/ it is another program, which gets no key.
   */
  readonly faults: string;
  readonly key: string;
  readonly secret: string;
  readonly deliveries: Readonly<Record<'good' | 'forged' | 'late', Delivery>>;
}

const SYMBOL = 'SPY';
const SILENCE = 1_500;

export async function run({ url, faults, key, secret, deliveries }: Conditions): Promise<unknown> {
  const at = (baseUrl: string, own = key): ServiceClient => connect({ baseUrl, key: own, trusted: true });
  const service = at(url);
  const trigger = async (event: 'signal.high_risk' | 'signal.normal'): Promise<string> => {
    const made = await service.trigger({ event, symbol: SYMBOL });
    return made.data.at(-1)?.event_id ?? '';
  };

  const counted = async (rows: AsyncIterable<unknown>): Promise<number> => {
    let count = 0;
    for await (const _ of rows) count += 1;
    return count;
  };
  /** Triggers once it is connected, and again when that event is there; ends with the second. */
  const listen = async (baseUrl: string): Promise<unknown> => {
    const over = new AbortController();
    const [ids, beginnings, problems]: [string[], string[], string[]] = [[], [], []];
    const triggered: Promise<string>[] = [];
    for await (const event of at(baseUrl).events({
      query: { symbols: [SYMBOL] },
      after: await newest(service),
      silence: SILENCE,
      signal: over.signal,
      onConnect: (beginning) => {
        beginnings.push(beginning);
        if (triggered.length === 0) triggered.push(trigger('signal.high_risk'));
      },
      onProblem: ({ kind }) => problems.push(kind),
    })) {
      if (!isSignalEvent(event)) continue;
      ids.push(event.event_id);
      if (event.event_id !== (await triggered.at(-1))) continue;
      if (triggered.length === 2) over.abort();
      else triggered.push(trigger('signal.normal'));
    }
    return { once: new Set(ids).size === ids.length, beginnings, problems };
  };

  const proven = async ({ headers, body }: Delivery): Promise<string> => {
    const result = await verifyWebhook({ secret, headers, body: new TextEncoder().encode(body) });
    return result.ok ? result.value.event : result.error;
  };
  const refused = async (from: ServiceClient, symbol: string) => {
    try {
      await from.signal({ symbol });
      return null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { kind, status, code, retryAfter } = error.problem;
      return { kind, status, code, waits: retryAfter !== null && retryAfter > 0 };
    }
  };

  // The streams come first: a broken one that is opened again needs a call that the plan still takes at once.
  const cut = await listen(`${faults}/cut`);
  const silent = await listen(`${faults}/silent`);
  const numbers: number[] = [];
  for await (const { seq } of service.eventLog({ limit: 10 })) {
    numbers.push(seq);
    if (numbers.length === 25) break;
  }
  const report = {
    snapshot: await counted(service.snapshot({ limit: 2 })),
    history: await counted(service.history({ symbol: SYMBOL, limit: 20 })),
    events: { count: numbers.length, withoutHoles: numbers.every((seq, index) => seq === (numbers[0] ?? 0) + index) },
    cut,
    silent,
    webhooks: {
      good: await proven(deliveries.good),
      forged: await proven(deliveries.forged),
      late: await proven(deliveries.late),
    },
    unproven: (await refused(connect({ baseUrl: `${faults}/relayed`, key }), SYMBOL))?.kind,
    unauthorized: await refused(at(url, 'svc_test_notthekeynotthekey'), SYMBOL),
    notCovered: await refused(service, 'NOPE'),
  };
  // The calls of a minute; then the client holds back, and another one, which knows nothing yet, is refused.
  let held = null;
  for (let calls = 0; calls < 500 && held === null; calls += 1) held = await refused(service, SYMBOL);
  return { ...report, heldBack: held, rateLimited: await refused(at(url), SYMBOL) };
}

async function newest(service: ServiceClient): Promise<string> {
  const made = await service.alertTransitions({ limit: 1 }).next();
  return made.done ? '' : made.value.event_id;
}
