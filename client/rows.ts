// Client: a whole list, page by page, each row validated by its schema.
import { z } from 'zod';
import { routes } from '../shared/wire/routes.ts';
import type { CallInput, Client, ListName, Row } from './client.ts';
import { problem, ServiceError } from './problem.ts';
import { parseTolerantly } from './tolerant.ts';

/** The service's maximum (specification 4.8). */
const PAGE_ROWS = 100;
const MAX_PAGES = 1_000;

const ListSchema = z.object({ data: z.array(z.unknown()) });

/**
 * Rows in the service's order. Ends at the end of the list; fails on a repeated cursor or after 1000 pages
 * (contract 10).
 * @param ask filters of the route; `limit` is the rows per page, default 100
 * @throws ServiceError
 */
export async function* rowsOf<Name extends ListName>(
  client: Client,
  name: Name,
  ask: CallInput<Name>,
): AsyncGenerator<Row<Name>, void> {
  const given = ask as { query?: Record<string, unknown>; params?: Record<string, string> };
  const seen = new Set<string>();
  let search: Record<string, unknown> = { limit: PAGE_ROWS, ...given.query };
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await client.page(name, { ...given, query: search } as unknown as CallInput<Name>);
    if (!page.ok) throw new ServiceError(page.error);
    const { rows, hasMore, nextCursor } = page.value;
    const whole = { data: rows, has_more: hasMore, next_cursor: nextCursor };
    const parsed = parseTolerantly<z.ZodType>(routes[name].reply, whole);
    if (!parsed.ok) throw new ServiceError(problem('unreadable', invalidRowMessage(name, parsed.error), 200));
    yield* ListSchema.parse(parsed.value).data as Row<Name>[];
    if (!hasMore || nextCursor === null) return;
    if (seen.has(nextCursor))
      throw new ServiceError(problem('unreadable', `${routes[name].path} gave the cursor ${nextCursor} twice.`, 200));
    seen.add(nextCursor);
    search = { ...search, after: nextCursor };
  }
  throw new ServiceError(problem('unreadable', `${routes[name].path} did not end within ${MAX_PAGES} pages.`, 200));
}

function invalidRowMessage(name: ListName, issue: z.core.$ZodIssue | undefined): string {
  return `A row of ${routes[name].path} is not what it should be (${issue?.path.join('.')}: ${issue?.message}).`;
}
