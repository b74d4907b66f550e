// Main, core: repeats a request without filters when a service refuses them (docs/contract.md 11).
// The specification names few query parameters: a service may answer 400 to others. Readers filter again.
import type { CallInput, Client, ListName } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { Result } from '../../../shared/lib/result.ts';

/** Optional parameters of each call; the cursor is not optional. */
const FILTERS = {
  snapshot: ['limit', 'symbols'],
  alertTransitions: ['limit', 'symbol', 'symbols', 'from', 'to', 'state'],
  alerts: ['limit', 'symbol', 'symbols', 'from', 'to', 'state'],
  events: ['limit'],
  marketNews: ['limit', 'symbol', 'symbols', 'from', 'to'],
  briefings: ['limit', 'type', 'author', 'from', 'to'],
  history: ['limit'],
  regimeHistory: ['limit', 'to'],
  subscriptions: ['limit'],
  deliveries: ['limit', 'status'],
  stream: ['events'],
} as const satisfies Partial<Record<ListName | 'stream', readonly string[]>>;
type FilteredCall = keyof typeof FILTERS;

const isRefused = (answer: Result<unknown, ServiceProblem>): boolean =>
  !answer.ok && answer.error.status === 400 && answer.error.kind === 'bad_request';

export function withoutRefusedFilters(client: Client): Client {
  /** Endpoints that refuse filters. */
  const refusing = new Set<string>();
  const ask = async <Value>(
    name: string,
    input: { readonly query?: object | undefined } | undefined,
    send: (query: Record<string, unknown>) => Promise<Result<Value, ServiceProblem>>,
  ): Promise<Result<Value, ServiceProblem>> => {
    const query = { ...input?.query };
    const filters: readonly string[] = Object.hasOwn(FILTERS, name) ? FILTERS[name as FilteredCall] : [];
    const bare = Object.fromEntries(Object.entries(query).filter(([key]) => !filters.includes(key)));
    const isBare = Object.keys(bare).length === Object.keys(query).length;
    if (!isBare && refusing.has(name)) return send(bare);
    const answer = await send(query);
    if (isBare || !isRefused(answer)) return answer;
    const again = await send(bare);
    if (isRefused(again)) return answer;
    // Success and not_found show that the filter was at fault; other problems prove nothing.
    if (again.ok || again.error.kind === 'not_found') refusing.add(name);
    return again;
  };
  return {
    get baseUrl() {
      return client.baseUrl;
    },
    call: client.call,
    read: client.read,
    page: (name, input) =>
      ask(name, input, (query) => client.page(name, { ...input, query } as CallInput<typeof name>)),
    openStream: (input, headers, signal) =>
      ask('stream', input, (query) => client.openStream({ ...input, query } as CallInput<'stream'>, headers, signal)),
    close: client.close,
  };
}
