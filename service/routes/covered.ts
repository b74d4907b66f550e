// Service, routes: refuses symbols without data for an endpoint.

import { Refusal } from '../refusal.ts';
import type { HandlerDeps } from './handler-deps.ts';

/** @throws Refusal symbol_not_covered for a symbol without a signal of its own */
export function assertCovered({ content: { signals } }: HandlerDeps, symbol: string): void {
  const coverage = signals.coverage(symbol);
  if (coverage === 'full') return;
  const why = coverage === 'regime_only' ? 'has a regime and no signal' : 'is outside the covered universe';
  throw new Refusal('symbol_not_covered', `${symbol} ${why}. GET /snapshot lists what is covered.`);
}
