// Renderer: stands in for shared/domain/exchanges/days.ts, so that the page draws before it has loaded every holiday.
import type { EXCHANGE_DAYS as ExchangeDays } from '../shared/domain/exchanges/days.ts';

type Days = typeof ExchangeDays;

/** Empty until they are loaded: a weekday may then be a session. */
export const EXCHANGE_DAYS: { -readonly [Exchange in keyof Days]: Days[Exchange] } = {};

void import('../shared/domain/exchanges/days.ts').then(
  (loaded) => Object.assign(EXCHANGE_DAYS, loaded.EXCHANGE_DAYS),
  // The page's guard reports scripts that do not arrive.
  () => undefined,
);
