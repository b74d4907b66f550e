// Renderer, pure: why an alert was told or not, in one sentence; and rules that stayed silent, each with what it asks for.
import type { InboxRow, Trace } from '../../../shared/channels/alerting.ts';
import type { Miss, Rule } from '../../../shared/domain/alert-rules.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { alerts as words } from '../../text/alerts.ts';
import { span } from '../../text/format.ts';
import { ruleWords } from '../../text/rules.ts';

export function whySentence({ alert }: InboxRow, trace: Trace | null): string {
  const { telling, reason, decision, handover } = alert;
  if (handover?.outcome === 'failed') return words.why.failed(handover.detail);
  switch (telling) {
    case 'waiting':
      return words.why.waiting(reason);
    case 'dropped':
      return words.why.dropped(reason);
    case 'none':
      return decision?.startsWith('before_first_sight') === true ? words.why.beforeSight : words.why.notAsked;
    case 'told': {
      const at = (step: string): number => Date.parse(trace?.steps.find((one) => one.step === step)?.at ?? '');
      const [received, answered] = [at('received'), at('answered')];
      return Number.isNaN(received) || Number.isNaN(answered)
        ? words.why.toldPlain
        : words.why.told(span(answered - received));
    }
  }
}

/** An event that this version does not know keeps its name. */
const eventWords = (name: string): string => (ruleWords.events as Readonly<Record<string, string>>)[name] ?? name;

/** What the rule asks for that this event did not have. */
export function missWords(miss: Miss, rule: Rule, { alert }: InboxRow, event: string): string {
  const { transition } = alert;
  switch (miss) {
    case 'other_event':
      return ruleWords.miss.event(rule.events.map(eventWords).join(', '), eventWords(event));
    case 'other_symbol':
      return ruleWords.miss.symbol(ruleWords.scope(rule.scope, null));
    case 'below_state':
      return ruleWords.miss.state(stateLabel(rule.min_state));
    case 'below_confidence':
      return ruleWords.miss.confidence(rule.min_confidence ?? 0, transition.confidence);
    case 'other_regime':
      return ruleWords.miss.regime(
        (rule.regimes ?? []).map(regimeLabel).join(', '),
        transition.regime === null ? null : regimeLabel(transition.regime),
      );
    case 'outside_hours':
      return ruleWords.miss.hours(ruleWords.hours(rule.hours));
    case 'disabled':
    case 'expired':
      return ruleWords.miss[miss];
  }
}

/** lit: it went on. partial: it waits, or nobody answered yet. out: it ended here. none: nothing came of it. */
export function lampOf({ step, detail }: Trace['steps'][number]): 'lit' | 'partial' | 'out' | 'none' {
  if (step === 'repeated') return 'none';
  if (step === 'waits' || step === 'snoozed') return 'partial';
  if (step === 'dropped') return 'out';
  if (step === 'answered') return /^(failed|refused)/.test(detail) ? 'out' : 'lit';
  if (step === 'judged') return detail.startsWith('Not told') ? 'out' : 'lit';
  return 'lit';
}
