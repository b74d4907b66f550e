// Test: rules whose conditions exclude each other.
import { expect, test } from 'vitest';
import { DEFAULT_RULE, type Rule } from './alert-rules.ts';
import { contradictionOf, deadEventsOf } from './rule-contradictions.ts';

const found = (more: Partial<Rule>) => contradictionOf({ ...DEFAULT_RULE, ...more });

test('an event below the minimum state', () => {
  expect(found({ events: ['signal.elevated'], min_state: 2 })).toBe('below_state');
  expect(found({ events: ['signal.normal'], min_state: 1 })).toBe('below_state');
  expect(found({ events: ['signal.elevated'], min_state: 1 })).toBeNull();
});

test('an event without a symbol has neither confidence nor regime', () => {
  expect(found({ events: ['briefing.published'], min_confidence: 25 })).toBe('no_confidence');
  expect(found({ events: ['model.version'], regimes: ['stress'] })).toBe('no_regime');
  expect(found({ events: ['regime.flip'], min_confidence: 25, regimes: ['stress'] })).toBeNull();
});

test('an event that has no class, and symbols that are all exceptions', () => {
  expect(found({ events: ['regime.flip'], classes: ['etf'] })).toBe('no_class');
  expect(found({ events: ['regime.flip', 'signal.high_risk'], classes: ['etf'] })).toBeNull();
  const scope: Rule['scope'] = { kind: 'symbols', symbols: ['SPY', 'QQQ'] };
  expect(found({ scope, except: ['QQQ', 'XLF', 'SPY'] })).toBe('all_excepted');
  expect(found({ scope, except: ['QQQ'] })).toBeNull();
});

test('an event that can never match is named beside those that can', () => {
  const events: Rule['events'] = ['signal.normal', 'signal.high_risk', 'signal.elevated'];
  expect(deadEventsOf({ ...DEFAULT_RULE, events, min_state: 2 })).toEqual({
    why: 'below_state',
    events: ['signal.normal', 'signal.elevated'],
  });
  expect(deadEventsOf({ ...DEFAULT_RULE, events, min_state: 0 })).toBeNull();
});

test('one event that can match is enough', () => {
  expect(found({ events: ['signal.elevated', 'signal.high_risk'] })).toBeNull();
  expect(found({ events: ['signal.elevated', 'regime.flip'] })).toBeNull();
});
