// Service, briefings: the three of a working day: before the open, at midday, after the close.
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Choice } from './choice.ts';
import type { BriefingContext, SymbolSnapshot } from './context.ts';
import { type Draft, headed, type Writer, writtenFrom } from './draft.ts';
import { dayName, many, weekday } from './format.ts';
import { type HighlightName, highlightsOf, subjectOf } from './highlights.ts';
import {
  type Block,
  bodyOf,
  breadth,
  changesSince,
  factorTable,
  levels,
  movers,
  ninetyDays,
  record,
  regimes,
  type Section,
  stateTable,
} from './sections.ts';

/** World ms of the newest close that the scene has. */
const lastClose = (context: BriefingContext): number =>
  Math.max(...context.snapshots.map(({ days }) => days.at(-1)?.closedAt ?? 0));

/** How many states are others than at the close before, as half a sentence. */
function sinceClose({ snapshots }: BriefingContext): string {
  const changed = snapshots.filter(({ state, days, forming }) => {
    const before = days.at(forming ? -1 : -2)?.reading.state;
    return before !== undefined && before !== state;
  }).length;
  const when = snapshots.some(({ forming }) => forming) ? 'since the last close' : 'at the last close';
  return changed === 0
    ? `no state has changed ${when}`
    : `${many(changed, 'symbol')} ${changed === 1 ? 'has' : 'have'} changed state ${when}`;
}

type TemplateWeights = Readonly<Partial<Record<HighlightName, number>>>;

interface Plan {
  readonly weights: TemplateWeights;
  /** Where the session in progress is not seen: what the briefing after the last close did not tell first. */
  readonly closedWeights?: TemplateWeights;
  /** Which parts come after the opening, in their order; those that have nothing to say fall out. */
  readonly blocks: (context: BriefingContext, choose: Choice, subject: SymbolSnapshot) => readonly Block[];
  readonly opening: (context: BriefingContext, choose: Choice, date: string) => string;
  readonly title: (choose: Choice, title: string, date: string) => string;
}

function writer({ weights, closedWeights = weights, blocks, opening, title }: Plan): Writer {
  return (context, choose, date): Draft => {
    const [first, second] = highlightsOf(
      context,
      choose,
      context.snapshots.some(({ forming }) => forming) ? weights : closedWeights,
    );
    const subject = subjectOf(context, first);
    const lead = [opening(context, choose, date), first?.text ?? '', second?.text ?? '']
      .filter((text) => text !== '')
      .join('\n\n');
    const sections = blocks(context, choose, subject).map((part) => part(context, choose));
    return writtenFrom({
      title: title(choose, first?.title ?? '', date),
      summary: first?.text ?? '',
      body: bodyOf(lead, distinct(sections)),
      symbols: [...(first?.symbols ?? []), ...(second?.symbols ?? []), context.lead.symbol],
    });
  };
}

/** No heading twice. */
function distinct(sections: readonly (Section | null)[]): (Section | null)[] {
  const seen = new Set<string>();
  return sections.filter(
    (section) => section === null || (!seen.has(section.heading) && seen.add(section.heading) !== undefined),
  );
}

const either = (choose: Choice, share: number, part: Block): Block => (choose.chance(share) ? part : () => null);

export const preMarket = writer({
  weights: { near: 1.3, turn: 1.3, width: 1.1, move: 0.8 },
  closedWeights: { near: 1.6, width: 1.3, past: 0.8, turn: 0.5, entries: 0.6, edge: 0.4, move: 0 },
  title: (choose, title, date) => headed(choose, ['Before the open', `${weekday(date)} morning`, 'Pre-market'], title),
  opening: (context, choose, date) => {
    const quiet = sinceClose(context);
    return choose.pick([
      `This is how the market stands before the open of ${dayName(date)}; ${quiet}.`,
      `${dayName(date)}, before the open: ${quiet}.`,
      `Going into ${dayName(date)}, ${quiet}.`,
    ]);
  },
  blocks: (_context, choose, subject) => {
    const about = (): SymbolSnapshot => subject;
    const middle = choose.shuffle([
      levels,
      either(choose, 0.6, factorTable(about)),
      either(choose, 0.5, regimes),
      either(choose, 0.4, breadth),
    ]);
    const stateRows = stateTable(choose.pick([5, 6, 7, 8]));
    return choose.chance(0.7) ? [stateRows, ...middle, record(about)] : [...middle, stateRows, record(about)];
  },
});

export const midday = writer({
  weights: { entries: 1.3, move: 1.2, edge: 1.3, near: 0.9 },
  closedWeights: { edge: 1.8, ground: 1.6, width: 0.7, past: 0.4, near: 0.2, entries: 0.3, turn: 0.2, move: 0 },
  title: (choose, title, date) => headed(choose, ['Midday', `${weekday(date)} at midday`, 'Midday note'], title),
  opening: (context, choose, date) => {
    if (!context.snapshots.some(({ forming }) => forming)) {
      const closed = weekday(dateOf(lastClose(context) - 1));
      return choose.pick([
        `This note of ${dayName(date)} goes by ${closed}'s closes; nothing of the day itself is in it yet.`,
        `${dayName(date)}, midday: ${closed}'s closes are the last in. This is what to watch into the next ones.`,
      ]);
    }
    const up = context.snapshots.filter(({ change }) => (change ?? 0) > 0).length;
    return choose.pick([
      `Half of ${dayName(date)} is over and ${up} of ${context.snapshots.length} symbols are above their last close.`,
      `At midday of ${dayName(date)}, ${up} of ${context.snapshots.length} symbols trade above their last close.`,
    ]);
  },
  blocks: (context, choose, subject) => {
    const about = (): SymbolSnapshot => subject;
    const within = context.snapshots.some(({ forming }) => forming);
    const news = within ? [movers, changesSince(lastClose, 'the last close')] : [factorTable(about), levels];
    const more = choose.shuffle([
      within ? factorTable(about) : ninetyDays(about),
      either(choose, 0.5, breadth),
      either(choose, 0.4, within ? levels : regimes),
      either(choose, 0.4, record(about)),
    ]);
    return [...(choose.chance(0.5) ? news : [...news].reverse()), ...more];
  },
});

export const afterHours = writer({
  weights: { move: 1.4, past: 1.1, entries: 1.1, ground: 1.1 },
  title: (choose, title, date) => headed(choose, ['After the close', `${weekday(date)}'s close`, 'At the bell'], title),
  opening: (context, choose, date) => {
    const up = context.snapshots.filter(({ change }) => (change ?? 0) > 0).length;
    const high = context.snapshots.filter(({ state }) => state === 2).length;
    return choose.pick([
      `${dayName(date)} closed with ${up} of ${context.snapshots.length} symbols higher and ${high === 0 ? 'none' : high} in High Risk.`,
      `The close of ${dayName(date)}: ${up} of ${context.snapshots.length} symbols rose, and ${high === 0 ? 'none is' : high === 1 ? 'one is' : `${high} are`} in High Risk.`,
    ]);
  },
  blocks: (_context, choose, subject) => {
    const about = (): SymbolSnapshot => subject;
    const changes = changesSince((context) => context.at - DAY_MS, 'yesterday at this time');
    const more = choose.shuffle([
      either(choose, 0.6, factorTable(about)),
      either(choose, 0.5, levels),
      either(choose, 0.5, breadth),
      either(choose, 0.6, ninetyDays(about)),
    ]);
    return [
      ...choose.shuffle([movers, changes]),
      ...more,
      stateTable(choose.pick([4, 5, 6])),
      either(choose, 0.6, record(about)),
    ];
  },
});
