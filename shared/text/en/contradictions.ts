// Pure: the English texts of rules that can never notify, and of the events of rules.

import { type State, stateLabel } from '../../domain/states.ts';
import type { RuleEvent } from '../../settings/alert-rules.ts';
import { BREADTH_EVENT, FOREIGN_EVENT, PRICE_EVENT } from '../../settings/core-events.ts';
import type { Contradiction } from '../../settings/rule-contradictions.ts';
import { plural } from './plural.ts';

export const EVENTS: Readonly<Record<RuleEvent, string>> = {
  'signal.normal': 'Back to Normal',
  'signal.elevated': 'Elevated',
  'signal.high_risk': 'High Risk',
  'regime.flip': 'Regime flips',
  'briefing.published': 'Briefings',
  'model.version': 'New model versions',
  [FOREIGN_EVENT]: 'Alerts of other programs',
  [PRICE_EVENT]: 'A price',
  [BREADTH_EVENT]: 'Market breadth',
};

const eventNames = (events: readonly RuleEvent[]): string => events.map((name) => `“${EVENTS[name]}”`).join(', ');

/** Reasons why a rule can never notify, and what to change. */
export const contradictions = {
  below_state: (events: readonly RuleEvent[], state: State) =>
    `It would never notify of ${eventNames(events)}, which ${plural(events.length, 'is', 'are')} below ${stateLabel(state)}. Lower the state, or choose events of ${stateLabel(state)} alone.`,
  no_confidence: (events: readonly RuleEvent[]) =>
    `It would never notify of ${eventNames(events)}, which ${plural(events.length, 'has', 'have')} no chance. Leave the chance empty, or choose signals alone.`,
  no_regime: (events: readonly RuleEvent[]) =>
    `It would never notify of ${eventNames(events)}, which ${plural(events.length, 'has', 'have')} no regime. Choose no regime, or signals alone.`,
  no_class: (events: readonly RuleEvent[]) =>
    `It would never notify of ${eventNames(events)}, which ${plural(events.length, 'has', 'have')} no class. Choose no class, or signals alone.`,
  all_excepted: () => 'It would never notify: each of its symbols is an exception too.',
  no_price: () => 'It would never notify: it asks for a price and names none. Enter a level or a change.',
  price_alone: () =>
    'It would never notify: a condition on the price goes with “A price” alone. Make a second rule for the other events.',
  price_hold: () => 'It would never notify: a price holds no state. Set both hold times to 0.',
  impossible_fall: () => 'It would never notify: no price falls by 100 % or more.',
  no_share: () =>
    'It would never notify: it asks for the share of a list and names none. Enter a list and a percentage.',
  share_alone: () =>
    'It would never notify: the share of a list goes with “Market breadth” alone. Make a second rule for the other events.',
  share_hold: () => 'It would never notify: the share of a list holds no state. Set both hold times to 0.',
} satisfies Record<Contradiction, (events: readonly RuleEvent[], state: State) => string>;
