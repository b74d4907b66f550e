// Service, market feeds, test: when the silence of a whole calendar is a fault of the vendor.
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { CalendarPrices } from './calendar-prices.ts';

const at = (time: string): number => Date.parse(`2026-03-03T${time}Z`);

function pricesEvery(minutes: number, count: number, to: number, delayMs = 0): CalendarPrices {
  const prices = new CalendarPrices('us', delayMs);
  for (let index = count - 1; index >= 0; index -= 1) {
    const end = to - index * minutes * MINUTE_MS;
    prices.note(end, end + delayMs);
  }
  return prices;
}

test('if every minute had a price, four minutes without prices are a silence', () => {
  const prices = pricesEvery(1, 25, at('16:00'));
  expect(prices.silence(at('16:04'))).toBeNull();
  expect(prices.silence(at('16:05'))).toEqual({ since: at('16:00'), dueAt: at('16:01') });
  // A repeated old price is not a newer price.
  prices.note(at('15:59'), at('16:05'));
  expect(prices.silence(at('16:05:10'))).not.toBeNull();
  prices.note(at('16:01'), at('16:05:20'));
  expect(prices.silence(at('16:06'))).toBeNull();
});

test('if prices are rare, a silence takes longer', () => {
  const prices = pricesEvery(4, 25, at('17:00'));
  expect(prices.silence(at('17:34'))).toBeNull();
  expect(prices.silence(at('17:35'))).not.toBeNull();
  const few = pricesEvery(1, 3, at('17:00'));
  expect(few.silence(at('18:00'))).toBeNull();
  expect(few.silence(at('18:01'))).not.toBeNull();
});

test('a night and the delay of the plan are not silence', () => {
  const prices = pricesEvery(1, 25, Date.parse('2026-03-02T21:00Z'));
  expect(prices.silence(at('03:00'))).toBeNull();
  expect(prices.silence(at('14:34'))).toBeNull();
  expect(prices.silence(at('14:35'))).toMatchObject({ dueAt: at('14:31') });
  const late = pricesEvery(1, 25, Date.parse('2026-03-02T21:00Z'), 15 * MINUTE_MS);
  expect(late.silence(at('14:49'))).toBeNull();
  expect(late.silence(at('14:50'))).not.toBeNull();
});

test('a clock an hour ahead does not make a silence while prices come', () => {
  const prices = new CalendarPrices('always', 0);
  for (let minute = 0; minute < 30; minute += 1)
    prices.note(at('10:00') + minute * MINUTE_MS, at('11:00') + minute * MINUTE_MS);
  expect(prices.silence(at('11:31'))).toBeNull();
});
