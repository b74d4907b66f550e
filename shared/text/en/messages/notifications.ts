// Pure: the English of messages about why a notification was sent or not, rules and mutes.
import type { State } from '../../../domain/states.ts';
import type { RuleEvent } from '../../../settings/alert-rules.ts';
import type { Contradiction } from '../../../settings/rule-contradictions.ts';
import { DEFAULT_ZONE, type Zone } from '../../format.ts';
import { contradictions } from '../contradictions.ts';
import { dayTimeText, durationText } from '../notification-times.ts';

/** An outage, ms. `market`: how much of it a market was open. `zone`: absent in rows of earlier versions. */
interface OutageTimes {
  readonly zone?: Zone;
  readonly since: number;
  readonly now: number;
  readonly length: number;
  readonly market: number;
}
const MINUTE = 60_000;
const sinceOf = ({ since, now, zone = DEFAULT_ZONE }: OutageTimes): string => dayTimeText(since, now, zone);
const lengthOf = ({ length, market }: OutageTimes): string =>
  market >= MINUTE ? `${durationText(market)} of market time` : durationText(length);

const OUTCOMES = {
  pending: 'Waiting',
  batched: 'Waiting for others',
  muted: 'Suppressed',
  dropped: 'Not notified',
  shown: 'Shown before',
  digest: 'Notified',
};
const ANSWERS = {
  intent: 'no answer yet',
  shown: 'shown',
  in_app: 'only this app shows it',
  sent: 'sent',
  failed: 'refused',
  dropped: 'given up',
};
export type AnswerOutcome = keyof typeof ANSWERS;

const MISSES = {
  no_rule: 'There was no rule',
  disabled: 'is disabled',
  expired: 'had ended',
  other_profile: 'applies in other profiles',
  other_event: 'asks for other events',
  other_symbol: 'is about other symbols',
  excepted: 'leaves this symbol out',
  other_class: 'is about other classes',
  below_state: 'asks for a higher state',
  below_confidence: 'asks for more confidence',
  other_regime: 'asks for other regimes',
  not_due: 'asks for something that is due, and nothing is',
  due: 'leaves out times at which something is due',
  outside_hours: 'applies at other hours',
  before_baseline: 'fits, but this was in the log before Barograph was set up',
};
type KnownMiss = keyof typeof MISSES;
export const isKnownMiss = (code: string): code is KnownMiss => Object.hasOwn(MISSES, code);

/** Somebody answered from a phone, `minutes` after the notification. */
interface PressedTimes {
  readonly who: string;
  /** Id of the channel, and its name. */
  readonly channel: string;
  readonly name: string;
  readonly answer: string;
  readonly minutes: number;
  /** The receiver's name of the press. */
  readonly press: string;
}
interface Refusal {
  readonly host: string;
  readonly status: number;
  readonly said: string;
}
const refusedText = ({ host, status, said }: Refusal): string =>
  `${host} answered ${status}${said === '' ? '' : ` (${said})`}.`;

/** A share of a list, by its name. */
interface ShareOfList {
  readonly list: string;
  readonly percent: number;
}
const shareText = ({ list, percent }: ShareOfList): string => `${percent} % or more of ${list} are High Risk`;

