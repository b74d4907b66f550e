// Faults: the network between a node and the journal, which loses and delays requests and answers.
// Nodes are cut off, killed or frozen meanwhile.
import { type Journal, JournalUnavailable, type NewEntry } from '../../service/cluster/journal.ts';
import { JournalGap } from '../../service/cluster/replicated-store.ts';
import type { JournalModel } from './cluster-simulation-journal.ts';
import type { Chance } from './core-simulation-random.ts';

/** The process has ended in the middle of its turn. */
export class Killed extends Error {}

/** What the network asks about the node at this end, and what it does around its requests. */
export interface NetworkEnd {
  readonly session: number;
  /** False for a mutant that reads on in any history. */
  readonly isChecked: boolean;
  isAlive(): boolean;
  isCut(): boolean;
  /** Others act while this node waits. */
  meanwhile(): void;
}

export interface NetworkRates {
  /** Share of requests during which others act. */
  readonly delayed: number;
  /** Share of appends whose request or answer is lost. */
  readonly lost: number;
}

/** Appends that a database executes later, although nobody waits for them any more. */
export interface LateRequests {
  add(execute: () => void): void;
}

const REPEATS = 3;

/**
 * The journal as a node sees it. As the one over PostgreSQL it repeats an append whose answer was lost, with the same
 * id, and never says what it does not know.
 */
export function connectJournal(
  model: JournalModel,
  end: NetworkEnd,
  late: LateRequests,
  rates: NetworkRates,
  { chance, pick }: Chance,
): Journal {
  const { logId } = model.head();
  const wait = (): void => {
    if (chance(rates.delayed)) end.meanwhile();
    if (!end.isAlive()) throw new Killed();
    if (end.isCut()) throw new JournalUnavailable('cut off');
  };
  const call = <Value>(effect: () => Value): Value => {
    wait();
    const value = effect();
    wait();
    return value;
  };
  /** Conditional on the log, as every append. */
  const execute = (entry: NewEntry) => (model.head().logId === logId ? model.append(entry) : 'behind');

  const appendOnce = (entry: NewEntry) => {
    if (!chance(rates.lost)) return call(() => execute(entry));
    wait();
    const fate = pick(['request', 'answer', 'late']);
    if (fate === 'answer') execute(entry);
    if (fate === 'late') late.add(() => void execute(entry));
    throw new JournalUnavailable(`${fate} lost`);
  };
  return {
    head: () => call(model.head),
    after: (position, limit) =>
      call(() => {
        if (end.isChecked && model.head().logId !== logId) throw new JournalGap('the log is another one now');
        return model.after(position, limit);
      }),
    append(entry) {
      for (let repeat = 1; ; repeat += 1) {
        try {
          return appendOnce(entry);
        } catch (problem) {
          if (!(problem instanceof JournalUnavailable) || repeat === REPEATS || chance(0.3)) throw problem;
        }
      }
    },
  };
}
