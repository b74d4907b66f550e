// Pure: English, the picture of a symbol that goes with an alert.
import type { PriceFaultKind } from '../../domain/data-health.ts';
import type { State } from '../../domain/states.ts';

const FAULTS: Readonly<Record<PriceFaultKind, string>> = {
  delayed: 'prices are delayed',
  halted: 'trading is halted',
  gap: 'prices are missing',
  question: 'a price is in question',
  quarantined: 'the newest price is faulty',
  unlisted: 'no longer traded',
};

export const picture = {
  breach: (price: string) => `Breach ${price}`,
  breachUnknown: 'Breach level unknown',
  priceUnknown: 'Price unknown',
  stateUnknown: 'State unknown',
  /** A service's own word that the font cannot draw. */
  otherWord: 'Another state',
  noPrices: 'no prices',
  noHistory: 'no history',
  states: ['Normal', 'Elevated', 'High Risk'] as Readonly<Record<State, string>>,
  strip: 'States, 90 days',
  asOf: (at: string) => `As of ${at}`,
  old: 'old prices',
  faults: FAULTS,
  change: (change: string) => `${change} today`,
  copied: (symbol: string) => `Copied a picture of ${symbol}.`,
  notCopied: (why: string) => `No picture was copied. ${why}`,
  clipboardRefused: 'Clipboard access is blocked.',
} as const;
