// Service, briefings: what of a scene is worth telling first. Every story has its weight; a draw decides between near ones, and the words.
import type { Choice } from './choice.ts';
import { moveOver, rangeOf, room, size, stretches, usualMove } from './measures.ts';
import { isFund, type Look, type Scene } from './scene.ts';
import { breadthOf, byRisk, wayToBreach } from './sections.ts';
import {
  capital,
  count,
  isAre,
  list,
  listUpTo,
  many,
  moved,
  percent,
  points,
  power,
  quote,
  regimeWord,
  shortDay,
  stateWord,
} from './words.ts';

export interface Story {
  readonly weight: number;
  readonly title: string;
  /** A paragraph. */
  readonly text: string;
  readonly symbols: readonly string[];
}
type Teller = (scene: Scene, choose: Choice) => Story | null;

const DAY_MS = 86_400_000;
/** A smaller move is no story, however calm the symbol is; a fraction. */
const LEAST_MOVE = 0.004;

/** A fund or index that moved far out of its usual day. */
const move: Teller = (scene, choose) => {
  const [look] = scene.looks.filter(isFund).sort((a, b) => (size(b) ?? 0) - (size(a) ?? 0));
  const times = look === undefined ? null : size(look);
  const usual = look === undefined ? null : usualMove(look);
  if (
    look === undefined ||
    times === null ||
    usual === null ||
    look.change === null ||
    times < 1.5 ||
    Math.abs(look.change) < LEAST_MOVE
  )
    return null;
  const { symbol, change } = look;
  const fell = change < 0;
  const way = wayToBreach(look);
  const title = choose.pick([
    `${symbol} ${fell ? 'falls' : 'rises'} ${percent(change)}, ${times.toFixed(1)} times its usual day`,
    `${symbol}: ${percent(change)} ${fell ? 'down' : 'up'} where ${percent(usual)} is usual`,
    `${fell ? 'A hard day' : 'A strong day'} for ${symbol}: ${fell ? 'down' : 'up'} ${percent(change)}`,
  ]);
  const standing = `It is ${stateWord(look.state)}${way === null ? '' : `, ${way}`}.`;
  const text = choose.pick([
    `${symbol} ${moved(change)} to ${quote(look.price)}. Over the past 90 days its usual session moved ${percent(usual)}, so this one is ${times.toFixed(1)} times as large. ${standing}`,
    `The move that stands out is in ${symbol}: it ${moved(change)} to ${quote(look.price)}, ${times.toFixed(1)} times a usual session of the past 90 days. ${standing}`,
  ]);
  return { weight: 1.2 + Math.min(times, 6) / 3, title, text, symbols: [symbol] };
};

/** Who is nearest to a breach without being past it. */
const near: Teller = (scene, choose) => {
  const open = scene.looks.filter((look) => isFund(look) && (look.reading.drawdownFraction ?? 0) < 0.995);
  const [look] = open.sort((a, b) => (b.reading.drawdownFraction ?? 0) - (a.reading.drawdownFraction ?? 0));
  const fraction = look?.reading.drawdownFraction ?? 0;
  const left = look === undefined ? null : room(look);
  if (look === undefined || left === null || fraction < 0.15) return null;
  const { symbol, price, reading } = look;
  const share = Math.round(100 * fraction);
  const level = quote(reading.breachLevel ?? 0);
  return {
    weight: 0.6 + 1.8 * fraction,
    title: choose.pick([
      `${symbol} is ${share} % of the way to a breach`,
      `${symbol} has ${percent(left)} left before a breach`,
      `Watch ${symbol}: at ${quote(price)}, breach level ${level}`,
    ]),
    text: choose.pick([
      `Nearest to a breach among funds and indices is ${symbol}: at ${quote(price)} it has gone ${share} % of the way, and another ${percent(left)} down, to ${level}, would complete it. It is ${stateWord(look.state)} with a confidence of ${points(look.confidence)}.`,
      `${symbol} is ${stateWord(look.state)} at ${quote(price)}, ${share} % of the way from its 21-day high to a breach. The level is ${level}, ${percent(left)} below. Confidence ${points(look.confidence)}, base rate ${points(look.baseRate)}.`,
    ]),
    symbols: [symbol],
  };
};

/** Funds and indices that are past their breach level. */
const past: Teller = (scene, choose) => {
  const looks = byRisk(scene.looks.filter((look) => isFund(look) && (look.reading.drawdownFraction ?? 0) >= 1));
  const [worst] = looks;
  if (worst === undefined) return null;
  const names = looks.map(({ symbol }) => symbol);
  return {
    weight: 1.6 + Math.min(looks.length, 10) / 8,
    title: choose.pick([
      `${listUpTo(names, 2)} past the breach level`,
      `${capital(many(looks.length, 'fund'))} past the breach level, ${worst.symbol} furthest`,
      `Below the line: ${listUpTo(names, 3)}`,
    ]),
    text: choose.pick([
      `${listUpTo(names, 5)} ${isAre(looks.length)} past the breach level: the fall that the signal warns of has happened there. ${worst.symbol} is furthest, at ${quote(worst.price)} against a level of ${quote(worst.reading.breachLevel ?? 0)}.`,
      `The warned fall has come in ${listUpTo(names, 5)}. Furthest beyond its level of ${quote(worst.reading.breachLevel ?? 0)} is ${worst.symbol}, at ${quote(worst.price)}; from here on the signal measures how long it lasts.`,
    ]),
    symbols: names.slice(0, 3),
  };
};