export const notificationsMessages = {
  // Reasons why a notification waits, or was dropped.
  'muted.snoozed': () => 'snoozed',
  'muted.silenced': () => 'silenced',
  'muted.silenced_for': ({ comment }: { comment: string }) => `silenced: ${comment}`,
  'muted.quiet_hours': () => 'quiet hours',
  'muted.inhibited': ({ symbol }: { symbol: string }) => `held back while ${symbol} is High Risk`,
  'muted.inhibited_by_share': (share: ShareOfList) => `held back while ${shareText(share)}`,
  'muted.over': ({ reason }: { reason: string }) => `${reason}, and over before that ended`,
  'paused.sandbox': () => 'the sandbox notifies at most once in five minutes while a production profile is on',
  'queued.group': ({ seconds }: { seconds: number }) => `waits ${seconds} s at most for others of its group`,
  'queued.hold': ({ seconds }: { seconds: number }) => `must hold ${seconds} s`,
  'queued.late_webhook': () => 'came late, by webhook',
  'queued.watched': ({ symbols }: { symbols: number }) =>
    symbols === 1 ? 'High Risk when it was added' : `High Risk when ${symbols} symbols began to be watched`,
  'queued.missed': () => 'came while no data was received',
  'queued.flapping': () => 'flapping',
  'queued.inhibited': ({ symbol }: { symbol: string }) => `listed with ${symbol}, which is High Risk`,
  'queued.inhibited_by_share': (share: ShareOfList) => `listed with the alert that ${shareText(share)}`,
  'queued.burst': () => 'one of many',
  'inhibition.unknown': ({ list, known, of }: { list: string; known: number; of: number }) =>
    `Nothing is held back by ${list}: of its ${of} symbols, the states of ${known} are known, fewer than half.`,
  'inhibition.list_gone': ({ list }: { list: string }) => `Nothing is held back: there is no watchlist ${list}.`,
  'dropped.acknowledged': () => 'acknowledged before notification',
  'dropped.brief': () => 'it did not hold',
  'dropped.unsnoozed': () => 'the snooze was undone',

  // The player of a sound.
  'sound.by_window': () => 'A window played it.',
  'sound.by_desktop': () => 'No window could play it. The desktop shows a test and plays its sound.',
  'sound.desktop_silent': () =>
    'No window could play it, and this desktop plays no sounds: keep a window open to hear alerts.',
  'sound.by_none': () =>
    'Nothing could play it: no window may, and the desktop shows no notifications. Click into a window once, and keep it open.',

  // Steps of a trace.
  'decision.notified': ({ rules }: { rules: string }) => `Matches ${rules}. Notified at once.`,
  'decision.not_inhibited': ({ rules, unknown }: { rules: string; unknown: string }) =>
    `Matches ${rules}. Notified at once. ${unknown}`,
  'decision.due_unknown': () => 'What is due is not known, so its condition counts as met.',
  'decision.delayed': ({ rules, outcome, reason }: { rules: string; outcome: keyof typeof OUTCOMES; reason: string }) =>
    `Matches ${rules}. ${OUTCOMES[outcome]}: ${reason}.`,
  'decision.self_test': () => 'A self-test, not an alert.',
  'decision.missed': ({ miss }: { miss: KnownMiss }) => `${MISSES[miss]}.`,
  'decision.nearest': ({ miss, rule }: { miss: KnownMiss; rule: string }) =>
    `Not notified. The nearest rule, ${rule}, ${MISSES[miss]}.`,
  'trace.source': ({ source }: { source: string }) =>
    source === 'foreign' ? 'by another program, at the inbound address' : `by ${source}`,
  'trace.next': ({ event, at }: { event: string; at: string }) => `${event} at ${at}`,
  'trace.held_back': ({ reason }: { reason: string }) => `Held back: ${reason}.`,
  'trace.digest': ({ others, reason }: { others: number; reason: string }) =>
    `Named with ${others} others in one notification: ${reason}.`,
  'trace.joined': ({ id }: { id: string }) => `Named in ${id}, the notification of its group.`,
  'trace.escalated': ({ channel, minutes }: { channel: string; minutes: number }) =>
    `to ${channel}, because nobody had dealt with it for ${minutes} min`,
  'trace.reminded': ({ minutes }: { minutes: number }) => `again, because nobody had dealt with it for ${minutes} min`,
  'trace.desk_taken': ({ by, minutes }: { by: string; minutes: number }) =>
    `by ${by}, of your desk${minutes === 0 ? '' : `, ${minutes} min before this was heard`}`,
  'trace.desk_released': ({ by }: { by: string }) => `taken back by ${by}, of your desk`,
  'desk.unsupported': () => 'This service has no desk: nothing is shared.',
  'trace.pressed': ({ who, name, minutes }: PressedTimes) =>
    `${who === '' ? '' : `by ${who}, `}by ${name}, after ${minutes} min`,
  'trace.press_ignored': ({ who, name }: { who: string; name: string; press: string }) =>
    `${who === '' ? 'Somebody' : who} pressed a button of ${name}, which did nothing: it was used, or somebody had dealt with it`,
  'trace.to_desktop': ({ id }: { id: string }) => `to the desktop as ${id}`,
  'trace.to_channel': ({ rule, id }: { rule: string; id: string }) => `to the channel ${rule} as ${id}`,
  'trace.answered': ({ outcome }: { outcome: AnswerOutcome }) => ANSWERS[outcome],
  'trace.answered_with': ({ outcome, detail }: { outcome: AnswerOutcome; detail: string }) =>
    `${ANSWERS[outcome]}: ${detail}`,

  // The outcome of a dispatch.
  'delivery.taken': ({ host }: { host: string }) => `${host} accepted it.`,
  'delivery.mail_taken': ({ host, to }: { host: string; to: string }) => `${host} accepted it for ${to}.`,
  'delivery.refused': refusedText,
  'delivery.token_refused': (refusal: Refusal) =>
    `${refusedText(refusal)} Set the secret of this channel in Settings, Channels.`,
  'delivery.mail_refused': ({ host, port, why }: { host: string; port: number; why: string }) =>
    `${host}:${port} refused the mail: ${why}`,
  'delivery.timeout': ({ host, seconds }: { host: string; seconds: number }) =>
    `${host} did not answer within ${seconds} s.`,
  'delivery.unreachable': ({ host, why }: { host: string; why: string }) => `${host} does not answer: ${why}.`,
  'delivery.without_secret': ({ why, secret }: { why: string; secret: string }) =>
    `${why} Its secret could not be read: ${secret}`,
  'delivery.secret_late': ({ seconds }: { seconds: number }) =>
    `The keychain did not answer within ${seconds} s. If it is locked, unlock it.`,
  'delivery.unanswered': () => 'Nobody answered.',
  'delivery.retried': ({ why }: { why: string }) => `${why} Retrying.`,
  'delivery.away': ({ why }: { why: string }) => `${why} It is shown as soon as a desktop or a window can.`.trim(),
  'delivery.in_window': () => 'A window of Barograph showed it.',
  'delivery.in_browser': () => 'The browser showed it, because the window was in the background.',
  'delivery.before_loss': () => 'notified before the ledger was lost',
  'delivery.given_up': ({ why }: { why: string }) => `Given up after a day: ${why}`,
  'trace.no_picture': ({ channel, why }: { channel: string; why: string }) =>
    `The message in ${channel} has no picture: ${why}`,
  'delivery.slack_secret': () => 'The token of a bot needs the id of a channel, and a webhook has none.',
  'picture.none': () => 'This program makes no pictures.',
  'picture.failed': ({ why }: { why: string }) => `The picture could not be made (${why}).`,
  'picture.long': () => 'The text is too long for a message with a picture.',
  'picture.no_message': () => 'The receiver did not name its message.',
  'delivery.secret_missing': () => 'This channel has no secret. Set it in Settings, Channels.',
  'delivery.settled': () => 'Somebody had dealt with it by then.',
  'delivery.no_channel': () => 'The channel is gone.',
  'delivery.replaced': () => 'A newer notification replaces it.',
  'delivery.test_over': () => 'The self-test is over.',

  // A dry run: what would happen to a High Risk alert now.
  'dry_run.unmatched': ({ symbol, decision }: { symbol: string; decision: string }) =>
    `No rule matches a High Risk alert for ${symbol} now (${decision}).`,
  'dry_run.suppressed': ({ symbol, reason }: { symbol: string; reason: string }) =>
    `A High Risk alert for ${symbol} would be suppressed now: ${reason}.`,

  // Notifications about no event. The first line of an outage is the title.
  'notice.rule': ({ rule, problem }: { rule: string; problem: string }) => `${rule}: ${problem}`,
  'notice.channel': ({ channel, minutes, why }: { channel: string; minutes: number; why: string }) =>
    `The channel ${channel} has accepted nothing for ${minutes} min: ${why}`,
  'outage.began': ({ cause, ...times }: OutageTimes & { cause: string }) =>
    `Not receiving data since ${sinceOf(times)}\nFor ${lengthOf(times)}. ${cause} You get no alerts until data returns.`,
  'price_question.asked': ({ symbols, reason }: { symbols: readonly string[]; reason: string }) =>
    symbols.length === 1
      ? `A price of ${symbols.join('')} needs a decision\n${reason}.`
      : `${symbols.length} prices need a decision\n${symbols.join(', ')}. ${reason}.`,
  'state_words.seen': ({ words, symbols }: { words: readonly string[]; symbols: readonly string[] }) =>
    `The service writes ${words.map((word) => `“${word}”`).join(', ')} for a state\nBarograph does not know ${words.length === 1 ? 'this word' : 'these words'}. Until you say what ${words.length === 1 ? 'it means' : 'they mean'}, ${symbols.join(', ')} ${symbols.length === 1 ? 'counts' : 'count'} as High Risk.`,
  'outage.ended': (times: OutageTimes) =>
    `Receiving data again\nNo data from ${sinceOf(times)}, for ${lengthOf(times)}. Missed events have been fetched.`,

  'outage.market_began': ({ cause, ...times }: OutageTimes & { cause: string }) =>
    `No new data for some symbols since ${sinceOf(times)}\nFor ${lengthOf(times)}: ${cause}. Other signals are current. You get no alerts about these until their data returns.`,
  'outage.market_ended': ({ cause, ...times }: OutageTimes & { cause: string }) =>
    `New data for some symbols again\n${cause}: no new data from ${sinceOf(times)}, for ${lengthOf(times)}. Missed events have been fetched.`,

  // About the ledger, on the desktop.
  'ledger_alarm.began': ({ cause }: { cause: string }) => `Alerts are not written down\n${cause}`,
  'ledger_alarm.ended': ({ events }: { events: number }) =>
    `Alerts are written down again\n${events === 0 ? 'Nothing arrived meanwhile.' : `What arrived meanwhile is in the ledger now (${events} ${events === 1 ? 'event' : 'events'}).`}`,
  'ledger_alarm.ended_earlier': () =>
    'Alerts are written down again\nBarograph was restarted; what it could write before is in the ledger.',

  // Problems of rules, and refusals.
  'rule.expired': ({ at }: { at: string }) => `It ended at ${at}. Give it a later end, or delete it.`,
  'rule.contradiction': ({ why, events, state }: { why: Contradiction; events: string; state: State }) =>
    contradictions[why](events.split(' ') as RuleEvent[], state),
  'rule.no_prices': ({ unwatched, unpriced }: { unwatched: string; unpriced: string }) =>
    `It would never notify: ${[
      unwatched === '' ? '' : `${unwatched} ${unwatched.includes(',') ? 'are' : 'is'} in no watchlist`,
      unpriced === '' ? '' : `${unpriced} ${unpriced.includes(',') ? 'have' : 'has'} no price here`,
      unwatched === '' && unpriced === '' ? 'none of your symbols meets its other conditions' : '',
    ]
      .filter((part) => part !== '')
      .join(', and ')}. Choose symbols of a watchlist that have a price.`,
  'rule.list_gone': ({ lists }: { lists: string }) =>
    `The watchlist ${lists} was deleted. Choose another, or delete the rule.`,
  'rule.profiles_gone': ({ profiles }: { profiles: string }) =>
    `It applies in ${profiles} only, which was removed. Choose another profile, or delete the rule.`,
  'rule.invalid': ({ why }: { why: string }) => `It cannot be read and does not apply: ${why}`,
  'rule.quiet_invalid': ({ why }: { why: string }) => `The quiet hours cannot be read and do not apply: ${why}`,
  'rule.unknown': ({ id }: { id: string }) => `There is no rule ${id}.`,
  'rule.unknown_list': ({ lists }: { lists: string }) => `There is no watchlist ${lists}.`,
  'rule.unknown_profiles': ({ profiles }: { profiles: string }) => `There is no profile ${profiles}.`,
  'rule.no_price': () => 'This rule has no condition on a price.',
  'rule.backtest_offline': () => 'The service cannot be reached, and its closes are needed for this test.',
  'channel.unknown': ({ id }: { id: string }) => `There is no channel ${id}.`,
  'channel.gone': ({ id }: { id: string }) =>
    `A rule names the channel ${id}, which is not set up: it notifies the desktop alone.`,
  'channel.invalid': ({ why }: { why: string }) => `It cannot be read, and nothing is sent to it: ${why}`,
  'channel.no_secret': () => 'This channel needs no secret.',
  'channel.secret_wrong': ({ label, problem }: { label: string; problem: string }) => `${label}: ${problem}`,
};
