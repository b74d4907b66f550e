// Conformance: repeated requests return the same past rows, and an unchanged signal until the next.
import { readList } from '../client/client.ts';
import { DAY_MS } from '../shared/lib/time.ts';
import { type Check, check, green, type Outcome, red, skipped } from './check.ts';
import { LISTS, withQuery } from './list-endpoints.ts';
import type { Probe } from './probe.ts';
import { AGES, type Fields, fieldsOf, identityOf, isInstant, lasting, objectsIn, shown, timeOf } from './shapes.ts';

/** Rows this much older than the newest belong to the past. */
const SETTLED_MS = 2 * DAY_MS;
const ROUNDS = 3;

const read = async (probe: Probe, path: string, name: string): Promise<readonly Fields[]> =>
  objectsIn(readList((await probe.ask(withQuery(path, 'limit=100'))).body, name)?.rows ?? []);

async function rowsHold(probe: Probe, path: string, name: string): Promise<Outcome> {
  const first = await read(probe, path, name);
  const newest = Math.max(...first.map(timeOf).filter(Number.isFinite));
  const past = first.filter((row) => timeOf(row) < newest - SETTLED_MS && !isOpen(row));
  // For a service with opening hours only the newest row may change.
  const settled = past.length > 0 ? past : first.filter((row) => timeOf(row) < newest && !isOpen(row));
  if (settled.length === 0) return skipped('no row is of the past');
  for (let round = 1; round < ROUNDS; round += 1) {
    const again = new Map((await read(probe, path, name)).map((row) => [identityOf(row), row]));
    const order = [...again.keys()].filter((id) => settled.some((row) => identityOf(row) === id));
    const kept = settled.filter((row) => again.has(identityOf(row)));
    for (const row of kept) {
      const now = again.get(identityOf(row)) ?? row;
      const changed = Object.keys(row).find(
        (field) => !AGES.test(field) && JSON.stringify(row[field]) !== JSON.stringify(now[field]),
      );
      if (changed !== undefined || lasting(row) !== lasting(now))
        return red(
          `asked again, ${changed ?? 'a field'} of ${identityOf(row)} is ${shown(now[changed ?? ''])}, and was ${shown(row[changed ?? ''])}`,
        );
    }
    // New rows push old rows to the next page; no row in the middle may be missing.
    if (kept.length < settled.length / 2)
      return red(`asked again, ${settled.length - kept.length} of ${settled.length} past rows are gone`);
    if (order.join('\n') !== kept.map(identityOf).join('\n')) return red('asked again, the rows have another order');
  }
  return green(`${settled.length} rows`);
}

/** An open episode may still change. */
const isOpen = (row: Fields): boolean => row.ended_at === null || row.active === true;

/** The fields of a signal that the specification states, beside its times. */
function signalText(body: unknown): { readonly times: string; readonly said: string } | null {
  const fields = fieldsOf(body);
  if (fields === null) return null;
  const times = Object.entries(fields).filter(([, value]) => isInstant(value));
  const { state, confidence, note } = fields;
  return { times: JSON.stringify(times), said: JSON.stringify([state, confidence, note]) };
}

export const STABILITY_CHECKS: readonly Check[] = [
  ...LISTS.filter(({ name }) => name !== 'snapshot').map(({ name, path }) =>
    check('4.8', `stable-${name}`, `Past rows of ${name} do not change without reason`, async ({ probe }) => {
      const listPath = await path(probe);
      return listPath === null
        ? skipped('its path is not stated, and it was not found')
        : rowsHold(probe, listPath, name);
    }),
  ),
  check('2.1', 'stable-signal', 'A signal does not change while its times stay the same', async ({ probe }) => {
    const path = `/signal?symbol=${await probe.symbol()}`;
    let before = signalText((await probe.ask(path)).body);
    if (before === null) return skipped('GET /signal has no signal');
    if (before.times === '[]') return skipped('a signal has no time');
    for (let round = 1; round < ROUNDS; round += 1) {
      const now = signalText((await probe.ask(path)).body);
      if (now !== null && now.times === before.times && now.said !== before.said)
        return red(`state, confidence and note are ${now.said}, and were ${before.said}`);
      before = now ?? before;
    }
    return green();
  }),
];
