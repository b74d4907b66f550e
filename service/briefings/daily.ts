// Service, briefings: plans of the three briefings of a working day: open, midday, close.
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import { changesSince, changesSinceClose } from './change-sections.ts';
import type { Choice } from './choice.ts';
import type { BriefingContext } from './context.ts';
import { type Block, draftOf, headed, type Section, type Writer } from './draft.ts';
import { dayName, many, weekday } from './format.ts';
import { type HighlightWeights, highlightsOf, subjectOf } from './highlights.ts';
import { breadth, levels, movers, regimes, stateTable, unpricedText } from './market-sections.ts';
import { changesOfSession, isForming, pricedOn, risenOf } from './measures.ts';
import { factors, ninetyDays, record } from './symbol-sections.ts';

/** "two symbols have changed state since the last close" */
function changesText(context: BriefingContext): string {
  const { list, isOneClose } = changesOfSession(context);
  const changed = new Set(list.map(({ symbol }) => symbol)).size;
  const verb = changed === 1 ? 'has' : 'have';
  const at = isForming(context) ? (isOneClose ? 'since' : 'at or since') : 'at';
  const whose = isOneClose ? 'the' : changed === 1 ? 'its' : 'their';
  const subject =
    changed === 0 && isOneClose ? 'no state has changed' : `${many(changed, 'symbol')} ${verb} changed state`;
  return `${subject} ${at} ${whose} last close`;
}

/** "Monday's closes"; null when the last closes of the symbols differ in date. */
function lastCloses({ snapshots }: BriefingContext): string | null {
  const [date, ...others] = new Set(snapshots.map(({ days }) => dateOf((days.at(-1)?.closedAt ?? 1) - 1)));
  return date === undefined || others.length > 0 ? null : `${weekday(date)}'s closes`;
}

interface Plan {
  readonly weights: HighlightWeights;
  /**
   * Weights without a session in progress; they raise topics that the previous briefing did not lead with.
   */
  readonly closedWeights?: HighlightWeights;
  /** Labels of the title; one is drawn, and one of the openings. */
  readonly labels: (day: string) => readonly string[];
  readonly openings: (context: BriefingContext, date: string) => readonly string[];
  /** @param date session day of the briefing */
  readonly sections: (choose: Choice, forming: boolean, date: string) => readonly Block[];
}

const nothing: Block = () => null;
const either = (choose: Choice, share: number, block: Block): Block => (choose.chance(share) ? block : nothing);
/** Shuffles the sections; those with a share are included by a draw. */
const shuffled = (choose: Choice, sections: readonly (readonly [block: Block, share?: number])[]): Block[] =>
  choose.shuffle(sections.map(([block, share]) => (share === undefined ? block : either(choose, share, block))));

