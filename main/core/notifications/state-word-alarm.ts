// Main, core: notifies the desktop, critically, of states that the service writes in words that are not known.
// Once a word: it counts as High Risk until the profile has its meaning.
import { z } from 'zod';
import type { Clock } from '../../../shared/lib/clock.ts';
import { message } from '../../../shared/text/message.ts';
import type { Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Dispatcher } from './dispatcher.ts';

export interface StateWordAlarmOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'metadata' | 'notifications' | 'transaction'>;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly isWatched: (symbol: string) => boolean;
}

interface Seen {
  readonly symbol: string;
  readonly word: string;
}

const PREFIX = 'barograph:state-word:';
/** Words of which it notifies: a service may write a sentence for each state. */
const MOST_WORDS = 20;
const WordsSchema = z.array(z.string());

export function createStateWordAlarm({ clock, ledger, dispatcher, isWatched }: StateWordAlarmOptions): {
  readonly on: Required<Pick<Followers, 'signalsPolled' | 'recorded'>>;
} {
  let known: readonly string[] | null = null;
  const notify = (seen: readonly Seen[]): void => {
    if (seen.length === 0) return;
    known ??= WordsSchema.safeParse(JSON.parse(ledger.metadata.get('state_words_notified') || '[]')).data ?? [];
    const before = new Set(known);
    const added = seen.filter(({ symbol, word }) => isWatched(symbol) && !before.has(word));
    const [first] = added;
    if (first === undefined || known.length >= MOST_WORDS) return;
    const words = [...new Set(added.map(({ word }) => word))];
    const symbols = [...new Set(added.map(({ symbol }) => symbol))];
    const now = [...known, ...words];
    ledger.transaction(() => {
      const reason = message('state_words.seen', { words, symbols });
      ledger.notifications.writeNotice({ id: `${PREFIX}${first.word}`, kind: 'outage', reason }, clock.now());
      ledger.metadata.set('state_words_notified', JSON.stringify(now));
    });
    known = now;
    dispatcher.wake();
  };
  const seenIn = (symbol: string | null, word: string | undefined): Seen[] =>
    symbol === null || word === undefined ? [] : [{ symbol, word }];
  return {
    on: {
      signalsPolled: ({ rows }) => notify(rows.flatMap(({ symbol, signal }) => seenIn(symbol, signal?.state_word))),
      recorded: ({ added }) => notify(added.flatMap(({ event }) => seenIn(event.symbol, event.transition?.state_word))),
    },
  };
}
