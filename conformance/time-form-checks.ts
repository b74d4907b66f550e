// Conformance: the forms of ISO 8601 in which a service takes times (sections 4.2 and 4.3).
import { DAY_MS } from '../shared/lib/time.ts';
import { type Check, check, firstOf, green, red, skipped } from './check.ts';
import { historyRange } from './list-endpoints.ts';
import { fieldsOf, shown, timeOf } from './shapes.ts';

const HOUR_MS = 3_600_000;
const isoOf = (at: number | undefined): string | undefined =>
  at === undefined || Number.isNaN(at) ? undefined : new Date(at).toISOString();

/** Other ISO 8601 forms of the same instant. */
const FORMS = ['T12:00', 'T12:00:00', 'T120000Z'] as const;

export const TIME_FORM_CHECKS: readonly Check[] = [
  check(
    '4.3',
    'iso-forms',
    'Times are taken in every form of ISO 8601, or the refusal names the forms',
    async ({ probe }) => {
      const day = new Date((await historyRange(probe)).to - 10 * DAY_MS).toISOString().slice(0, 10);
      const basic = day.replaceAll('-', '');
      const path = `/regime/${await probe.symbol()}/history?from=`;
      const answers = [];
      for (const form of [basic, ...FORMS.map((time) => (time.includes(':') ? day : basic) + time)])
        answers.push([form, await probe.get(`${path}${form}`)] as const);
      const names = (text: string): boolean => /\d{4}-?\d{2}-?\d{2}/.test(text) || /iso\W*8601/i.test(text);
      return firstOf(
        answers.map(([form, { status, body }]) =>
          status === 200 || (status === 400 && names(String(fieldsOf(body)?.message ?? '')))
            ? null
            : `from=${form} is ${status}: ${shown(fieldsOf(body)?.message)}`,
        ),
      );
    },
  ),
  check('4.3', 'iso-offsets', 'One instant is one instant, whatever its offset', async ({ probe }) => {
    const path = `/regime/${await probe.symbol()}/history?from=`;
    const rows = await probe.rows(`${path}${new Date((await historyRange(probe)).to - 20 * DAY_MS).toISOString()}`);
    const at = timeOf(rows[1] ?? {});
    if (Number.isNaN(at)) return skipped('there are fewer than two rows with a time');
    const first = await probe.get(`${path}${new Date(at).toISOString()}&limit=5`);
    for (const hours of [12, -12]) {
      const local = new Date(at + hours * HOUR_MS).toISOString().slice(0, 19);
      const offset = `${hours < 0 ? '-' : '+'}12:00`;
      const answer = await probe.get(`${path}${encodeURIComponent(`${local}${offset}`)}&limit=5`);
      // The specification does not state the accepted forms of ISO 8601.
      if (answer.status === 400) continue;
      if (answer.status !== 200) return red(`from=${local}${offset} is ${answer.status}`);
      const times = (await probe.rows(answer.path)).map(timeOf);
      const expected = (await probe.rows(first.path)).map(timeOf);
      if (times[0] !== expected[0])
        return red(
          `from ${local}${offset} the first row is of ${shown(isoOf(times[0]))}, and in UTC of ${shown(isoOf(expected[0]))}`,
        );
    }
    return green();
  }),
];
