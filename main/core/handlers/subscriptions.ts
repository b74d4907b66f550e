// Main, core: reads the subscriptions of this profile's key and their deliveries.
// Its readers tolerate any service; the secret path of this computer's relay is removed from every address.
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type {
  Attempt,
  DeliveryView,
  SubscriptionChannels,
  SubscriptionView,
} from '../../../shared/channels/subscriptions.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { type Fields, finite, instant, isFields, symbol, text } from '../compat/normalize.ts';
import { cannotShow, notUnderstood } from '../refusals.ts';

export interface SubscriptionHandlerDeps {
  readonly client: Pick<Client, 'read' | 'page'>;
  readonly mayAsk: () => boolean;
  /** This computer's own address, secret path included; null where there is none. */
  readonly ownUrl: () => string | null;
}

const PAGE = 100;
/** Longer lists are cut. */
const MOST_PAGES = 5;
const WHAT = 'The list of subscriptions';
/** The service has no such endpoint. */
const isUnsupported = ({ kind, status }: ServiceProblem): boolean =>
  kind === 'not_found' || status === 405 || status === 501;

export function createSubscriptionHandlers({
  client,
  mayAsk,
  ownUrl,
}: SubscriptionHandlerDeps): Handlers<SubscriptionChannels> {
  const doIt = async (what: string, ask: () => ReturnType<Client['read']>): Promise<unknown> => {
    if (!mayAsk()) throw refusal('Barograph is not connected. Nothing was changed.');
    const answer = await ask();
    if (answer.ok) return answer.value.value;
    throw refusal(
      isUnsupported(answer.error)
        ? `${what}: this service has no way to do that, or does not know it any more.`
        : answer.error.message,
    );
  };
  /** The text shown instead of an address that contains a secret. */
  const masked = (url: string): { readonly url: string; readonly own: boolean } => {
    const own = ownUrl();
    return own !== null && url === own ? { url: `${new URL(url).origin}/in/\u2026`, own: true } : { url, own: false };
  };
  const secretOf = (value: unknown): string | null =>
    isFields(value) ? (text(value.signing_secret) ?? text(value.secret)) : null;

  return {
    async 'subscriptions.read'() {
      if (!mayAsk()) throw cannotShow(WHAT, null, null);
      const subscriptions: SubscriptionView[] = [];
      let after: string | null = null;
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const answer: Awaited<ReturnType<Client['page']>> = await client.page('subscriptions', {
          query: { limit: PAGE, ...(after === null ? {} : { after }) },
        });
        if (!answer.ok) {
          if (!isUnsupported(answer.error)) throw cannotShow(WHAT, null, answer.error);
          const message = 'This service keeps no list of subscriptions. Keep what it tells when you subscribe there.';
          return { supported: false, message, subscriptions };
        }
        subscriptions.push(...answer.value.rows.flatMap((row) => readSubscription(row, masked) ?? []));
        after = answer.value.nextCursor;
        if (!answer.value.hasMore || after === null) break;
      }
      return { supported: true, message: null, subscriptions };
    },
    async 'subscriptions.add'({ url, events, symbols }) {
      const made = await doIt('Subscribing', () => client.read('subscribe', { body: { url, events, symbols } }));
      const id = isFields(made) ? text(made.id) : null;
      if (id === null) throw notUnderstood(WHAT);
      return { id, secret: secretOf(made) };
    },
    async 'subscriptions.remove'({ id }) {
      await doIt('Ending it', () => client.read('deleteSubscription', { params: { id } }));
      return {};
    },
    async 'subscriptions.resume'({ id, since }) {
      await doIt('Resuming it', () =>
        client.read('resumeSubscription', { params: { id }, body: since === null ? {} : { since } }),
      );
      return {};
    },
    async 'subscriptions.rotate'({ id }) {
      const secret = secretOf(await doIt('Rotating its secret', () => client.read('rotateSecret', { params: { id } })));
      if (secret === null) throw refusal('The service answered without a new secret.');
      return { secret };
    },
    async 'subscriptions.promote'({ id }) {
      await doIt('Promoting its secret', () => client.read('promoteSecret', { params: { id } }));
      return {};
    },
    async 'subscriptions.test'({ id }) {
      const delivery = readDelivery(
        await doIt('Testing it', () => client.read('testSubscription', { params: { id } })),
      );
      const last = delivery?.attempts.at(-1);
      if (last === undefined) return { ok: false, message: 'The service sent nothing: it has no event yet that fits.' };
      return last.error === null
        ? { ok: true, message: `The address answered ${last.status ?? 'nothing'}.` }
        : { ok: false, message: `It did not come through: ${last.error}.` };
    },
    async 'deliveries.page'({ subscription, status, after }) {
      const what = 'The log of deliveries';
      const answer: Result<
        Awaited<ReturnType<Client['page']>> extends Result<infer Page, unknown> ? Page : never,
        ServiceProblem
      > | null = mayAsk()
        ? await client.page('deliveries', {
            params: { id: subscription },
            query: { limit: PAGE, ...(status === null ? {} : { status }), ...(after === null ? {} : { after }) },
          })
        : null;
      if (answer?.ok !== true) {
        if (answer !== null && isUnsupported(answer.error))
          throw refusal('This service keeps no log of its deliveries, or knows this subscription no more.');
        throw cannotShow(what, null, answer?.error ?? null);
      }
      const { rows, nextCursor, hasMore } = answer.value;
      return { deliveries: rows.flatMap((row) => readDelivery(row) ?? []), next: hasMore ? nextCursor : null };
    },
    async 'deliveries.replay'({ subscription, delivery }) {
      await doIt('Sending it again', () => client.read('replayDelivery', { params: { id: subscription, delivery } }));
      return {};
    },
    async 'deliveries.recover'({ subscription, from, to }) {
      const done = await doIt('Sending a stretch again', () =>
        client.read('replaySubscription', {
          params: { id: subscription },
          body: { from, ...(to === null ? {} : { to }) },
        }),
      );
      return { queued: isFields(done) ? whole(done.queued) : 0, more: isFields(done) && done.has_more === true };
    },
  };
}

