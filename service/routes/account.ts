// Service, routes: /account and below.
// The account is the caller's, never one that a request names.
import type { FastifyRequest } from 'fastify';
import { OVERLAP_DEFAULT_S } from '../../shared/wire/account.ts';
import { idempotencyKeyOf } from '../idempotency.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf } from './page.ts';

const accountOf = (request: FastifyRequest): string => request.caller?.account ?? '';

type Names = 'account' | 'setHardCap' | 'usage' | 'keys' | 'issueKey' | 'rotateKey' | 'revokeKey';

export const accountHandlers = ({ accounts, cursors }: HandlerDeps): Pick<Handlers, Names> => ({
  account: (_, request) => accounts.find(accountOf(request)),
  setHardCap: ({ body }, request) => accounts.setHardCap(accountOf(request), body.hard_cap),
  usage: ({ query }, request) => accounts.usage(accountOf(request), query.month),
  keys({ query: { limit, after } }, request) {
    const scope = { list: 'keys', owner: accountOf(request) };
    const [createdAt, id] = after === undefined ? [] : cursors.open(scope, after);
    const below = createdAt === undefined || id === undefined ? null : { createdAt: Number(createdAt), id: String(id) };
    return pageOf(accounts.keys(accountOf(request), below, limit + 1), limit, accounts.record, (last) =>
      cursors.seal(scope, [last.createdAt, last.id]),
    );
  },
  issueKey({ body }, request, reply) {
    const { created, key } = accounts.issue(accountOf(request), body.scope, idempotencyKeyOf(request.headers));
    reply.code(created ? 201 : 200);
    return key;
  },
  rotateKey({ params, body }, request, reply) {
    const overlapMs = (body?.overlap_seconds ?? OVERLAP_DEFAULT_S) * 1_000;
    const { created, key } = accounts.rotate(
      accountOf(request),
      params.id,
      overlapMs,
      idempotencyKeyOf(request.headers),
    );
    reply.code(created ? 201 : 200);
    return key;
  },
  revokeKey: ({ params }, request) => accounts.revoke(accountOf(request), params.id),
});
