// Main, core: answers for the notes in a symbol's chart: read, add, change, remove.
import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { message } from '../../../shared/text/message.ts';
import type { EventBus } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';

export interface SymbolNotes {
  readonly handlers: Pick<Handlers<typeof alertingChannels>, 'notes.read' | 'notes.save' | 'notes.remove'>;
  /** Grows with every change of a note, so that windows read them again. */
  version(): number;
  /** The notes have new ids. */
  renumbered(): void;
}

export interface SymbolNotesDeps {
  readonly ledger: Pick<Ledger, 'symbolNotes' | 'transaction'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly events: Pick<EventBus, 'signal'>;
}

export function createSymbolNotes({ ledger, clock, events }: SymbolNotesDeps): SymbolNotes {
  const { symbolNotes } = ledger;
  let version = 0;
  const grow = (): void => {
    version += 1;
    events.signal('symbolNotesChanged');
  };
  const write = <Value>(work: () => Value): Value => {
    const value = ledger.transaction(work);
    grow();
    return value;
  };
  return {
    version: () => version,
    renumbered: grow,
    handlers: {
      'notes.read': ({ symbol }) => ({
        notes: symbolNotes
          .of(symbol)
          .map((note) =>
            note.kind === 'symbol' ? note : { kind: note.kind, ledger_id: note.ledgerId, at: note.at, text: note.text },
          ),
      }),
      'notes.save': ({ id, symbol, at, text }) =>
        write(() => {
          if (id === null) return { id: symbolNotes.add({ symbol, at, text }, clock.now()) };
          if (!symbolNotes.change(id, { at, text })) throw refused(message('note.gone'));
          return { id };
        }),
      'notes.remove': ({ id }) =>
        write(() => {
          if (!symbolNotes.remove(id)) throw refused(message('note.gone'));
          return {};
        }),
    },
  };
}
