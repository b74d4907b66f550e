// Main, core: an answer to a notification that came through a channel, and how a button names it.

import type { Clock } from '../../../shared/lib/clock.ts';
import type { FetchLike, Logger } from '../ports.ts';

export const CHANNEL_ANSWERS = ['acknowledge', 'snooze', 'snooze_close', 'why'] as const;
export type ChannelAnswer = (typeof CHANNEL_ANSWERS)[number];

/** A button that somebody pressed under a message. */
export interface ChannelPress {
  /** The receiver's name of the press: it may bring one again. */
  readonly id: string;
  /** Id of the channel. */
  readonly channel: string;
  /** Its name, for the trace. */
  readonly channelName: string;
  readonly token: string;
  readonly answer: ChannelAnswer;
  /** Name of who pressed it, as the receiver says; empty: it does not say. */
  readonly who: string;
}

/** "0:TOKEN": the number of the answer, and the token of the notification. */
export const buttonData = (answer: ChannelPress['answer'], token: string): string =>
  `${CHANNEL_ANSWERS.indexOf(answer)}:${token}`;

/** Of the button that says what became of an alert. */
export const SETTLED_DATA = '-';

export function pressOf(data: string): Pick<ChannelPress, 'answer' | 'token'> | null {
  const [, index = '', token = ''] = /^(\d):([A-Za-z0-9_-]{22})$/.exec(data) ?? [];
  const answer = CHANNEL_ANSWERS[Number(index)];
  return token === '' || answer === undefined ? null : { answer, token };
}

/** What receives answers. */
export interface AnswerPorts {
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** @returns what to say to who pressed it; null: no core knows its token */
  readonly onPress: (press: ChannelPress) => string | null;
}