const PLANS = {
  'pre-market': {
    weights: { near: 1.3, turn: 1.3, width: 1.1, move: 0.8 },
    closedWeights: { near: 1.6, width: 1.3, past: 0.8, turn: 0.5, entries: 0.6, edge: 0.4, move: 0 },
    labels: (day) => ['Before the open', `${day} morning`, 'Pre-market'],
    openings: (context, date) => [
      `The market before the open of ${dayName(date)}: ${changesText(context)}.`,
      `${dayName(date)}, before the open: ${changesText(context)}.`,
      `Going into ${dayName(date)}, ${changesText(context)}.`,
    ],
    sections(choose) {
      const middle = shuffled(choose, [[levels], [factors, 0.6], [regimes, 0.5], [breadth, 0.4]]);
      const states = stateTable(choose.pick([5, 6, 7, 8]));
      return choose.chance(0.7) ? [states, ...middle, record] : [...middle, states, record];
    },
  },
  midday: {
    weights: { entries: 1.3, move: 1.2, edge: 1.3, near: 0.9 },
    closedWeights: { edge: 1.8, ground: 1.6, width: 0.7, past: 0.4, near: 0.2, entries: 0.3, turn: 0.2, move: 0 },
    labels: (day) => ['Midday', `${day} at midday`, 'Midday note'],
    openings(context, date) {
      const priced = pricedOn(context, date);
      const up = `${risenOf(priced)} of ${priced.length} symbols`;
      const rest = unpricedText(context, priced);
      const closes = lastCloses(context);
      return isForming(context)
        ? [
            `Half of ${dayName(date)} is over and ${up} are above their last close.${rest}`,
            `At midday of ${dayName(date)}, ${up} trade above their last close.${rest}`,
          ]
        : [
            `This note of ${dayName(date)} goes by ${closes ?? 'the last close of each symbol'}; nothing of the day itself is in it yet.`,
            `${dayName(date)}, midday: ${closes === null ? 'the last close of each symbol is in' : `${closes} are the last in`}. This is what to watch into the next ones.`,
          ];
    },
    sections(choose, forming, date) {
      const first = forming ? [movers(date), changesSinceClose] : [factors, levels];
      const more: Parameters<typeof shuffled>[1] = forming
        ? [[factors], [breadth, 0.5], [levels, 0.4], [record, 0.4]]
        : [[ninetyDays], [breadth, 0.5], [regimes, 0.4], [record, 0.4]];
      const rest = shuffled(choose, more);
      return [...(choose.chance(0.5) ? first : first.toReversed()), ...rest];
    },
  },
  'after-hours': {
    weights: { move: 1.4, past: 1.1, entries: 1.1, ground: 1.1 },
    labels: (day) => ['After the close', `${day}'s close`, 'At the bell'],
    openings(context, date) {
      const priced = pricedOn(context, date);
      const up = `${risenOf(priced)} of ${priced.length} symbols`;
      const rest = unpricedText(context, priced);
      const high = context.snapshots.filter(({ state }) => state === 2).length;
      return [
        `${dayName(date)} closed with ${up} higher and ${high === 0 ? 'none' : high} in High Risk.${rest}`,
        `The close of ${dayName(date)}: ${up} rose, and ${high === 0 ? 'none is' : high === 1 ? 'one is' : `${high} are`} in High Risk.${rest}`,
      ];
    },
    sections(choose, _forming, date) {
      const changes = changesSince(({ at }) => at - DAY_MS, 'yesterday at this time');
      const more = shuffled(choose, [
        [factors, 0.6],
        [levels, 0.5],
        [breadth, 0.5],
        [ninetyDays, 0.6],
      ]);
      const first = choose.shuffle([movers(date), changes]);
      return [...first, ...more, stateTable(choose.pick([4, 5, 6])), either(choose, 0.6, record)];
    },
  },
} as const satisfies Record<string, Plan>;

/** The briefings of a working day, by type. */
export const daily =
  (type: keyof typeof PLANS): Writer =>
  (context, choose, date) => {
    const { weights, closedWeights = weights, labels, openings, sections }: Plan = PLANS[type];
    const forming = isForming(context);
    const [first, second] = highlightsOf(context, choose, forming ? weights : closedWeights, pricedOn(context, date));
    const subject = subjectOf(context, first);
    const opening = choose.pick(openings(context, date));
    const written = sections(choose, forming, date).map((block) => block(context, choose, subject));
    return draftOf({
      title: headed(choose, labels(weekday(date)), first?.title ?? ''),
      summary: first?.text ?? '',
      lead: [opening, first?.text ?? '', second?.text ?? ''],
      sections: distinct(written),
      symbols: [...(first?.symbols ?? []), ...(second?.symbols ?? []), context.lead.symbol],
    });
  };

/** Drops sections that repeat a heading. */
function distinct(sections: readonly (Section | null)[]): Section[] {
  const byHeading = new Map<string, Section>();
  for (const section of sections)
    if (section !== null && !byHeading.has(section.heading)) byHeading.set(section.heading, section);
  return [...byHeading.values()];
}
