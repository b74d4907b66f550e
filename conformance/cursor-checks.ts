// Conformance: every cursor leads to the next page, and the pages together have each row once.
import { readList } from '../client/client.ts';
import { DAY_MS } from '../shared/lib/time.ts';
import { type Check, check, green, type Outcome, red, skipped } from './check.ts';
import { historyRange, LISTS, withQuery } from './list-endpoints.ts';
import type { Probe } from './probe.ts';
import { fieldsOf, objectsIn, shown, timeOf } from './shapes.ts';

/** Pages read of one list: enough for any sandbox, and few enough for any limit. */
const MAX_PAGES = 40;
const LARGEST_PAGE = 100;

interface Walk {
  readonly rows: number;
  /** The rows by identity. */
  readonly seen: ReadonlySet<string>;
  readonly isWhole: boolean;
  /** Fault of a cursor, or null. */
  readonly wrong: string | null;
  /** A row came twice: a new row may have shifted the others. */
  readonly isRepeated?: boolean;
}

/** Identity of a row: its id, else all its values; for signals, which change, the symbol. */
const rowOf = (row: unknown, name: string): string => {
  const { id, event_id, symbol } = fieldsOf(row) ?? {};
  return String(id ?? event_id ?? (name === 'snapshot' ? symbol : undefined) ?? JSON.stringify(row));
};

/** Reads a list to its end, page by page. */
async function walk(probe: Probe, path: string, name: string, limit: number): Promise<Walk> {
  const cursors = new Set<string>();
  const seen = new Set<string>();
  let [rows, after] = [0, ''];
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const wanted = withQuery(path, `limit=${limit}${after}`);
    const { status, body } = await probe.ask(wanted);
    const stop = (wrong: string | null): Walk => ({ rows, seen, isWhole: true, wrong });
    if (status !== 200) return stop(`GET ${wanted} is ${status}${pages === 0 ? '' : ', with the cursor that it gave'}`);
    const list = readList(body, name);
    const has_more = fieldsOf(body)?.has_more;
    if (list === null) return stop(`GET ${wanted} has no list`);
    const repeated = pages === 0 ? undefined : list.rows.find((row) => seen.has(rowOf(row, name)));
    if (repeated !== undefined)
      return { ...stop(`GET ${wanted} lists a row of the pages before: ${shown(repeated)}`), isRepeated: true };
    rows += list.rows.length;
    for (const row of list.rows) seen.add(rowOf(row, name));
    if (list.rows.length === 0 && has_more === true) return stop(`there is more after no row: GET ${wanted}`);
    if (has_more === true && list.nextCursor === null) return stop(`there is more, and no cursor: GET ${wanted}`);
    const cursor = list.nextCursor;
    if (cursor === null) return stop(null);
    if (!list.hasMore) return stop(await lastCursor(probe, path, limit, cursor, name));
    if (cursors.has(cursor)) return stop(`the cursor ${shown(cursor)} comes again: GET ${wanted}`);
    cursors.add(cursor);
    after = `&after=${encodeURIComponent(cursor)}`;
  }
  return { rows, seen, isWhole: false, wrong: null };
}

/** A client may keep a cursor beside has_more false: it must be accepted, and lead to no row already read. */
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

const walkPatiently = async (...list: Parameters<typeof walk>): Promise<Walk> => {
  const first = await walk(...list);
  return first.isRepeated === true ? walk(...list) : first;
};

/** A row that only one of two passes over the list shows, although the list still has it. */
async function missingRow(
  probe: Probe,
  path: string,
  name: string,
  [whole, pages]: readonly [Walk, Walk],
  size: number,
): Promise<string | undefined> {
  const missing = [...whole.seen].filter((row) => !pages.seen.has(row));
  if (missing.length === 0) return undefined;
  // Rows may have changed or gone meanwhile, and another node of a cluster may be a moment behind.
  const again = await walkPatiently(probe, path, name, size);
  const { seen } = await walk(probe, path, name, LARGEST_PAGE);
  return missing.find((row) => seen.has(row) && !again.seen.has(row));
}

/** The last page is empty if a service takes a full page as a sign of more rows. */
async function endsHold(probe: Probe, path: string, name: string): Promise<Outcome> {
  const whole = await walkPatiently(probe, path, name, LARGEST_PAGE);
  if (whole.wrong !== null) return red(whole.wrong);
  if (!whole.isWhole) return green(`${whole.rows} rows, and not to the end`);
  if (whole.rows === 0) return skipped('there are no rows');
  const sizes = Array.from({ length: LARGEST_PAGE }, (_, index) => LARGEST_PAGE - index).filter(
    (size) => whole.rows % size === 0 && whole.rows / size < MAX_PAGES,
  );
  const tried = [...new Set(sizes.slice(0, 2))];
  // Pages of several rows with boundaries that differ from the first pass.
  const hasOthers = tried.some((size) => size > 1 && size < LARGEST_PAGE && size < whole.rows);
  const others = Math.min(LARGEST_PAGE - 1, Math.ceil((whole.rows + 1) / 3));
  // One page that is just full, or the largest pages that end with a full one; and smaller ones.
  for (const size of hasOthers ? tried : [...tried, others]) {
    const pages = await walkPatiently(probe, path, name, size);
    if (pages.wrong !== null) return red(pages.wrong);
    const missing = pages.isWhole ? await missingRow(probe, path, name, [whole, pages], size) : undefined;
    if (missing !== undefined) return red(`pages of ${size} leave out ${shown(missing)}`);
  }
  return green(`${whole.rows} rows`);
}

/** Every page keeps the range of the request. */
const range = check('4.8', 'pages-keep-range', 'Later pages end where the range ends', async ({ probe }) => {
  const { to: now } = await historyRange(probe);
  const [from, to] = [30, 10].map((days) => new Date(now - days * DAY_MS).toISOString()) as [string, string];
  const path = `/regime/${await probe.symbol()}/history?from=${from}&to=${to}&limit=6`;
  let [rows, after] = [0, ''];
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const list = readList((await probe.ask(`${path}${after}`)).body, 'regime-history');
    const times = objectsIn(list?.rows ?? []).map(timeOf);
    const outside = times.find((at) => at > Date.parse(to));
    if (outside !== undefined) return red(`page ${pages + 1} has a row of ${new Date(outside).toISOString()}`);
    rows += times.length;
    if (list === null || list.nextCursor === null || !list.hasMore) break;
    after = `&after=${encodeURIComponent(list.nextCursor)}`;
  }
  return after === '' ? skipped('there is one page only') : green(`${rows} rows`);
});

const cursors = LISTS.map(({ name, path }) =>
  check(
    '4.8',
    `cursors-${name}`,
    `Every cursor of ${name} leads on, and the pages have each row once`,
    async ({ probe }) => {
      const listPath = await path(probe);
      return listPath === null
        ? skipped('its path is not stated, and it was not found')
        : endsHold(probe, listPath, name);
    },
  ),
);

export const CURSOR_CHECKS: readonly Check[] = [...cursors, range];