function readSubscription(
  row: unknown,
  masked: (url: string) => { readonly url: string; readonly own: boolean },
): SubscriptionView | null {
  if (!isFields(row)) return null;
  const [id, url] = [text(row.id), text(row.url)];
  if (id === null || url === null) return null;
  const status = text(row.status)?.toLowerCase();
  return {
    id,
    ...masked(url),
    events: names(row.events),
    symbols: names(row.symbols),
    status: status === 'active' || status === 'paused' ? status : 'unknown',
    created_at: instant(row.created_at),
    paused_at: instant(row.paused_at),
    paused_reason: text(row.paused_reason),
    failing_since: instant(row.failing_since),
    rotating: row.rotating === true,
  };
}

function readDelivery(row: unknown): DeliveryView | null {
  if (!isFields(row)) return null;
  const id = text(row.id);
  if (id === null) return null;
  const body = isFields(row.request) ? text(row.request.body) : null;
  const status = text(row.status);
  const kind = text(row.kind);
  return {
    id,
    event_id: text(row.event_id) ?? '',
    event: text(row.event) ?? '',
    symbol: symbolIn(body),
    kind: kind === 'replay' || kind === 'test' ? kind : 'event',
    status: status === 'delivered' || status === 'failed' ? status : 'pending',
    created_at: instant(row.created_at),
    next_attempt_at: instant(row.next_attempt_at),
    settled_at: instant(row.settled_at),
    body,
    attempts: (Array.isArray(row.attempts) ? row.attempts : []).filter(isFields).map(readAttempt),
  };
}

const readAttempt = (row: Fields, index: number): Attempt => {
  const [status, latency] = [finite(row.status), finite(row.latency_ms)];
  return {
    number: index + 1,
    at: instant(row.at),
    status: status === null ? null : Math.trunc(status),
    latency_ms: latency === null ? null : Math.max(0, latency),
    error: text(row.error),
    response: text(row.response),
  };
};

/** The symbol in a body; null where there is none. */
function symbolIn(body: string | null): string | null {
  try {
    const value: unknown = JSON.parse(body ?? 'null');
    return isFields(value) && isFields(value.data) ? symbol(value.data.symbol) : null;
  } catch {
    return null;
  }
}

const names = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : null;
const whole = (value: unknown): number => Math.max(0, Math.trunc(finite(value) ?? 0));
const refusal = (message: string): RefusedError => new RefusedError({ code: 'refused', message });
