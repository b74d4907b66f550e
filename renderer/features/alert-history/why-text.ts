// Renderer, pure: text that explains why an alert notified or not, and why rules did not match.

import type { InboxRow, Trace } from '../../../shared/channels/alerting.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import type { Miss } from '../../../shared/settings/misses.ts';
import { span } from '../../../shared/text/format.ts';
import { optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';

export function whySentence({ alert }: InboxRow, trace: Trace | null): string {
  const { notification_status, reason, decision, dispatch } = alert;
  if (dispatch?.outcome === 'failed') return texts.alerts.why.failed(optionalText(dispatch.detail));
  switch (notification_status) {
    case 'waiting':
      return texts.alerts.why.waiting(optionalText(reason));
    case 'dropped':
      return texts.alerts.why.dropped(optionalText(reason));
    case 'none':
      return decision?.startsWith('before_baseline') === true
        ? texts.alerts.why.beforeBaseline
        : texts.alerts.why.unmatched;
    case 'notified': {
      const at = (step: string): number => Date.parse(trace?.steps.find((one) => one.step === step)?.at ?? '');
      const [received, answered] = [at('received'), at('answered')];
      return Number.isNaN(received) || Number.isNaN(answered)
        ? texts.alerts.why.notifiedPlain
        : texts.alerts.why.notified(span(answered - received));
    }
  }
}

/** An unknown event keeps its name. */
const eventLabel = (name: string): string => (texts.rules.events as Readonly<Record<string, string>>)[name] ?? name;

/** The condition of the rule that the event did not meet. */
export function missMessage(miss: Miss, rule: Rule, { alert }: InboxRow, event: string): string {
  const { transition } = alert;
  switch (miss) {
    case 'other_event':
      return texts.rules.miss.event(rule.events.map(eventLabel).join(', '), eventLabel(event));
    case 'other_symbol':
      return texts.rules.miss.symbol(texts.rules.scope(rule.scope, null));
    case 'excepted':
      return texts.rules.miss.excepted;
    case 'other_class':
      return texts.rules.miss.class(texts.rules.classNames(rule.classes ?? []));
    case 'below_state':
      return texts.rules.miss.state(stateLabel(rule.min_state));
    case 'below_confidence':
      return texts.rules.miss.confidence(rule.min_confidence ?? 0, transition.confidence);
    case 'other_regime':
      return texts.rules.miss.regime(
        (rule.regimes ?? []).map(regimeLabel).join(', '),
        transition.regime === null ? null : regimeLabel(transition.regime),
      );
    case 'not_due':
    case 'due':
      return rule.due === null ? '' : texts.rules.miss.due(texts.due.condition(rule.due));
    case 'outside_hours':
      return texts.rules.miss.hours(texts.rules.hours(rule.hours));
    case 'other_profile':
      return texts.rules.miss.profile(rule.profiles ?? []);
    case 'disabled':
    case 'expired':
      return texts.rules.miss[miss];
  }
}

/** lit: continued. partial: waits, or unanswered. out: ended here. none: no consequence. */
export function indicatorOf({ step, detail }: Trace['steps'][number]): 'ok' | 'degraded' | 'down' | 'none' {
  if (step === 'repeated') return 'none';
  if (step === 'waits' || step === 'snoozed') return 'degraded';
  if (step === 'dropped') return 'down';
  if (step === 'answered') return isFailure(detail) ? 'down' : 'ok';
  if (step === 'evaluated') return isMiss(detail) ? 'down' : 'ok';
  return 'ok';
}

type Detail = Trace['steps'][number]['detail'];

/** Ledgers of earlier versions hold plain text. */
const startsWith = (detail: Detail, pattern: RegExp): boolean =>
  detail?.code === 'text' && pattern.test(textOf(detail));

const isFailure = (detail: Detail): boolean =>
  detail?.code === 'trace.answered' || detail?.code === 'trace.answered_with'
    ? detail.values.outcome === 'failed'
    : startsWith(detail, /^(failed|refused)/);

const isMiss = (detail: Detail): boolean =>
  detail?.code === 'decision.nearest' || startsWith(detail, /^Not (notified|told)/);
