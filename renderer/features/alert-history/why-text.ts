// Renderer, pure: text that explains why an alert notified or not, and why rules did not match.
import type { InboxRow, Trace } from '../../../shared/channels/alerting.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Miss, Rule } from '../../../shared/settings/alert-rules.ts';
import { alerts as messages } from '../../text/alerts.ts';
import { span } from '../../text/format.ts';
import { ruleText } from '../../text/rules.ts';

export function whySentence({ alert }: InboxRow, trace: Trace | null): string {
  const { notification_status, reason, decision, dispatch } = alert;
  if (dispatch?.outcome === 'failed') return messages.why.failed(dispatch.detail);
  switch (notification_status) {
    case 'waiting':
      return messages.why.waiting(reason);
    case 'dropped':
      return messages.why.dropped(reason);
    case 'none':
      return decision?.startsWith('before_baseline') === true ? messages.why.beforeBaseline : messages.why.unmatched;
    case 'notified': {
      const at = (step: string): number => Date.parse(trace?.steps.find((one) => one.step === step)?.at ?? '');
      const [received, answered] = [at('received'), at('answered')];
      return Number.isNaN(received) || Number.isNaN(answered)
        ? messages.why.notifiedPlain
        : messages.why.notified(span(answered - received));
    }
  }
}

/** An unknown event keeps its name. */
const eventLabel = (name: string): string => (ruleText.events as Readonly<Record<string, string>>)[name] ?? name;

/** The condition of the rule that the event did not meet. */
export function missMessage(miss: Miss, rule: Rule, { alert }: InboxRow, event: string): string {
  const { transition } = alert;
  switch (miss) {
    case 'other_event':
      return ruleText.miss.event(rule.events.map(eventLabel).join(', '), eventLabel(event));
    case 'other_symbol':
      return ruleText.miss.symbol(ruleText.scope(rule.scope, null));
    case 'below_state':
      return ruleText.miss.state(stateLabel(rule.min_state));
    case 'below_confidence':
      return ruleText.miss.confidence(rule.min_confidence ?? 0, transition.confidence);
    case 'other_regime':
      return ruleText.miss.regime(
        (rule.regimes ?? []).map(regimeLabel).join(', '),
        transition.regime === null ? null : regimeLabel(transition.regime),
      );
    case 'outside_hours':
      return ruleText.miss.hours(ruleText.hours(rule.hours));
    case 'disabled':
    case 'expired':
      return ruleText.miss[miss];
  }
}

/** lit: continued. partial: waits, or unanswered. out: ended here. none: no consequence. */
export function indicatorOf({ step, detail }: Trace['steps'][number]): 'ok' | 'degraded' | 'down' | 'none' {
  if (step === 'repeated') return 'none';
  if (step === 'waits' || step === 'snoozed') return 'degraded';
  if (step === 'dropped') return 'down';
  if (step === 'answered') return /^(failed|refused)/.test(detail) ? 'down' : 'ok';
  // Ledgers of earlier versions hold "Not told".
  if (step === 'evaluated') return /^Not (notified|told)/.test(detail) ? 'down' : 'ok';
  return 'ok';
}
