// Service, market, tape: a corporate action, a trading status or an operator's decision.
import type { PriceAnswer } from '../../../shared/domain/price-questions.ts';
import type { PriceDecision } from '../types.ts';
import type { FeedReceipt } from './minutes.ts';

export const ACTION_KINDS = ['split', 'dividend', 'halt', 'resume', 'delisting', 'real', 'refuse'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** An action of a feed or an operator; has `feed` and `receivedAt` once it is recorded. */
export interface TapeAction extends Partial<FeedReceipt> {
  readonly kind: ActionKind;
  readonly symbol: string;
  readonly date: string;
  /** split: level after over level before. Decision: its close over the previous close. */
  readonly factor: number | null;
  /** Decision: the close that it is about. */
  readonly close?: number | null;
  /** dividend: cash per share, at the level of the bar before. */
  readonly amount?: number | null;
  readonly note: string | null;
}

/** Name of the feed of an operator's decisions. */
export const OPERATOR = 'operator';

const KINDS: Readonly<Record<PriceAnswer, ActionKind>> = { price: 'real', split: 'split', no_price: 'refuse' };

export const decidedAction = ({ symbol, date, answer, factor }: PriceDecision): TapeAction => ({
  ...{ kind: KINDS[answer], symbol, date, note: null },
  factor: answer === 'split' ? factor : null,
});
