// Service, briefings: the sections about changes of state since an instant or the last close.
import { stateLabel } from '../../shared/domain/states.ts';
import { dateOf } from '../../shared/lib/time.ts';
import type { Choice } from './choice.ts';
import type { BriefingContext, Change, Changes } from './context.ts';
import type { Block, Section } from './draft.ts';
import { capital, clockTime, countOf, many, shortDay } from './format.ts';
import { changesOfSession } from './measures.ts';

/** Changes of state since an instant, world ms, as many as the event log lists. @param named the instant */
export const changesSince =
  (from: (context: BriefingContext) => number, named: string): Block =>
  (context, choose) => {
    const asked = from(context);
    return changesSection(context.changes(asked), asked, named, choose);
  };

/** Changes of state since each symbol's own last close. */
export const changesSinceClose: Block = (context, choose) => {
  const { asked, isOneClose, ...changes } = changesOfSession(context);
  // If the log begins later, its beginning applies to all symbols.
  const named = changes.since > asked ? context.changes(asked) : changes;
  return changesSection(named, asked, isOneClose ? 'the last close' : 'the last close of each symbol', choose);
};

/** @param asked the requested instant, world ms, and its name */
function changesSection(
  { since: begin, source, list: changes }: Changes,
  asked: number,
  named: string,
  choose: Choice,
): Section {
  const since =
    source === 'closes'
      ? `${named}, from close to close`
      : begin > asked
        ? `the event log began on ${shortDay(dateOf(begin))} at ${clockTime(begin)}`
        : named;
  const heading = choose.pick(['Changes of state', 'What changed', 'State changes']);
  if (changes.length === 0) {
    const none = [`No symbol has changed its state since ${since}.`, `Since ${since} every symbol has kept its state.`];
    return { heading, text: choose.pick(none) };
  }
  const high = changes.filter(({ to }) => to === 2);
  const back = changes.filter(({ to }) => to === 0);
  const symbols = new Set(changes.map(({ symbol }) => symbol));
  const opening = choose.pick([
    `${capital(many(changes.length, 'change'))} since ${since}, on ${many(symbols.size, 'symbol')}: ${countOf(high.length)} into High Risk, ${countOf(back.length)} back to Normal.`,
    `Since ${since} there ${changes.length === 1 ? 'was' : 'were'} ${many(changes.length, 'change')} of state. ${capital(countOf(high.length))} led into High Risk, ${countOf(back.length)} back to Normal.`,
  ]);
  const shown = (high.length > 0 ? high : changes).slice(-choose.pick([4, 5, 6])).reverse();
  const latest = shown.length === high.length || shown.length === changes.length ? '' : 'The latest ';
  const caption = high.length > 0 ? ` ${capital(`${latest}into High Risk:`)}` : latest === '' ? '' : ' The latest:';
  return {
    heading,
    text: `${opening}${caption}\n\n${shown.map((change) => `- ${changeText(change)}`).join('\n')}`,
  };
}

/** "SPY from Normal to High Risk, 2 March 14:09 UTC". */
const changeText = ({ symbol, from, to, at }: Change): string =>
  `**${symbol}** from ${stateLabel(from)} to ${stateLabel(to)}, ${shortDay(dateOf(at))} ${clockTime(at)}`;