/** How many are out of Normal, against 90 days. */
const width: Teller = (scene, choose) => {
  const found = breadthOf(scene);
  if (found === null) return null;
  const total = scene.looks.length;
  const distance = Math.abs(found.now - found.median) / total;
  const record = found.now >= found.most && found.now > 0;
  return {
    // What was as wide the day before is no news.
    weight: (0.7 + 2 * distance + (record ? 0.6 : 0)) * (found.now === found.before ? 0.5 : 1),
    title: choose.pick([
      `${capital(count(found.now))} of ${total} symbols out of Normal${record ? ', a 90-day high' : ''}`,
      `Out of Normal: ${found.now} of ${total}, median ${found.median}`,
      found.now > found.median
        ? `Risk is wider than usual: ${found.now} of ${total}`
        : `Risk is narrow: ${found.now} of ${total} out of Normal`,
    ]),
    text: choose.pick([
      `${capital(count(found.now))} of ${total} symbols ${isAre(found.now)} out of Normal. The median of the past 90 days is ${found.median}; the most, ${found.most}, was counted on ${shortDay(found.mostOn)}.`,
      `Counting everything that is not Normal gives ${found.now} of ${total}. Half of the closes of the past 90 days had ${found.median} or fewer, and the widest, on ${shortDay(found.mostOn)}, had ${found.most}.`,
    ]),
    symbols: [],
  };
};

/** A dimension of the broad market at the edge of its past. */
const edge: Teller = (scene, choose) => {
  const found = stretches(scene.lead)
    .filter(({ rank }) => rank >= 0.95 || rank <= 0.05)
    .sort((a, b) => Math.abs(b.rank - 0.5) - Math.abs(a.rank - 0.5));
  const [first] = found;
  if (first === undefined) return null;
  const { dimension, power: value, rank } = first;
  const top = rank > 0.5;
  const edgeWord =
    rank === 1
      ? 'at its highest of 90 days'
      : rank === 0
        ? 'at its lowest of 90 days'
        : top
          ? `above ${Math.round(100 * rank)} % of the past 90 days`
          : `below ${Math.round(100 * (1 - rank))} % of the past 90 days`;
  const description = dimension.description.toLowerCase();
  const { symbol } = scene.lead;
  return {
    weight: 0.9 + found.length / 8,
    title: choose.pick([
      `${dimension.name} on ${symbol} ${top ? 'near the top' : 'near the bottom'} of its 90 days, at ${power(value)}`,
      `${symbol}: ${dimension.name} at ${power(value)}, ${edgeWord}`,
      `${dimension.name} stands out on ${symbol} at ${power(value)}, the price at ${quote(scene.lead.price)}`,
    ]),
    text: choose.pick([
      `Of the twelve dimensions of ${symbol} it is ${dimension.name} (${description}) that stands out: its power is ${power(value)}, ${edgeWord}.`,
      `${dimension.name}, which measures ${description}, has a power of ${power(value)} on ${symbol}; that is ${edgeWord}.${found.length > 1 ? ` ${capital(count(found.length - 1))} more of the twelve ${isAre(found.length - 1)} at an edge too: ${list(found.slice(1).map((one) => one.dimension.name))}.` : ''}`,
    ]),
    symbols: [symbol],
  };
};

/** A fund whose regime turned. */
const turn: Teller = (scene, choose) => {
  const turned = scene.looks.filter(
    (look) => isFund(look) && look.regimeSince !== null && look.regimeSince > scene.at - 1.6 * DAY_MS,
  );
  const look = turned.find(({ symbol }) => symbol === scene.lead.symbol) ?? turned[0];
  if (look === undefined || look.regime === null) return null;
  const { symbol, reading } = look;
  const shares = reading.regimeProbabilities as Readonly<Record<string, number>> | null;
  const share = shares?.[look.regime] ?? null;
  const before = look.days.findLast((row) => row.reading.regime !== look.regime)?.reading.regime ?? null;
  const sure = share === null ? '' : ` The model gives it ${Math.round(100 * share)} %.`;
  const also =
    turned.length > 1
      ? ` Others that turned: ${listUpTo(
          turned.filter((one) => one !== look).map((one) => one.symbol),
          4,
        )}.`
      : '';
  return {
    weight: 1.1 + (symbol === scene.lead.symbol ? 0.7 : 0) + Math.min(turned.length, 6) / 10,
    title: choose.pick([
      `${symbol} turns to ${regimeWord(look.regime)} at ${quote(look.price)}`,
      `New regime for ${symbol}: ${regimeWord(look.regime)}, at ${quote(look.price)}`,
    ]),
    text: choose.pick([
      `${symbol} has turned ${before === null ? '' : `from ${regimeWord(before)} `}to ${regimeWord(look.regime)}.${sure}${also}`,
      `The regime of ${symbol} is now ${regimeWord(look.regime)}${before === null ? '' : `, after ${regimeWord(before)}`}.${sure}${also}`,
    ]),
    symbols: [symbol],
  };
};

