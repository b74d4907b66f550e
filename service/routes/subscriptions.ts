// Service, routes: POST /signals/subscribe and the subscription routes.
// An account sees the subscriptions of its own keys and no others.
import type { FastifyRequest } from 'fastify';
import { idempotencyKeyOf } from '../idempotency.ts';
import { subscriptionRecord } from '../webhooks/records.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf } from './page.ts';

/** The account that owns the subscriptions of a request: they outlive a rotation of keys. */
const ownerOf = (request: FastifyRequest): string => request.caller?.account ?? '';

type Names =
  | 'subscribe'
  | 'subscriptions'
  | 'subscription'
  | 'deleteSubscription'
  | 'resumeSubscription'
  | 'rotateSecret'
  | 'promoteSecret'
  | 'testSubscription'
  | 'deliveries'
  | 'replaySubscription'
  | 'replayDelivery';

export const subscriptionHandlers = ({ webhooks, cursors }: HandlerDeps): Pick<Handlers, Names> => ({
  async subscribe({ body }, request, reply) {
    const { created, subscription } = await webhooks.subscribe(
      ownerOf(request),
      body,
      idempotencyKeyOf(request.headers),
    );
    reply.code(created ? 201 : 200);
    return subscription;
  },
  subscriptions({ query: { limit, after } }, request) {
    const scope = { list: 'subscriptions', owner: ownerOf(request) };
    const [createdAt, id] = after === undefined ? [] : cursors.open(scope, after);
    const below = createdAt === undefined || id === undefined ? null : { createdAt: Number(createdAt), id: String(id) };
    return pageOf(webhooks.list(ownerOf(request), below, limit + 1), limit, subscriptionRecord, (last) =>
      cursors.seal(scope, [last.createdAt, last.id]),
    );
  },
  subscription: ({ params }, request) => webhooks.find(ownerOf(request), params.id),
  deleteSubscription({ params: { id } }, request) {
    webhooks.remove(ownerOf(request), id);
    return { id, deleted: true };
  },
  resumeSubscription: ({ params, body }, request) =>
    webhooks.resume(ownerOf(request), params.id, body?.since === undefined ? null : Date.parse(body.since)),
  rotateSecret: ({ params }, request) => webhooks.rotate(ownerOf(request), params.id),
  promoteSecret: ({ params }, request) => webhooks.promote(ownerOf(request), params.id),
  testSubscription: ({ params }, request) => webhooks.test(ownerOf(request), params.id),
  deliveries({ params: { id }, query: { limit, after, status } }, request) {
    const scope = { list: 'deliveries', id, status };
    const below = after === undefined ? null : Number(cursors.open(scope, after)[0]);
    const rows = webhooks.deliveries(ownerOf(request), id, status ?? null, below, limit + 1);
    return pageOf(rows, limit, webhooks.deliveryRecord, (last) => cursors.seal(scope, [last.id]));
  },
  replaySubscription: ({ params, body }, request) => webhooks.replayRange(ownerOf(request), params.id, body),
  replayDelivery: ({ params: { id, delivery } }, request) => webhooks.replay(ownerOf(request), id, delivery),
});
