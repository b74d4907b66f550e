// Main, core: an answer to a notification that came through a channel, and how a button names it. Pure.

export const CHANNEL_ANSWERS = ['acknowledge', 'snooze', 'snooze_close', 'why'] as const;
export type ChannelAnswer = (typeof CHANNEL_ANSWERS)[number];

/** A button that somebody pressed under a message. */
export interface ChannelPress {
  /** Id of the channel. */
  readonly channel: string;
  /** Its name, for the trace. */
  readonly channelName: string;
  readonly token: string;
  readonly answer: ChannelAnswer;
  /** Name of who pressed it, as the receiver says. */
  readonly who: string;
}

/** "0:TOKEN": the number of the answer, and the token of the notification. */
export const buttonData = (answer: ChannelPress['answer'], token: string): string =>
  `${CHANNEL_ANSWERS.indexOf(answer)}:${token}`;

export function pressOf(data: string): Pick<ChannelPress, 'answer' | 'token'> | null {
  const [, index = '', token = ''] = /^(\d):([A-Za-z0-9_-]{22})$/.exec(data) ?? [];
  const answer = CHANNEL_ANSWERS[Number(index)];
  return token === '' || answer === undefined ? null : { answer, token };
}
