// Main, core: looks again and again whether a rule ended or broke. No rule falls silent unsaid: each problem is told once.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WorldClock } from '../state/world-clock.ts';
import type { RuleBook } from './rule-book.ts';

export interface RuleWatch {
  /** Looks now: the rules may have changed. */
  look(): void;
  /** Looks regularly from now on. */
  start(): void;
  stop(): void;
}

export interface RuleWatchOptions {
  readonly clock: Clock;
  readonly world: Pick<WorldClock, 'now'>;
  readonly book: Pick<RuleBook, 'faces'>;
  readonly ledger: Pick<Ledger, 'tellings' | 'transaction'>;
  /** A problem was written down to be told. */
  readonly onTold: () => void;
  /** Other rules have a problem than before. */
  readonly onChanged: () => void;
}

/** How often it is looked whether a rule ended or broke, ms. */
const LOOK = 5_000;

export function createRuleWatch({ clock, world, book, ledger, onTold, onChanged }: RuleWatchOptions): RuleWatch {
  /** Rule -> the problem that was said in this run; the ledger remembers over runs. */
  const said = new Map<string, string>();
  let cancel: Cancel = () => undefined;

  const look = (): void => {
    let isNew = false;
    for (const { id, rule, problem } of book.faces(world.now())) {
      if (problem === null ? !said.delete(id) : said.get(id) === problem) continue;
      isNew = true;
      if (problem === null) continue;
      const notice = `barograph:rule:${id}:${noticeKey(problem)}`;
      const words = `${rule?.name ?? id}: ${problem}`;
      ledger.transaction(() =>
        ledger.tellings.write(
          0,
          { id: notice, kind: 'notice', rules: [id], baseRate: null, outcome: 'intent', reason: words, bin: null },
          clock.now(),
        ),
      );
      said.set(id, problem);
      onTold();
    }
    if (isNew) onChanged();
  };
  const start = (): void => {
    // Armed before the look: one that fails does not end the rounds.
    cancel = clock.after(LOOK, () => {
      start();
      look();
    });
  };
  return { look, start, stop: () => cancel() };
}

/** The same problem has the same key, so that it is said once. */
function noticeKey(problem: string): string {
  let key = 5381;
  for (const letter of problem) key = (Math.imul(key, 33) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return key.toString(36);
}
