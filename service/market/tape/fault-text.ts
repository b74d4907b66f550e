// Service, market, tape: sentences for people about faults in prices.
import type { Bar } from '../../engine/types.ts';
import type { Quarantine } from './inspect.ts';

const number = (value: number): string => String(Number(value.toPrecision(6)));

/** @param by date of the bar that ended the quarantine; null: it lasts. @returns null for a real price */
export function quarantineText(symbol: string, date: string, found: Quarantine, by: string | null): string | null {
  const move = `${symbol} ${date}: close ${number(found.close)} after ${number(found.before)}`;
  const split = `${move} looks like a split that is not adjusted`;
  if (found.outcome === 'real') return null;
  if (found.outcome === 'refused') return `${move} was gone by ${by}: it was no price, and is not used`;
  if (found.outcome === 'adjusted')
    return found.kind === 'split'
      ? `${split}; it stood until ${by}, so the prices before it were adjusted`
      : `${move} is a change of level without the volume and range of a crash; the prices before it were adjusted`;
  const until = `it is not used until later prices, an action or \`confirm ${symbol} ${date}\` say what it is`;
  if (found.kind === 'split') return `${split}; ${until}`;
  if (found.kind === 'level') return `${move} looks like a change of level, not like a price; ${until}`;
  return `${move} is a spike that nothing confirms; ${until}`;
}

/** The text for a suspect price of the day in progress. */
export const formingText = (symbol: string, { date, close }: Bar, before: Bar): string =>
  `${symbol} ${date}: price ${number(close)} after a close of ${number(before.close)} looks like a split or a change of level, not like a price; it is not used before the close of its day, unless \`confirm ${symbol} ${date} --real\` says that it is one`;

/** The text for the day of an announced split. */
export const splitDayText = (symbol: string, { date, close }: Bar, factor: number): string =>
  `${symbol} ${date}: the price of ${number(close)} has the new level of its split (${number(factor)} of the old one); it is used from the close of its day on`;

export const gapText = (symbol: string, date: string, sessions: number): string =>
  `${symbol} ${date}: ${sessions} sessions before it are missing; nothing was made up for them`;