/** Funds that went into High Risk since the day before, or came out of it. */
const entries: Teller = (scene, choose) => {
  const funds = new Set(scene.looks.filter(isFund).map(({ symbol }) => symbol));
  const into = [
    ...new Set(
      scene
        .changes(scene.at - DAY_MS)
        .filter(({ symbol, to }) => to === 2 && funds.has(symbol))
        .map(({ symbol }) => symbol),
    ),
  ];
  if (into.length === 0) return null;
  const still = into.filter((symbol) => scene.looks.find((look) => look.symbol === symbol)?.state === 2);
  const rest =
    still.length === into.length
      ? into.length === 1
        ? 'It is there still.'
        : 'All of them are there still.'
      : still.length === 0
        ? 'None of them is there now.'
        : `Still there: ${listUpTo(still, 5)}.`;
  return {
    // Where most go in and out each day, it is no news.
    weight: (into.length > funds.size / 2 ? 0.5 : 0.9) + Math.min(still.length, 6) / 5,
    title: choose.pick([
      `${listUpTo(into, 2)} into High Risk within a day`,
      `High Risk seen in ${many(into.length, 'fund')}: ${listUpTo(into, 2)}`,
    ]),
    text: choose.pick([
      `Within the past 24 hours ${listUpTo(into, 6)} went into High Risk. ${rest}`,
      `${capital(many(into.length, 'fund or index', 'funds and indices'))} went into High Risk in the past 24 hours: ${listUpTo(into, 6)}. ${rest}`,
    ]),
    symbols: into.slice(0, 4),
  };
};

/** The broad market at large, which always can be told. */
const ground: Teller = (scene, choose) => {
  const { lead } = scene;
  const range = rangeOf(lead);
  const week = moveOver(lead, 5);
  const sessions = lead.days.filter(({ closedAt }) => closedAt >= lead.since).length;
  const place = range === null ? '' : ` It stands ${Math.round(100 * range.place)} % of the way up its 90-day range.`;
  const way = wayToBreach(lead);
  return {
    weight: 0.75,
    title: choose.pick([
      `${lead.symbol} ${stateWord(lead.state)} at ${quote(lead.price)}`,
      range === null
        ? `${lead.symbol} at ${quote(lead.price)}`
        : `${lead.symbol} ${range.place >= 0.66 ? 'high' : range.place <= 0.34 ? 'low' : 'in the middle'} in its 90-day range`,
      way === null ? `${lead.symbol} as it stands` : `${lead.symbol} is ${way}`,
    ]),
    text: choose.pick([
      `${lead.symbol} is ${stateWord(lead.state)} at ${quote(lead.price)}${way === null ? '' : `, ${way}`}.${place}${week === null ? '' : ` Over five sessions it ${moved(week)}.`}`,
      `${lead.symbol}, at ${quote(lead.price)}, has been ${stateWord(lead.state)} for ${sessions === 0 ? 'less than a session' : many(sessions, 'session')}.${week === null ? '' : ` In five sessions it ${moved(week)}.`}${place}`,
    ]),
    symbols: [lead.symbol],
  };
};

const TELLERS: Readonly<Record<string, Teller>> = { move, near, past, width, edge, turn, entries, ground };
export type StoryName = 'move' | 'near' | 'past' | 'width' | 'edge' | 'turn' | 'entries' | 'ground';

/** The stories of a scene, most worth telling first. `liking` raises what a kind of briefing is for. */
export function storiesOf(scene: Scene, choose: Choice, liking: Readonly<Partial<Record<StoryName, number>>>): Story[] {
  const told = Object.entries(TELLERS).flatMap(([name, tell]) => {
    const story = tell(scene, choose);
    if (story === null) return [];
    const drawn = 0.75 + 0.5 * choose.pick([0, 0.2, 0.4, 0.6, 0.8, 1]);
    return { ...story, weight: story.weight * drawn * (liking[name as StoryName] ?? 1) };
  });
  return told.sort((a, b) => b.weight - a.weight);
}

/** The look that a story is about, else the broad market. */
export const subjectOf = (scene: Scene, story: Story | undefined): Look =>
  scene.looks.find(({ symbol }) => symbol === story?.symbols[0]) ?? scene.lead;
