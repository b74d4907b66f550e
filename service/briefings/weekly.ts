// Service, briefings: the week that was, on Saturdays.
import type { Choice } from './choice.ts';
import { type Draft, headed, writtenFrom } from './draft.ts';
import { rangeOf, statesOf } from './measures.ts';
import { isFund, type Look, type Scene } from './scene.ts';
import {
  type Block,
  bodyOf,
  breadth,
  byRisk,
  changesSince,
  factorTable,
  levels,
  ninetyDays,
  record,
  regimes,
  type Section,
} from './sections.ts';
import { storiesOf, subjectOf } from './stories.ts';
import {
  capital,
  count,
  countOf,
  isAre,
  listUpTo,
  longDay,
  moved,
  quote,
  regimeWord,
  signed,
  stateWord,
  table,
} from './words.ts';

const WEEK_MS = 7 * 86_400_000;

interface Week {
  readonly look: Look;
  /** Fraction, against the last close before the week. */
  readonly move: number;
  /** Closes of the week in High Risk. */
  readonly high: number;
}

function weekOf(scene: Scene, look: Look): Week | null {
  const began = look.days.findIndex(({ closedAt }) => closedAt > scene.at - WEEK_MS);
  const before = look.days[began - 1];
  if (began < 1 || before === undefined) return null;
  return {
    look,
    move: look.price / before.reading.close - 1,
    high: look.days.slice(began).filter(({ reading }) => reading.state === 2).length,
  };
}

export function weekly(scene: Scene, choose: Choice, date: string): Draft {
  const weeks = scene.looks.flatMap((look) => weekOf(scene, look) ?? []);
  const funds = weeks.filter(({ look }) => isFund(look)).sort((a, b) => b.move - a.move);
  const lead = weeks.find(({ look }) => look === scene.lead);
  const stories = storiesOf(scene, choose, { turn: 1.5, width: 1.4, edge: 1.2, past: 1.2, move: 0.4, entries: 0.7 });
  const [story] = stories;
  const subject = subjectOf(scene, story);
  const up = weeks.filter(({ move }) => move > 0).length;
  const [best, worst] = [funds[0], funds.at(-1)];
  const opening = choose.pick([
    `In the week to ${longDay(date)} ${lead === undefined ? scene.lead.symbol : `${scene.lead.symbol} ${moved(lead.move)} to ${quote(scene.lead.price)}`}; ${up} of ${weeks.length} symbols rose.`,
    `${capital(countOf(up))} of ${weeks.length} symbols rose in the week to ${longDay(date)}.${lead === undefined ? '' : ` ${scene.lead.symbol} ${moved(lead.move)} and ended at ${quote(scene.lead.price)}.`}`,
  ]);
  const spread =
    best === undefined || worst === undefined || best === worst
      ? ''
      : choose.pick([
          `Best among funds and indices was ${best.look.symbol} (${signed(best.move)}), weakest ${worst.look.symbol} (${signed(worst.move)}).`,
          `The span ran from ${worst.look.symbol} at ${signed(worst.move)} to ${best.look.symbol} at ${signed(best.move)}.`,
        ]);
  const about = (): Look => subject;
  const parts: Block[] = [
    ...choose.shuffle<Block>([
      (): Section | null => weekTable(choose, funds),
      (one, draw): Section | null => whereRiskWas(one, draw, weeks),
      changesSince((one) => one.at - WEEK_MS, 'last Saturday'),
    ]),
    ...choose.shuffle<Block>([regimes, breadth, choose.chance(0.5) ? factorTable(about) : ninetyDays(about)]),
    levels,
    record(about),
  ];
  return writtenFrom({
    title: headed(choose, ['The week', `Week to ${longDay(date)}`, 'Weekly'], story?.title ?? ''),
    summary: `${opening} ${story?.text ?? ''}`.trim(),
    body: bodyOf(
      [opening, spread, story?.text ?? '', stories[1]?.text ?? ''].filter((text) => text !== '').join('\n\n'),
      parts.map((part) => part(scene, choose)),
    ),
    symbols: [
      ...(story?.symbols ?? []),
      scene.lead.symbol,
      ...(best === undefined ? [] : [best.look.symbol]),
      ...(worst === undefined ? [] : [worst.look.symbol]),
    ],
  });
}

function weekTable(choose: Choice, funds: readonly Week[]): Section | null {
  if (funds.length < 2) return null;
  const edge = choose.pick([3, 4]);
  const shown = funds.length <= 2 * edge ? funds : [...funds.slice(0, edge), ...funds.slice(-edge)];
  const place = ({ look }: Week): string => {
    const range = rangeOf(look);
    return range === null ? 'n/a' : `${Math.round(100 * range.place)} %`;
  };
  return {
    heading: choose.pick(['The week in funds', 'Best and weakest', 'Fund by fund']),
    text: table(
      ['Symbol', '>Week', '>Price', '>In 90-day range', 'State', 'Regime'],
      shown.map((week) => [
        week.look.symbol,
        signed(week.move),
        quote(week.look.price),
        place(week),
        stateWord(week.look.state),
        regimeWord(week.look.regime),
      ]),
    ),
  };
}

/** Who spent the week, and the past 90 days, in High Risk. */
function whereRiskWas(scene: Scene, choose: Choice, weeks: readonly Week[]): Section | null {
  const lived = weeks.filter(({ high }) => high > 0).sort((a, b) => b.high - a.high);
  const heading = choose.pick(['Where the risk was', 'High Risk this week', 'Sessions in High Risk']);
  if (lived.length === 0) {
    const longest = byRisk(scene.looks)[0];
    return {
      heading,
      text: `No symbol closed a session of this week in High Risk.${longest === undefined ? '' : ` Furthest on the way is ${longest.symbol}, ${stateWord(longest.state)}.`}`,
    };
  }
  const rows = lived.slice(0, 6).map(({ look, high }) => {
    const { sessions, entries } = statesOf(look);
    return [look.symbol, String(high), `${sessions[2]} of ${look.days.length}`, String(entries), stateWord(look.state)];
  });
  const names = lived.map(({ look }) => look.symbol);
  return {
    heading,
    text: `${choose.pick([
      `${capital(count(lived.length))} ${lived.length === 1 ? 'symbol' : 'symbols'} closed at least one session of the week in High Risk: ${listUpTo(names, 5)}.`,
      `${listUpTo(names, 5)} ${isAre(names.length)} what High Risk was about this week.`,
    ])}\n\n${table(['Symbol', '>Sessions this week', '>In 90 days', '>Times it began', 'Now'], rows)}`,
  };
}
