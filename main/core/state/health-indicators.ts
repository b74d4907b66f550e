// Main, core: the four indicators that prove a connection. Each keeps the instant at which it entered its state.
import { type HealthIndicator, INDICATOR_NAMES, type IndicatorName } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

export interface HealthIndicators {
  /** Returns whether anything changed. */
  set(name: IndicatorName, state: HealthIndicator['state'], detail: string): boolean;
  all(): Record<IndicatorName, HealthIndicator>;
}

export function createHealthIndicators(clock: Clock): HealthIndicators {
  const begun = timestamp(clock.now());
  const indicators = new Map<IndicatorName, HealthIndicator>(
    INDICATOR_NAMES.map((name) => [name, { state: 'down', since: begun, detail: 'not yet' }]),
  );
  const get = (name: IndicatorName): HealthIndicator =>
    indicators.get(name) ?? { state: 'down', since: begun, detail: '' };
  return {
    set(name, state, detail) {
      const indicator = get(name);
      if (indicator.state === state && indicator.detail === detail) return false;
      indicators.set(name, {
        state,
        detail,
        since: indicator.state === state ? indicator.since : timestamp(clock.now()),
      });
      return true;
    },
    all: () => ({ open: get('open'), bytes: get('bytes'), fresh: get('fresh'), verified: get('verified') }),
  };
}
