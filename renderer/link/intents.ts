// Renderer: the user's intents, sent to the core; their effects come back as pushes.
// Only the chosen symbol belongs to the window. The core receives it, to read its data and to open the next
// window with it.
import { RefusedError } from '../../shared/channels/channel.ts';
import type { Channels } from '../../shared/channels/channels.ts';
import type { CallNames, InputOf, OutputOf, WindowClient } from '../../shared/channels/ends.ts';
import type { Watchlist } from '../../shared/domain/watchlists.ts';
import { messageOf, ok } from '../../shared/lib/result.ts';
import type { MessageCode } from '../../shared/text/message.ts';
import type { Ingest } from '../store/ingest.ts';

/** Calls with side effects. */
export type IntentName = {
  [Name in CallNames<Channels>]: Channels[Name]['kind'] extends 'intent' ? Name : never;
}[CallNames<Channels>];

/** The answer of a call, or its error: as text for the user, and as the code of the core's message. */
export type Answered<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly error: string; readonly code: MessageCode };

export interface Intents {
  select(symbol: string): void;
  /** Replaces all watchlists. A refusal is shown in the status bar, and returned. */
  saveWatchlists(watchlists: readonly Watchlist[]): Promise<Answered<unknown>>;
  /** Connects to the service now instead of at the end of the wait. */
  retry(): void;
  /** Sends the intent; the window shows a refusal above the page. For buttons. */
  send<Name extends IntentName>(name: Name, input: InputOf<Channels[Name]>): void;
  /**
   * Sends the intent, and returns the answer or the error message. For forms, which show the message
   * themselves.
   */
  ask<Name extends IntentName>(name: Name, input: InputOf<Channels[Name]>): Promise<Answered<OutputOf<Channels[Name]>>>;
}

export function createIntents(window: WindowClient<Channels>, ingest: Ingest): Intents {
  const ask: Intents['ask'] = (name, input) =>
    window.call(name, input).then(ok, (error) => ({
      ok: false,
      error: messageOf(error),
      code: error instanceof RefusedError ? error.refusal.message.code : 'text',
    }));
  const askAndShow: Intents['ask'] = async (name, input) => {
    const answer = await ask(name, input);
    ingest({ kind: 'problem', message: answer.ok ? null : answer.error });
    return answer;
  };
  const send: Intents['send'] = (name, input) => void askAndShow(name, input);
  return {
    select(symbol) {
      ingest({ kind: 'selected', symbol });
      send('watchlist.select', { symbol });
    },
    saveWatchlists: (watchlists) => askAndShow('watchlist.save', { watchlists: [...watchlists] }),
    retry: () => send('connection.retry', {}),
    send,
    ask,
  };
}
