// Renderer, pure: the draft of a rule: every field as typed, and messages for the invalid ones.

import type { AssetClass } from '../../../shared/domain/instruments.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import { profileOfList } from '../../../shared/domain/watchlists.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import {
  ESCALATION_MINUTES,
  type Hours,
  HoursSchema,
  REPEAT_SECONDS,
  type Rule,
  RuleSchema,
  type SoundName,
} from '../../../shared/settings/alert-rules.ts';
import type { BreadthCondition } from '../../../shared/settings/breadth-conditions.ts';
import { BREADTH_EVENT, PRICE_EVENT } from '../../../shared/settings/core-events.ts';
import { freshId } from '../../../shared/settings/fresh-id.ts';
import type { PriceCondition } from '../../../shared/settings/price-conditions.ts';
import { deadEventsOf } from '../../../shared/settings/rule-contradictions.ts';
import type { Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { formatField, parseTimestamp } from '../../../shared/text/timestamp-field.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { symbolsIn } from '../../ui/form/schemas.ts';
import { type BreadthDraft, breadthDraftOf, breadthIn, EMPTY_BREADTH } from './breadth-draft.ts';
import { type DueDraft, dueDraftOf, dueIn } from './due-draft.ts';
import { EMPTY_PRICE, type PriceDraft, priceDraftOf, priceIn } from './price-draft.ts';

const { problems } = texts.rules;

/** Recurring hours as typed. */
export interface HoursDraft {
  readonly kind: Hours['kind'];
  readonly calendar: SessionCalendar | 'own';
  readonly zone: string;
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

/** A step of the escalation; `after`: minutes as typed. */
export interface StepDraft {
  readonly after: string;
  readonly channels: readonly string[];
}

export interface RuleDraft extends PriceDraft, BreadthDraft, DueDraft {
  /** null: no id yet. */
  readonly id: string | null;
  readonly name: string;
  /** Whether a new rule is enabled. A saved rule is enabled and disabled in the list. */
  readonly enabled: boolean;
  /** The end as typed, in `endsZone`: another choice of zone does not move it. */
  readonly ends: string;
  readonly endsZone: Zone;
  /** Names of profiles; empty: all. */
  readonly profiles: readonly string[];
  /** Whether the rule is on events, on a price or on the share of a list. */
  readonly kind: 'events' | 'price' | 'breadth';
  readonly events: Rule['events'];
  readonly scope: Rule['scope']['kind'];
  readonly lists: readonly string[];
  readonly symbols: string;
  readonly except: string;
  readonly classes: readonly AssetClass[];
  readonly minState: Rule['min_state'];
  readonly confidence: string;
  readonly regimes: readonly string[];
  readonly hours: HoursDraft;
  readonly holdUp: string;
  readonly holdDown: string;
  /** Ids of channels besides the desktop. */
  readonly channels: readonly string[];
  readonly escalation: readonly StepDraft[];
  readonly escalationHours: HoursDraft;
  readonly sound: 'none' | SoundName;
  /** Seconds as typed; empty: once. */
  readonly soundRepeat: string;
}

/** Error messages, by path. */
type Problems = Readonly<Record<string, string>>;

export interface DraftContext {
  /** World time, ms. */
  readonly now: number;
  readonly lists: readonly string[];
  /** Ids in use. */
  readonly taken: readonly string[];
  /** The saved rule; null: not saved yet. */
  readonly saved: Pick<Rule, 'enabled'> | null;
}

export const HOURS_AT_FIRST: HoursDraft = {
  kind: 'always',
  calendar: 'own',
  zone: 'America/New_York',
  days: [1, 2, 3, 4, 5],
  from: '09:30',
  to: '16:00',
};

export const hoursDraft = (hours: Hours): HoursDraft => ({ ...HOURS_AT_FIRST, ...hours });

export function draftOf(rule: Rule, zone: Zone): RuleDraft {
  return {
    id: rule.id,
    name: rule.name,
    enabled: rule.enabled,
    ends: rule.expires_at === null ? '' : formatField(Date.parse(rule.expires_at), zone).replace('T', ' '),
    endsZone: zone,
    profiles: rule.profiles ?? [],
    kind: rule.price !== null ? 'price' : rule.breadth !== null ? 'breadth' : 'events',
    ...(rule.price === null ? EMPTY_PRICE : priceDraftOf(rule.price)),
    ...(rule.breadth === null ? EMPTY_BREADTH : breadthDraftOf(rule.breadth)),
    ...dueDraftOf(rule.due),
    events: rule.price === null && rule.breadth === null ? rule.events : ['signal.high_risk'],
    scope: rule.scope.kind,
    lists: rule.scope.kind === 'lists' ? rule.scope.ids : [],
    symbols: rule.scope.kind === 'symbols' ? rule.scope.symbols.join(' ') : '',
    except: rule.except.join(' '),
    classes: rule.classes ?? [],
    minState: rule.min_state,
    confidence: rule.min_confidence === null ? '' : String(rule.min_confidence),
    regimes: rule.regimes ?? [],
    hours: hoursDraft(rule.hours),
    holdUp: String(rule.hold_up_seconds),
    holdDown: String(rule.hold_down_seconds),
    channels: rule.channels,
    escalation: rule.escalation.steps.map((step) => ({ after: String(step.after_minutes), channels: step.channels })),
    escalationHours: hoursDraft(rule.escalation.hours),
    sound: rule.sound?.name ?? 'none',
    soundRepeat: rule.sound?.repeat_seconds == null ? '' : String(rule.sound.repeat_seconds),
  };
}

/** Whether the drafts differ. */
export const isOther = (draft: RuleDraft, other: RuleDraft): boolean => JSON.stringify(draft) !== JSON.stringify(other);

/** @returns the rule, or the errors by field */
export function ruleOf(draft: RuleDraft, context: DraftContext): Result<Rule, Problems> {
  const found: Record<string, string> = {};
  const wrong = (path: string, message: string): void => {
    found[path] ??= message;
  };
  // The user may have enabled or disabled the rule in the list during the edit.
  const enabled = context.saved?.enabled ?? draft.enabled;
  if (draft.name.trim() === '' || draft.name.trim().length > 80) wrong('name', problems.name);
  const price = draft.kind === 'price' ? priceIn(draft) : ok(null);
  if (!price.ok) Object.assign(found, price.error);
  const isOfShare = draft.kind === 'breadth';
  const breadth = isOfShare ? breadthIn(draft, context.lists) : ok(null);
  if (!breadth.ok) Object.assign(found, breadth.error);
  if (draft.kind === 'events' && draft.events.length === 0) wrong('events', problems.events);
  const symbols = symbolsIn(draft.symbols);
  if (draft.scope === 'lists' && !isOfShare) {
    if (draft.lists.length === 0) wrong('lists', problems.lists);
    else if (draft.lists.some((id) => !context.lists.includes(id) && profileOfList(id) === null))
      wrong('lists', problems.listGone);
  }
  if (draft.scope === 'symbols' && !isOfShare && (symbols.wrong.length > 0 || symbols.good.length === 0))
    wrong('symbols', problems.symbols(symbols.wrong));
  const except = symbolsIn(draft.except);
  if (except.wrong.length > 0 && !isOfShare) wrong('except', problems.except(except.wrong));
  const isOfEvents = draft.kind === 'events';
  const confidence = numberIn(draft.confidence, 0, 100, false);
  if (isOfEvents && draft.confidence.trim() !== '' && confidence === null) wrong('confidence', problems.confidence);
  const [holdUp, holdDown] = [numberIn(draft.holdUp, 0, 3600, true), numberIn(draft.holdDown, 0, 3600, true)];
  if (isOfEvents && holdUp === null) wrong('holdUp', problems.hold);
  if (isOfEvents && holdDown === null) wrong('holdDown', problems.hold);
  const ends = draft.ends.trim() === '' ? null : parseTimestamp(draft.ends, draft.endsZone);
  if (draft.ends.trim() !== '' && ends === null) wrong('ends', problems.ends);
  else if (ends !== null && ends <= context.now && enabled) wrong('ends', problems.endsPast);
  const repeat = numberIn(draft.soundRepeat, REPEAT_SECONDS.least, REPEAT_SECONDS.most, true);
  if (draft.sound !== 'none' && draft.soundRepeat.trim() !== '' && repeat === null)
    wrong('soundRepeat', problems.repeat);
  const due = dueIn(draft);
  if (!due.ok) Object.assign(found, due.error);
  const hours = hoursOf(draft.hours);
  if (!hours.ok) Object.assign(found, hours.error);
  const escalationHours = hoursOf(draft.escalationHours, 'escalationHours');
  if (!escalationHours.ok) Object.assign(found, escalationHours.error);
  const steps = draft.escalation.map(({ after, channels }, index, all) => {
    const minutes = minutesIn(after);
    if (minutes === null) wrong(`escalation.${index}.after`, problems.minutes);
    else if (minutes <= (minutesIn(all[index - 1]?.after ?? '') ?? 0))
      wrong(`escalation.${index}.after`, problems.order);
    if (channels.length === 0) wrong(`escalation.${index}.channels`, problems.stepChannels);
    return { after_minutes: minutes, channels };
  });
  if (Object.keys(found).length > 0 || !hours.ok || !escalationHours.ok || !price.ok || !breadth.ok || !due.ok)
    return err(found);
  const rule = RuleSchema.safeParse({
    id: draft.id ?? freshId(draft.name, context.taken, 'rule'),
    name: draft.name.trim(),
    enabled,
    expires_at: ends === null ? null : timestamp(ends),
    profiles: draft.profiles.length === 0 ? null : draft.profiles,
    ...conditionsOf(draft, { price: price.value, breadth: breadth.value, confidence, holdUp, holdDown }),
    ...(isOfShare ? { scope: { kind: 'watched' } } : symbolConditionsOf(draft, symbols.good, except.good)),
    due: due.value,
    hours: hours.value,
    channels: draft.channels,
    escalation: { hours: escalationHours.value, steps },
    sound: draft.sound === 'none' ? null : { name: draft.sound, repeat_seconds: repeat },
  });
  const dead = rule.success && enabled ? deadEventsOf(rule.data) : null;
  if (dead !== null)
    return err({ [FIELD_OF[dead.why]]: texts.rules.contradictions[dead.why](dead.events, draft.minState) });
  if (rule.success) return ok(rule.data);
  const [issue] = rule.error.issues;
  const field = String(issue?.path[0] ?? 'name');
  return err({
    [field === 'scope' ? (draft.scope === 'lists' ? 'lists' : 'symbols') : field]: issue?.message ?? problems.name,
  });
}

interface ReadConditions {
  readonly price: PriceCondition | null;
  readonly breadth: BreadthCondition | null;
  readonly confidence: number | null;
  readonly holdUp: number | null;
  readonly holdDown: number | null;
}

/** Which symbols a rule covers. */
const symbolConditionsOf = (draft: RuleDraft, symbols: readonly string[], except: readonly string[]) => ({
  scope:
    draft.scope === 'lists'
      ? { kind: 'lists', ids: draft.lists }
      : draft.scope === 'symbols'
        ? { kind: 'symbols', symbols }
        : { kind: draft.scope },
  except,
  classes: draft.classes.length === 0 ? null : draft.classes,
});

/** A price and a share have neither state nor confidence, regime or hold time: the fields for events are ignored. */
function conditionsOf(draft: RuleDraft, { price, breadth, confidence, holdUp, holdDown }: ReadConditions) {
  const isEvents = price === null && breadth === null;
  return {
    events: price !== null ? [PRICE_EVENT] : breadth !== null ? [BREADTH_EVENT] : draft.events,
    price,
    breadth,
    min_state: isEvents ? draft.minState : 0,
    min_confidence: !isEvents || draft.confidence.trim() === '' ? null : confidence,
    regimes: !isEvents || draft.regimes.length === 0 ? null : draft.regimes,
    hold_up_seconds: isEvents ? holdUp : 0,
    hold_down_seconds: isEvents ? holdDown : 0,
  };
}

/** The field at which each contradiction is shown. */
const FIELD_OF = {
  below_state: 'events',
  no_confidence: 'confidence',
  no_regime: 'regimes',
  no_class: 'classes',
  all_excepted: 'except',
  no_price: 'level',
  price_alone: 'events',
  price_hold: 'holdUp',
  impossible_fall: 'percent',
  no_share: 'share',
  share_alone: 'events',
  share_hold: 'holdUp',
} as const;

/** Errors by path: `hours.from`. @param name that of the field */
export function hoursOf(draft: HoursDraft, name = 'hours'): Result<Hours, Problems> {
  const candidate: unknown =
    draft.kind === 'always'
      ? { kind: 'always' }
      : draft.kind === 'session'
        ? { kind: 'session', calendar: draft.calendar }
        : {
            kind: 'daily',
            zone: draft.zone.trim(),
            days: [...draft.days].sort((a, b) => a - b),
            from: timeIn(draft.from),
            to: timeIn(draft.to),
          };
  const read = HoursSchema.safeParse(candidate);
  if (read.success) return ok(read.data);
  const messages: Readonly<Record<string, string>> = {
    zone: problems.zone,
    days: problems.days,
    from: problems.time,
    to: problems.time,
  };
  return err(
    Object.fromEntries(
      read.error.issues.map(({ path: [field] }) => [
        `${name}.${String(field)}`,
        messages[String(field)] ?? problems.time,
      ]),
    ),
  );
}

/** "9:30" is 09:30. */
const timeIn = (text: string): string => text.trim().replace(/^(\d):/, '0$1:');

const minutesIn = (text: string): number | null =>
  numberIn(text, ESCALATION_MINUTES.least, ESCALATION_MINUTES.most, true);

function numberIn(text: string, least: number, most: number, isWhole: boolean): number | null {
  const trimmed = text.trim().replace(',', '.');
  if (!(isWhole ? /^\d{1,5}$/ : /^\d{1,3}(\.\d{1,4})?$/).test(trimmed)) return null;
  const value = Number(trimmed);
  return value >= least && value <= most ? value : null;
}
