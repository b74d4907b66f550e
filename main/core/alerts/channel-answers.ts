// Main, core: carries out the answers to notifications that come from phones, through channels.
import { nextClose } from '../../../shared/domain/sessions.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { type Message, message, optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { dispatchId } from '../ledger/notification-ids.ts';
import type { SentNotification } from '../ledger/notification-settlement.ts';
import type { CoreContext } from '../module.ts';
import { isAcknowledgedOrNormal } from '../notifications/acknowledged-or-normal.ts';
import type { AnswerTokens } from '../notifications/answer-tokens.ts';
import type { ChannelAnswer, ChannelPress } from '../notifications/channel-press.ts';
import type { DispatchPolicy } from '../notifications/policy.ts';
import type { AlertActions } from './actions.ts';

export interface ChannelAnswers {
  /**
   * @returns what to say to who pressed it; null: the token is of no notification of this core, and nothing happens
   */
  answer(press: ChannelPress): string | null;
}

export interface ChannelAnswersDeps {
  readonly context: Pick<CoreContext, 'guard' | 'world'>;
  readonly ledger: Ledger;
  readonly tokens: AnswerTokens;
  readonly policy: Pick<DispatchPolicy, 'calendarOf'>;
  readonly actions: Pick<AlertActions, 'acknowledge' | 'snooze'>;
}

/** Messages older than this are not looked up, ms. */
const KNOWN_FOR = 30 * DAY_MS;
const SAID = texts.notifications.pressed;

export function createChannelAnswers(deps: ChannelAnswersDeps): ChannelAnswers {
  const { context, ledger, tokens, policy, actions } = deps;
  const { world } = context;
  const { clock } = context.guard;
  const { notifications, trace } = ledger;

  const idOf = (sent: SentNotification): string => dispatchId({ ...sent, kind: 'alert' });
  const find = ({ channel, token }: ChannelPress): SentNotification | undefined =>
    notifications
      .sent(clock.now() - KNOWN_FOR)
      .find((sent) => sent.channel === channel && tokens.of(idOf(sent)) === token);
  const record = (ledgerIds: readonly number[], detail: Message): void =>
    trace.appendToAll(ledgerIds, 'clicked', detail, clock.now());
  /** A receiver may bring a press again, after a crash or a lost connection. */
  const isKnown = (ledgerIds: readonly number[], { id }: ChannelPress): boolean =>
    ledgerIds.some((ledgerId) =>
      trace.of(ledgerId).some(({ detail }) => isOfPress(detail) && detail.values.press === id),
    );
  /** A button works once: somebody who finds an old message cannot repeat an answer that was taken back. */
  const isUsed = (ledgerIds: readonly number[], { channel, answer }: ChannelPress): boolean =>
    ledgerIds.some((ledgerId) =>
      trace
        .of(ledgerId)
        .some(
          ({ detail }) =>
            detail?.code === 'trace.pressed' && detail.values.channel === channel && detail.values.answer === answer,
        ),
    );
  const why = (ledgerIds: readonly number[]): string => {
    const [first] = ledgerIds;
    const steps = first === undefined ? [] : trace.of(first);
    const evaluated = steps.findLast(({ step }) => step === 'evaluated');
    const [entry] = first === undefined ? [] : ledger.entries.byLedgerIds([first]);
    return [optionalText(evaluated?.detail ?? null), entry?.transition?.note ?? ''].filter(Boolean).join(' ');
  };
  const snoozeEnd = (answer: ChannelAnswer, ledgerId: number): number => {
    const [entry] = ledger.entries.byLedgerIds([ledgerId]);
    if (answer === 'snooze' || entry === undefined) return world.now() + HOUR_MS;
    const calendar = policy.calendarOf(entry);
    return calendar === 'always' ? world.now() + DAY_MS : nextClose(calendar, world.now());
  };
  const carryOut = (press: ChannelPress, open: readonly number[], sentAt: number): string => {
    const { answer, who, channel, channelName } = press;
    const minutes = Math.max(0, Math.round((clock.now() - sentAt) / MINUTE_MS));
    const pressed = message('trace.pressed', { who, channel, name: channelName, answer, minutes, press: press.id });
    const [first = 0] = open;
    if (answer === 'acknowledge') actions.acknowledge(open, true, pressed);
    else {
      actions.snooze(open, { kind: 'time', at: timestamp(snoozeEnd(answer, first)) });
      trace.appendToAll(open, 'snoozed', pressed, clock.now());
    }
    return SAID.done[answer === 'acknowledge' ? 'acknowledge' : 'snooze'];
  };

  return {
    answer(press) {
      const sent = find(press);
      if (sent === undefined) return null;
      const about = notifications.answeredEventsOf(sent.id);
      if (press.answer === 'why') return why(about) || SAID.unknown;
      const { who, channelName: name, id } = press;
      if (isKnown(about, press)) return SAID.over;
      const open = about.filter((ledgerId) => !isAcknowledgedOrNormal(ledger, ledgerId));
      if (open.length === 0 || isUsed(about, press)) {
        record(about, message('trace.press_ignored', { who, name, press: id }));
        return open.length === 0 ? SAID.over : SAID.used;
      }
      try {
        return carryOut(press, open, sent.at);
      } catch (error) {
        record(about, message('trace.press_ignored', { who, name, press: id }));
        return messageOf(error);
      }
    },
  };
}

const isOfPress = (
  detail: Message | null,
): detail is Extract<Message, { readonly code: 'trace.pressed' | 'trace.press_ignored' }> =>
  detail?.code === 'trace.pressed' || detail?.code === 'trace.press_ignored';
