// Service, market, tape: a corporate action, a trading status or a decision about a price.
import type { FeedReceipt } from './minutes.ts';

export const ACTION_KINDS = ['split', 'dividend', 'halt', 'resume', 'delisting', 'real', 'refuse'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** From an operator or a feed; with its arrival once it is recorded. */
export interface TapeAction extends Partial<FeedReceipt> {
  readonly kind: ActionKind;
  readonly symbol: string;
  readonly date: string;
  /** Of a split: new level over old one. Of a decision: its close over the one before. */
  readonly factor: number | null;
  /** Of a decision: the close that it is about. */
  readonly close?: number | null;
  /** Of a dividend: money a share, at the level of the bar before. */
  readonly amount?: number | null;
  readonly note: string | null;
}
