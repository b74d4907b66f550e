// Pure: English of prices that need a decision: banner, buttons, dialog.
import type { PriceAnswer, PriceDoubt } from '../../domain/price-questions.ts';
import { type State, stateLabel } from '../../domain/states.ts';
import { plural } from './plural.ts';

export const priceQuestions = {
  banner: (symbols: readonly string[]) =>
    `${symbols.length} ${plural(symbols.length, 'price needs', 'prices need')} a decision: ${symbols.join(', ')}`,
  bannerWhy: 'A signal may rest on a fault of the data: the price counts until you say what it is.',
  /** @param how it is used until then */
  open: { price: 'Decide the price', split: 'Split assumed', no_price: 'Price not used' } satisfies Record<
    PriceAnswer,
    string
  >,
  decide: 'Decide',
  decideOn: (symbol: string) => `Decide on the price of ${symbol}`,
  dialog: 'The question about a price',
  heading: (price: string, symbol: string) => `What is the price ${price} of ${symbol}?`,
  /** @param change percent against the close before */
  move: (day: string, before: string, change: string) => `${day}: ${change} after a close of ${before}.`,
  doubt: {
    split: (ratio: string) => `All prices of the day moved together, as by a split ${ratio} that nobody announced.`,
    level: () => 'All prices of the day moved together, as by a spin-off or a special dividend.',
    stray: () => 'Nothing else of the day is at that price.',
  } satisfies Record<PriceDoubt, (ratio: string) => string>,
  /** Multiples of the usual volume, in shares of the day before, and range; null: not known. */
  traded: (volume: string | null, range: string | null) =>
    `${[
      volume === null ? 'The volume is not known' : `Volume in shares of before: ${volume} times the usual`,
      ...(range === null ? [] : [`range: ${range} times`]),
    ].join('; ')}.`,
  before: (state: State) => `At the close before it was ${stateLabel(state)}.`,
  chart: 'Closes and volumes of 60 days',
  usualVolume: 'usual volume, in shares of before',
  answers: {
    label: 'What it is',
    price: 'A price',
    split: 'A split, or another change of level',
    no_price: 'No price',
  },
  ratio: 'New shares for old ones',
  ratioWrong: 'Write the ratio as 4:1, new shares for old ones.',
  missing: 'Choose what the price is.',
  consequences: {
    price: (symbol: string, state: State) => `It counts. ${symbol} is ${stateLabel(state)}, and stays so.`,
    priceNew: (change: string) => `It counts as it is, as a move of ${change}.`,
    /** @param change of the day then; null: the ratio is invalid */
    split: (change: string | null) =>
      change === null
        ? 'The prices before it are adjusted by the ratio.'
        : `The prices before it are adjusted, so that the day is ${change}. What rested on the move is withdrawn.`,
    no_price: (before: string) =>
      `It is not used: the last close is ${before}. What rested on it is withdrawn, with this reason.`,
  },
  command: (command: string) => `The same from a command line: ${command}`,
  later: 'Later',
};
