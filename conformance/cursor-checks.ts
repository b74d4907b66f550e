// Conformance: every cursor of a list leads on, also the last, and also from an exactly full page.
import { readList } from '../client/client.ts';
import { type Check, check, green, type Outcome, red, skipped } from './check.ts';
import { LISTS, withQuery } from './list-endpoints.ts';
import type { Probe } from './probe.ts';
import { fieldsOf, shown } from './shapes.ts';

/** Pages read of one list: enough for any sandbox, and few enough for any limit. */
const MOST_PAGES = 40;
const LARGEST_PAGE = 100;

interface Walk {
  readonly rows: number;
  readonly isWhole: boolean;
  /** What a cursor did, or null. */
  readonly wrong: string | null;
}

/** Reads a list to its end, page by page. */
async function walk(probe: Probe, path: string, name: string, limit: number): Promise<Walk> {
  const seen = new Set<string>();
  let [rows, after] = [0, ''];
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const wanted = withQuery(path, `limit=${limit}${after}`);
    const { status, body } = await probe.ask(wanted);
    const stop = (wrong: string | null): Walk => ({ rows, isWhole: true, wrong });
    if (status !== 200) return stop(`GET ${wanted} is ${status}${pages === 0 ? '' : ', with the cursor that it gave'}`);
    const list = readList(body, name);
    const has_more = fieldsOf(body)?.has_more;
    if (list === null) return stop(`GET ${wanted} has no list`);
    rows += list.rows.length;
    if (list.rows.length === 0 && has_more === true) return stop(`there is more after no row: GET ${wanted}`);
    if (has_more === true && list.nextCursor === null) return stop(`there is more, and no cursor: GET ${wanted}`);
    const cursor = list.nextCursor;
    if (cursor === null) return stop(null);
    if (!list.hasMore) return stop(await lastCursor(probe, path, limit, cursor, name));
    if (seen.has(cursor)) return stop(`the cursor ${shown(cursor)} comes again: GET ${wanted}`);
    seen.add(cursor);
    after = `&after=${encodeURIComponent(cursor)}`;
  }
  return { rows, isWhole: false, wrong: null };
}

/** A cursor beside has_more false may be kept for later: it must be accepted, and lead to nothing that was read. */
async function lastCursor(
  probe: Probe,
  path: string,
  limit: number,
  cursor: string,
  name: string,
): Promise<string | null> {
  const wanted = withQuery(path, `limit=${limit}&after=${encodeURIComponent(cursor)}`);
  const { status, body } = await probe.ask(wanted);
  if (status !== 200) return `the last page gives a cursor, and GET ${wanted} is ${status}`;
  const rows = readList(body, name)?.rows.length ?? 0;
  return rows > 0 && rows >= limit ? `after the last page GET ${wanted} lists ${rows} rows` : null;
}

/** The last page is empty where a service takes a full page for a sign that there is more. */
async function endsHold(probe: Probe, path: string, name: string): Promise<Outcome> {
  const whole = await walk(probe, path, name, LARGEST_PAGE);
  if (whole.wrong !== null) return red(whole.wrong);
  if (!whole.isWhole) return green(`${whole.rows} rows, and not to the end`);
  if (whole.rows === 0) return skipped('there are no rows');
  const sizes = Array.from({ length: LARGEST_PAGE }, (_, index) => LARGEST_PAGE - index).filter(
    (size) => whole.rows % size === 0 && whole.rows / size < MOST_PAGES,
  );
  // One page that is just full, or the largest pages that end with a full one; and smaller ones.
  for (const size of new Set([sizes[0], sizes[1]])) {
    const { wrong } = size === undefined ? { wrong: null } : await walk(probe, path, name, size);
    if (wrong !== null) return red(wrong);
  }
  return green(`${whole.rows} rows`);
}

export const CURSOR_CHECKS: readonly Check[] = LISTS.map(({ name, path }) =>
  check('4.8', `cursors-${name}`, `Every cursor of ${name} leads on, the last one too`, async ({ probe }) => {
    const listPath = await path(probe);
    return listPath === null
      ? skipped('its path is not stated, and it was not found')
      : endsHold(probe, listPath, name);
  }),
);
