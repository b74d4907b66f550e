// Main, core: reads the subscriptions of this profile's key and their deliveries.
// The secret path of this computer's relay is removed from every address.
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { SubscriptionChannels, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { finite, isFields, text } from '../compat/fields.ts';
import { readDelivery, readSubscription } from '../compat/read-subscription.ts';
import { cannotShow, notUnderstood } from '../compat/refusals.ts';

export interface SubscriptionHandlerDeps {
  readonly client: Pick<Client, 'read' | 'page'>;
  readonly mayAsk: () => boolean;
  /** The relay's address, secret path included; null: none. */
  readonly ownUrl: () => string | null;
}

const PAGE = 100;
/** Longer lists are cut. */
const MAX_PAGES = 5;
const WHAT = message('subscription.list');
/** The service has no such endpoint. */
const isUnsupported = ({ kind, status }: ServiceProblem): boolean =>
  kind === 'not_found' || status === 405 || status === 501;

export function createSubscriptionHandlers({
  client,
  mayAsk,
  ownUrl,
}: SubscriptionHandlerDeps): Handlers<SubscriptionChannels> {
  const change = async (ask: () => ReturnType<Client['read']>): Promise<unknown> => {
    if (!mayAsk()) throw refused(message('subscription.nothing_changed'));
    const answer = await ask();
    if (answer.ok) return answer.value.value;
    const { error } = answer;
    throw refused(isUnsupported(error) ? message('subscription.unsupported') : plainMessage(error.message));
  };
  const secretOf = (value: unknown): string | null =>
    isFields(value) ? (text(value.signing_secret) ?? text(value.secret)) : null;

  return {
    async 'subscriptions.read'() {
      const listed = mayAsk() ? await listSubscriptions(client, ownUrl()) : null;
      if (listed?.ok) return { supported: true, message: null, subscriptions: listed.value };
      if (listed === null || !isUnsupported(listed.error)) throw cannotShow(WHAT, null, listed?.error ?? null);
      return { supported: false, message: message('subscription.no_list'), subscriptions: [] };
    },
    async 'subscriptions.add'({ url, events, symbols }) {
      const made = await change(() => client.read('subscribe', { body: { url, events, symbols } }));
      const id = isFields(made) ? text(made.id) : null;
      if (id === null) throw notUnderstood(WHAT);
      return { id, secret: secretOf(made) };
    },
    async 'subscriptions.remove'({ id }) {
      await change(() => client.read('deleteSubscription', { params: { id } }));
      return {};
    },
    async 'subscriptions.resume'({ id, since }) {
      await change(() => client.read('resumeSubscription', { params: { id }, body: since === null ? {} : { since } }));
      return {};
    },
    async 'subscriptions.rotate'({ id }) {
      const secret = secretOf(await change(() => client.read('rotateSecret', { params: { id } })));
      if (secret === null) throw refused(message('subscription.no_secret'));
      return { secret };
    },
    async 'subscriptions.promote'({ id }) {
      await change(() => client.read('promoteSecret', { params: { id } }));
      return {};
    },
    async 'subscriptions.test'({ id }) {
      const delivery = readDelivery(await change(() => client.read('testSubscription', { params: { id } })));
      const last = delivery?.attempts.at(-1);
      if (last === undefined) return { ok: false, message: message('subscription.nothing_sent') };
      return last.error === null
        ? { ok: true, message: message('subscription.answered', { status: last.status }) }
        : { ok: false, message: message('subscription.test_failed', { error: last.error }) };
    },
    async 'deliveries.page'({ subscription, status, after }) {
      const ask = {
        params: { id: subscription },
        query: { limit: PAGE, ...(status === null ? {} : { status }), ...(after === null ? {} : { after }) },
      };
      const page = mayAsk() ? await client.page('deliveries', ask) : null;
      if (page?.ok) {
        const { rows, nextCursor, hasMore } = page.value;
        return { deliveries: rows.flatMap((row) => readDelivery(row) ?? []), next: hasMore ? nextCursor : null };
      }
      if (page !== null && isUnsupported(page.error)) throw refused(message('subscription.no_log'));
      throw cannotShow(message('subscription.log'), null, page?.error ?? null);
    },
    async 'deliveries.replay'({ subscription, delivery }) {
      await change(() => client.read('replayDelivery', { params: { id: subscription, delivery } }));
      return {};
    },
    async 'deliveries.recover'({ subscription, from, to }) {
      const done = await change(() =>
        client.read('replaySubscription', {
          params: { id: subscription },
          body: { from, ...(to === null ? {} : { to }) },
        }),
      );
      return { queued: isFields(done) ? whole(done.queued) : 0, more: isFields(done) && done.has_more === true };
    },
  };
}

async function listSubscriptions(
  client: Pick<Client, 'page'>,
  ownUrl: string | null,
): Promise<Result<SubscriptionView[], ServiceProblem>> {
  const subscriptions: SubscriptionView[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: Awaited<ReturnType<Client['page']>> = await client.page('subscriptions', {
      query: { limit: PAGE, ...(after === null ? {} : { after }) },
    });
    if (!page.ok) return page;
    subscriptions.push(...page.value.rows.flatMap((row) => readSubscription(row, ownUrl) ?? []));
    after = page.value.nextCursor;
    if (!page.value.hasMore || after === null) break;
  }
  return ok(subscriptions);
}

const whole = (value: unknown): number => Math.max(0, Math.trunc(finite(value) ?? 0));
