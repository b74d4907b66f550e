// Service, briefings: the three of a working day: before the open, at midday, after the close.
import type { Choice } from './choice.ts';
import { type Draft, type Writer, writtenFrom } from './draft.ts';
import type { Look, Scene } from './scene.ts';
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
  standingTable,
} from './sections.ts';
import { type StoryName, storiesOf, subjectOf } from './stories.ts';
import { dayName, weekday } from './words.ts';

const DAY_MS = 86_400_000;

/** World ms of the newest close that the scene has. */
const lastClose = (scene: Scene): number => Math.max(...scene.looks.map(({ days }) => days.at(-1)?.closedAt ?? 0));
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

interface Plan {
  readonly liking: Readonly<Partial<Record<StoryName, number>>>;
  /** Which parts come after the opening, in their order; those that have nothing to say fall out. */
  readonly parts: (scene: Scene, choose: Choice, subject: Look) => readonly Block[];
  readonly opening: (scene: Scene, choose: Choice, date: string) => string;
  readonly title: (choose: Choice, title: string, date: string) => string;
}

function writer({ liking, parts, opening, title }: Plan): Writer {
  return (scene, choose, date): Draft => {
    const [first, second] = storiesOf(scene, choose, liking);
    const subject = subjectOf(scene, first);
    const lead = [opening(scene, choose, date), first?.text ?? '', second?.text ?? ''].filter((text) => text !== '').join('\n\n');
    const sections = parts(scene, choose, subject).map((part) => part(scene, choose));
    return writtenFrom({
      title: title(choose, first?.title ?? '', date),
      summary: first?.text ?? '',
      body: bodyOf(lead, distinct(sections)),
      symbols: [...(first?.symbols ?? []), ...(second?.symbols ?? []), scene.lead.symbol],
    });
  };
}

/** No heading twice. */
function distinct(sections: readonly (Section | null)[]): (Section | null)[] {
  const seen = new Set<string>();
  return sections.filter((section) => section === null || (!seen.has(section.heading) && seen.add(section.heading) !== undefined));
}

const either = (choose: Choice, share: number, part: Block): Block => (choose.chance(share) ? part : () => null);

export const preMarket = writer({
  liking: { near: 1.3, turn: 1.3, width: 1.1, move: 0.8 },
  title: (choose, title, date) => choose.pick([`Before the open: ${title}`, `${weekday(date)} morning: ${title}`, title]),
  opening: (scene, choose, date) => {
    const changes = scene.changes(lastClose(scene) - 1).length;
    const quiet =
      changes === 0
        ? 'no state has changed since the last close'
        : `${changes === 1 ? 'one state has' : `${changes} states have`} changed since the last close`;
    return choose.pick([
      `This is how the market stands before the open of ${dayName(date)}; ${quiet}.`,
      `${dayName(date)}, before the open: ${quiet}.`,
      `Going into ${dayName(date)}, ${quiet}.`,
    ]);
  },
  parts: (_scene, choose, subject) => {
    const about = (): Look => subject;
    const middle = choose.shuffle([
      levels,
      either(choose, 0.6, factorTable(about)),
      either(choose, 0.5, regimes),
      either(choose, 0.4, breadth),
    ]);
    const board = standingTable(choose.pick([5, 6, 7, 8]));
    return choose.chance(0.7) ? [board, ...middle, record(about)] : [...middle, board, record(about)];
  },
});

export const midday = writer({
  liking: { entries: 1.3, move: 1.2, edge: 1.3, near: 0.9 },
  title: (choose, title, date) => choose.pick([`Midday: ${title}`, `${weekday(date)} at midday: ${title}`, title]),
  opening: (scene, choose, date) => {
    if (!scene.looks.some(({ forming }) => forming)) {
      const closed = weekday(dateOf(lastClose(scene) - 1));
      return choose.pick([
        `Prices here are daily closes, so nothing within ${dayName(date)} is known yet; what follows stands from ${closed}'s close.`,
        `At midday of ${dayName(date)} the last known prices are ${closed}'s closes. This is what to watch into the next one.`,
      ]);
    }
    const up = scene.looks.filter(({ change }) => (change ?? 0) > 0).length;
    return choose.pick([
      `Half of ${dayName(date)} is over and ${up} of ${scene.looks.length} symbols are above their last close.`,
      `At midday of ${dayName(date)}, ${up} of ${scene.looks.length} symbols trade above their last close.`,
    ]);
  },
  parts: (scene, choose, subject) => {
    const about = (): Look => subject;
    const within = scene.looks.some(({ forming }) => forming);
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
  liking: { move: 1.4, past: 1.1, entries: 1.1, ground: 1.1 },
  title: (choose, title, date) => choose.pick([`After the close: ${title}`, `${weekday(date)}'s close: ${title}`, title]),
  opening: (scene, choose, date) => {
    const up = scene.looks.filter(({ change }) => (change ?? 0) > 0).length;
    const high = scene.looks.filter(({ state }) => state === 2).length;
    return choose.pick([
      `${dayName(date)} closed with ${up} of ${scene.looks.length} symbols higher and ${high === 0 ? 'none' : high} in High Risk.`,
      `The close of ${dayName(date)}: ${up} of ${scene.looks.length} symbols rose, and ${high === 0 ? 'none is' : high === 1 ? 'one is' : `${high} are`} in High Risk.`,
    ]);
  },
  parts: (_scene, choose, subject) => {
    const about = (): Look => subject;
    const changes = changesSince((scene) => scene.at - DAY_MS, 'yesterday at this time');
    const more = choose.shuffle([
      either(choose, 0.6, factorTable(about)),
      either(choose, 0.5, levels),
      either(choose, 0.5, breadth),
      either(choose, 0.6, ninetyDays(about)),
    ]);
    return [...choose.shuffle([movers, changes]), ...more, standingTable(choose.pick([4, 5, 6])), either(choose, 0.6, record(about))];
  },
});
