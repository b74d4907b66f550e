// Renderer, pure: the draft of a rule: every field as typed, and messages for the invalid ones.

import type { AssetClass } from '../../../shared/domain/instruments.ts';
import { profileOfList } from '../../../shared/domain/watchlists.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import {
  type Hours,
  HoursSchema,
  type NotificationChannel,
  NotificationChannelSchema,
  REPEAT_SECONDS,
  type Rule,
  RuleSchema,
  type SoundName,
} from '../../../shared/settings/alert-rules.ts';
import { PRICE_EVENT, type PriceCondition } from '../../../shared/settings/price-conditions.ts';
import { deadEventsOf } from '../../../shared/settings/rule-contradictions.ts';
import type { Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { formatField, parseTimestamp } from '../../../shared/text/timestamp-field.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { symbolsIn } from '../../ui/form/schemas.ts';
import { EMPTY_PRICE, type PriceDraft, priceDraftOf, priceIn } from './price-draft.ts';

const { problems } = texts.rules;

/** Recurring hours as typed. */
export interface HoursDraft {
  readonly kind: Hours['kind'];
  readonly calendar: 'us' | 'fx' | 'always' | 'own';
  readonly zone: string;
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

export interface RuleDraft extends PriceDraft {
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
  /** Whether the rule is on events or on a price. */
  readonly kind: 'events' | 'price';
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
  readonly channel: 'none' | NotificationChannel['kind'];
  readonly url: string;
  readonly host: string;
  readonly port: string;
  readonly secure: boolean;
  readonly user: string;
  readonly sender: string;
  readonly recipient: string;
  readonly secret: string;
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
  const { channel } = rule;
  const mail = channel?.kind === 'mail' ? channel : null;
  return {
    id: rule.id,
    name: rule.name,
    enabled: rule.enabled,
    ends: rule.expires_at === null ? '' : formatField(Date.parse(rule.expires_at), zone).replace('T', ' '),
    endsZone: zone,
    profiles: rule.profiles ?? [],
    kind: rule.price === null ? 'events' : 'price',
    ...(rule.price === null ? EMPTY_PRICE : priceDraftOf(rule.price)),
    events: rule.price === null ? rule.events : ['signal.high_risk'],
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
    channel: channel?.kind ?? 'none',
    url: channel?.kind === 'ntfy' ? channel.url : '',
    host: mail?.host ?? '',
    port: String(mail?.port ?? 465),
    secure: mail?.secure ?? true,
    user: mail?.user ?? '',
    sender: mail?.from ?? '',
    recipient: mail?.to ?? '',
    secret: '',
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
  if (draft.kind === 'events' && draft.events.length === 0) wrong('events', problems.events);
  const symbols = symbolsIn(draft.symbols);
  if (draft.scope === 'lists') {
    if (draft.lists.length === 0) wrong('lists', problems.lists);
    else if (draft.lists.some((id) => !context.lists.includes(id) && profileOfList(id) === null))
      wrong('lists', problems.listGone);
  }
  if (draft.scope === 'symbols' && (symbols.wrong.length > 0 || symbols.good.length === 0))
    wrong('symbols', problems.symbols(symbols.wrong));
  const except = symbolsIn(draft.except);
  if (except.wrong.length > 0) wrong('except', problems.except(except.wrong));
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
  const hours = hoursOf(draft.hours);
  if (!hours.ok) Object.assign(found, hours.error);
  const channel = channelOf(draft);
  if (!channel.ok) Object.assign(found, channel.error);
  if (draft.secret.length > 500) wrong('secret', problems.secret);
  if (Object.keys(found).length > 0 || !hours.ok || !channel.ok || !price.ok) return err(found);
  const rule = RuleSchema.safeParse({
    id: draft.id ?? freshId(draft.name, context.taken),
    name: draft.name.trim(),
    enabled,
    expires_at: ends === null ? null : timestamp(ends),
    profiles: draft.profiles.length === 0 ? null : draft.profiles,
    ...conditionsOf(draft, { price: price.value, confidence, holdUp, holdDown }),
    scope:
      draft.scope === 'lists'
        ? { kind: 'lists', ids: draft.lists }
        : draft.scope === 'symbols'
          ? { kind: 'symbols', symbols: symbols.good }
          : { kind: draft.scope },
    except: except.good,
    classes: draft.classes.length === 0 ? null : draft.classes,
    hours: hours.value,
    channel: channel.value,
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

interface ReadNumbers {
  readonly price: PriceCondition | null;
  readonly confidence: number | null;
  readonly holdUp: number | null;
  readonly holdDown: number | null;
}

/** A price has neither state nor confidence, regime or hold time: the fields for events are ignored. */
function conditionsOf(draft: RuleDraft, { price, confidence, holdUp, holdDown }: ReadNumbers) {
  const isPrice = price !== null;
  return {
    events: isPrice ? [PRICE_EVENT] : draft.events,
    price,
    min_state: isPrice ? 0 : draft.minState,
    min_confidence: isPrice || draft.confidence.trim() === '' ? null : confidence,
    regimes: isPrice || draft.regimes.length === 0 ? null : draft.regimes,
    hold_up_seconds: isPrice ? 0 : holdUp,
    hold_down_seconds: isPrice ? 0 : holdDown,
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
} as const;

/** Errors by path: `hours.from`. */
export function hoursOf(draft: HoursDraft): Result<Hours, Problems> {
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
        `hours.${String(field)}`,
        messages[String(field)] ?? problems.time,
      ]),
    ),
  );
}

/** "9:30" is 09:30. */
const timeIn = (text: string): string => text.trim().replace(/^(\d):/, '0$1:');

type ChannelOf<Kind extends NotificationChannel['kind']> = Extract<NotificationChannel, { readonly kind: Kind }>;
type MemberOf<Kind extends NotificationChannel['kind']> = Exclude<keyof ChannelOf<Kind>, 'kind'>;
/** Members that are typed in: a check box is never invalid. */
type TypedMemberOf<Kind extends NotificationChannel['kind']> = {
  [Member in MemberOf<Kind>]: ChannelOf<Kind>[Member] extends boolean ? never : Member;
}[MemberOf<Kind>];

/** A kind of channel in the form. */
interface ChannelForm<Kind extends NotificationChannel['kind']> {
  /** The members of the channel as typed. */
  readonly read: (draft: RuleDraft) => Readonly<Record<MemberOf<Kind>, unknown>>;
  /** For each invalid member the field of the draft, and the error there. */
  readonly problems: Readonly<Record<TypedMemberOf<Kind>, readonly [field: keyof RuleDraft, problem: string]>>;
}

const CHANNELS: { readonly [Kind in NotificationChannel['kind']]: ChannelForm<Kind> } = {
  ntfy: {
    read: ({ url }) => ({ url: url.trim() }),
    problems: { url: ['url', problems.url] },
  },
  mail: {
    read: (draft) => ({
      host: draft.host.trim(),
      port: numberIn(draft.port, 1, 65_535, true),
      secure: draft.secure,
      user: draft.user.trim() === '' ? null : draft.user.trim(),
      from: draft.sender.trim(),
      to: draft.recipient.trim(),
    }),
    problems: {
      host: ['host', problems.host],
      port: ['port', problems.port],
      user: ['user', problems.user],
      from: ['sender', problems.mail],
      to: ['recipient', problems.mail],
    },
  },
};

function channelOf(draft: RuleDraft): Result<NotificationChannel | null, Problems> {
  if (draft.channel === 'none') return ok(null);
  const form = CHANNELS[draft.channel];
  const read = NotificationChannelSchema.safeParse({ kind: draft.channel, ...form.read(draft) });
  if (read.success) return ok(read.data);
  const found: Readonly<Partial<Record<string, readonly [string, string]>>> = form.problems;
  // A problem of the whole channel is shown at its first field.
  const [first] = Object.values(form.problems);
  const named = read.error.issues.map(({ path: [member] }) => found[String(member)] ?? first);
  return err(Object.fromEntries(named.filter((one) => one !== undefined)));
}

function numberIn(text: string, least: number, most: number, isWhole: boolean): number | null {
  const trimmed = text.trim().replace(',', '.');
  if (!(isWhole ? /^\d{1,5}$/ : /^\d{1,3}(\.\d{1,4})?$/).test(trimmed)) return null;
  const value = Number(trimmed);
  return value >= least && value <= most ? value : null;
}

/** Makes the id of a new rule from its name. The id stays when the name changes. */
export function freshId(name: string, taken: readonly string[]): string {
  const stem =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 34)
      .replace(/-+$/, '') || 'rule';
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.includes(id)) return id;
  }
}
