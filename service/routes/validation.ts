// Service, routes: GET /api/validation/metrics and /closes: the precision of past signals, and the scored closes.
import { symbolsOf } from '../list-filters.ts';
import { pastClosesOf } from '../validation/scored-closes.ts';
import { GOOD_FOR_MS } from '../validation/validation-service.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf } from './page.ts';

export const validationHandlers = ({
  content: { validations },
  cursors,
}: HandlerDeps): Pick<Handlers, 'validation' | 'pastCloses'> => ({
  async validation(_, request, reply) {
    const { record, etag } = await validations.current();
    reply.header('cache-control', `private, max-age=${GOOD_FOR_MS / 1000}`).header('etag', etag);
    if (names(request.headers['if-none-match'], etag)) reply.code(304);
    return record;
  },

  async pastCloses({ query: { limit, after, ...filters } }) {
    const scope = { list: 'past-closes', ...filters };
    const symbols = symbolsOf(filters);
    const begin = after === undefined ? '' : String(cursors.open(scope, after)[0]);
    const { closes } = await validations.current();
    const rows = closes.filter(({ symbol }) => symbol > begin && (symbols === null || symbols.includes(symbol)));
    return pageOf(
      rows,
      limit,
      (row) => pastClosesOf(row.read()),
      (last) => cursors.seal(scope, [last.symbol]),
    );
  },
});

/** Reports whether an If-None-Match header contains this entity tag (RFC 9110: the weak comparison). */
function names(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
