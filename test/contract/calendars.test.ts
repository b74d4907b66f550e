// The two calendars of New York: the service's, which reaches back to 1971 with every day off that was decided one by one, and the shared one of
// window and core, which knows the rules of today. They agree on every day to come.
import { expect, test } from 'vitest';
import { isUsSession, usClosingHour } from '../../service/market/csv/us-sessions.ts';
import { isOpen, momentIn } from '../../shared/domain/sessions.ts';

const DAY = 86_400_000;
/** From the last day that was decided by itself on. */
const FROM = Date.parse('2025-01-10');
const YEARS = 8;

test(`every day of ${YEARS} years: open or not, and until when`, () => {
  const differs: string[] = [];
  for (let day = 0; day < YEARS * 365; day += 1) {
    const at = new Date(FROM + day * DAY);
    const date = at.toISOString().slice(0, 10);
    const moment = (hour: number): number =>
      momentIn('America/New_York', at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), hour * 60);
    const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6;
    const isSession = !isWeekend && isUsSession(date);
    const hour = isSession ? usClosingHour(date) : 16;
    const same = isOpen('us', moment(10)) === isSession && isOpen('us', moment(hour) - 1) === isSession && !isOpen('us', moment(hour));
    if (!same) differs.push(date);
  }
  expect(differs).toEqual([]);
});
