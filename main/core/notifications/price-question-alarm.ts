// Main, core: notifies the desktop, critically, of prices that need a decision, once each.
// A change of state that rests on one has a notification of its own.
import { z } from 'zod';
import type { Row } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { message } from '../../../shared/text/message.ts';
import type { PriceQuestion } from '../../../shared/wire/records.ts';
import type { Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Notifier } from '../ports.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Offers } from './offers.ts';
import type { DispatchPolicy } from './policy.ts';

export interface PriceQuestionAlarmOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'metadata' | 'notifications' | 'transaction' | 'entries'>;
  readonly notifier: Pick<Notifier, 'withdraw'>;
  readonly offers: Pick<Offers, 'withdraw'>;
  readonly isWatched: (symbol: string) => boolean;
  readonly world: { now(): number };
  readonly policy: Pick<DispatchPolicy, 'pause'>;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
}

/** A key for each notified price, with the id of its notification; '': that of the state that rests on it. */
const NotifiedSchema = z.record(z.string(), z.string());
const readNotified = (metadata: Pick<Ledger['metadata'], 'get'>): Record<string, string> =>
  NotifiedSchema.safeParse(JSON.parse(metadata.get('price_questions') || '{}')).data ?? {};

/** The open questions of a ledger, of watched symbols: `SYMBOL DATE`. */
export const openPriceQuestions = (metadata: Pick<Ledger['metadata'], 'get'>): string[] =>
  Object.keys(readNotified(metadata));

const PREFIX = 'barograph:question:';

export function createPriceQuestionAlarm(options: PriceQuestionAlarmOptions): {
  readonly on: Required<Pick<Followers, 'signalsPolled'>>;
} {
  const { clock, ledger, notifier, offers, isWatched, world, policy, dispatcher } = options;
  let notified: Record<string, string> | null = null;

  const isNotifiedAsState = (symbol: string): boolean => {
    const last = ledger.entries.signalBefore(symbol, Math.floor(world.now() / 1000));
    return last?.transition?.in_question === 'open' && ledger.notifications.of(last.ledger_id).length > 0;
  };
  const write = (asked: readonly AskedRow[], known: Record<string, string>): void => {
    const [first] = asked;
    if (first === undefined) return;
    const id = `${PREFIX}${keyOf(first)}`;
    const symbols = asked.map(({ symbol }) => symbol);
    const reason = message('price_question.asked', { symbols, reason: first.question.reason });
    ledger.notifications.writeNotice({ id, kind: 'outage', reason }, clock.now());
    for (const one of asked) known[keyOf(one)] = id;
  };

  return {
    on: {
      signalsPolled({ outcome, rows }) {
        // After a start without an answer the rows are empty.
        if (!outcome.ok) return;
        notified ??= readNotified(ledger.metadata);
        const open = rows.flatMap(askedOf).filter(({ symbol }) => isWatched(symbol));
        const keys = new Set(open.map(keyOf));
        const known = Object.fromEntries(Object.entries(notified).filter(([key]) => keys.has(key)));
        const isFewer = Object.keys(known).length < Object.keys(notified).length;
        const added = policy.pause() === null ? open.filter((one) => !(keyOf(one) in known)) : [];
        if (added.length === 0 && !isFewer) return;
        const [stated, asked] = partition(added, ({ symbol }) => isNotifiedAsState(symbol));
        for (const one of stated) known[keyOf(one)] = '';
        ledger.transaction(() => {
          write(asked, known);
          ledger.metadata.set('price_questions', JSON.stringify(known));
        });
        const left = new Set(Object.values(known));
        for (const id of new Set(Object.values(notified))) {
          if (id === '' || left.has(id)) continue;
          notifier.withdraw?.(id);
          offers.withdraw(id);
        }
        notified = known;
        if (asked.length > 0) dispatcher.wake();
      },
    },
  };
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  const [yes, no]: [Item[], Item[]] = [[], []];
  for (const item of items) (test(item) ? yes : no).push(item);
  return [yes, no];
}

interface AskedRow {
  readonly symbol: string;
  readonly question: PriceQuestion;
}

const askedOf = ({ symbol, signal }: Row): AskedRow[] =>
  signal?.price_question?.counts_as === 'price' ? [{ symbol, question: signal.price_question }] : [];

const keyOf = ({ symbol, question }: AskedRow): string => `${symbol} ${question.date}`;
