// Service, routes: GET /api/validation/metrics: the precision of past signals.
import { GOOD_FOR_MS } from '../validation/validation-service.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';

export const validationHandlers = ({ content: { validations } }: HandlerDeps): Pick<Handlers, 'validation'> => ({
  async validation(_, request, reply) {
    const { record, etag } = await validations.current();
    reply.header('cache-control', `private, max-age=${GOOD_FOR_MS / 1000}`).header('etag', etag);
    if (names(request.headers['if-none-match'], etag)) reply.code(304);
    return record;
  },
});

/** Reports whether an If-None-Match header contains this entity tag (RFC 9110: the weak comparison). */
function names(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
