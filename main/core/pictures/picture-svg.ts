// Main, core: draws the picture of a symbol as SVG: price, breach line, states. The same data is the same text.
// Every state is written or patterned, so that it is known without its colour.
import type { State } from '../../../shared/domain/states.ts';
import { lacksCloses } from '../../../shared/domain/timeline.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { change as changeText, fullTimestamp, price as priceText, shortDay } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type Interval, PICTURE_DAYS, type PictureData, type PicturePoint } from './picture-data.ts';

const PICTURE_FONT = 'IBM Plex Sans';
const WIDTH = 800;
const HEIGHT = 420;
const EDGE = 24;
const PLOT = { left: EDGE, right: 648, top: 100, bottom: 290 };
const STRIP = { top: 304, bottom: 348 };
/** Least distance of two labels. */
const LABEL = 24;
/** The light theme's (renderer/theme/tokens.css, as a test compares), because most mails and chats have a light ground. */
const COLOR = {
  ground: '#fbfcfc',
  text: '#11181b',
  quiet: '#3f4b51',
  grid: '#d8dfe1',
  gap: '#68767d',
  sandbox: '#5f3fc4',
};
const STATE_COLORS: Readonly<Record<State, string>> = ['#5f6d74', '#b57200', '#b0103a'];
const STATE_TEXT_COLORS: Readonly<Record<State, string>> = ['#3f4b51', '#855000', '#a80f38'];
/** High Risk is the only solid block, as in the strip of the window. */
const BAND_HEIGHTS: Readonly<Record<State, number>> = [12, 26, 44];
const GLYPHS: Readonly<Record<State, string>> = [
  `<circle cx="8" cy="8" r="5.6" fill="none" stroke="${STATE_COLORS[0]}" stroke-width="1.6"/>`,
  `<path d="M8 2.1 14.6 13.9H1.4Z" fill="none" stroke="${STATE_COLORS[1]}" stroke-width="1.6"/><path d="M5.05 8.6h5.9l2.6 4.7H2.45Z" fill="${STATE_COLORS[1]}"/>`,
  `<path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z" fill="${STATE_COLORS[2]}"/>`,
];
const PATTERNS = `<defs><pattern id="elevated" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2.4" height="6" fill="${STATE_COLORS[1]}"/></pattern><pattern id="gap" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="1.4" height="8" fill="${COLOR.gap}" fill-opacity=".55"/></pattern></defs>`;

type Scale = (value: number) => number;

export function pictureSvg(data: PictureData): string {
  const toX = scale([data.axis.from, data.axis.to], [PLOT.left, PLOT.right]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${PICTURE_FONT}">`,
    PATTERNS,
    box({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, `fill="${COLOR.ground}"`),
    ...head(data),
    ...plot(data, toX),
    ...strip(data, toX),
    ...foot(data, toX),
    '</svg>',
  ].join('\n');
}

function head({ symbol, name, state, stateWord, price, change, breach }: PictureData): string[] {
  const known = name !== null && name !== symbol && isDrawable(name) ? shortened(name, 36) : '';
  const level = breach === null ? texts.picture.breachUnknown : texts.picture.breach(priceText(breach));
  const glyph = state === null ? '' : `<g transform="translate(${EDGE} 19) scale(2)">${GLYPHS[state]}</g>`;
  const fill = state === null ? COLOR.quiet : STATE_TEXT_COLORS[state];
  const title = `<tspan dx="14" fill="${fill}">${escaped(stateText(state, stateWord))}</tspan>`;
  return [
    glyph,
    `<text x="${state === null ? EDGE : EDGE + 42}" y="48" font-size="36" font-weight="600" fill="${COLOR.text}">${escaped(symbol)}${title}</text>`,
    text(known, { x: EDGE, y: 82 }),
    text(price === null ? texts.picture.priceUnknown : priceText(price), {
      x: WIDTH - EDGE,
      y: 48,
      size: price === null ? 24 : 36,
      isBold: true,
      fill: COLOR.text,
      anchor: 'end',
    }),
    text([...(change === null ? [] : [texts.picture.change(changeText(change))]), level].join(' · '), {
      x: WIDTH - EDGE,
      y: 82,
      anchor: 'end',
    }),
  ];
}

function stateText(state: State | null, word: string | undefined): string {
  if (word !== undefined) return isDrawable(word) ? `“${shortened(word, 14)}”` : texts.picture.otherWord;
  return state === null ? texts.picture.stateUnknown : texts.picture.states[state];
}

/** Prices with their gaps, the breach level of each day, and labels of both at the right. */
function plot(data: PictureData, toX: Scale): string[] {
  const gaps = gapsOf(data);
  const hatched = gaps.flatMap(({ from, to, isBefore }) => {
    const [x0, x1] = [Math.max(PLOT.left, toX(from)), Math.min(PLOT.right, toX(to))];
    if (x1 - x0 < 2) return [];
    const label = isBefore ? texts.picture.noHistory : texts.picture.noPrices;
    const area = { x: x0, y: PLOT.top, width: x1 - x0, height: PLOT.bottom - PLOT.top };
    return [box(area, 'fill="url(#gap)"'), ...(x1 - x0 < 100 ? [] : [patch(label, (x0 + x1) / 2, 195)])];
  });
  const range = rangeOf(data);
  if (range === null) return [...hatched, patch(texts.picture.noPrices, (PLOT.left + PLOT.right) / 2, 195)];
  const toY = scale(range, [PLOT.bottom - 10, PLOT.top + 10]);
  const [priceY, breachY] = apart(
    data.price === null ? null : toY(data.price),
    data.breach === null ? null : toY(data.breach),
  );
  const taken = [priceY, breachY].filter((y) => y !== null);
  const ticks = ticksIn(range).map((value) => ({ value, y: toY(value) }));
  const last = data.points.findLast(({ price }) => price !== null);
  const right = { x: PLOT.right + 10, size: 18 };
  return [
    ...ticks.map(({ y }) => line(PLOT.left, y, PLOT.right, y, `stroke="${COLOR.grid}"`)),
    ...hatched,
    ...breachPaths(data, toX, toY),
    ...pricePaths(data, gaps, { toX, toY }),
    ...(last?.price == null
      ? []
      : [`<circle cx="${at(toX(last.ms))}" cy="${at(toY(last.price))}" r="5" fill="${COLOR.text}"/>`]),
    ...ticks
      .filter(({ y }) => taken.every((one) => Math.abs(one - y) >= LABEL))
      .map(({ value, y }) => text(priceText(value), { ...right, y: y + 6, fill: COLOR.gap })),
    ...(priceY === null || data.price === null
      ? []
      : [text(priceText(data.price), { ...right, y: priceY + 6, isBold: true, fill: COLOR.text })]),
    ...(breachY === null || data.breach === null ? [] : [breachLabel(priceText(data.breach), breachY + 6)]),
  ];
}

/** A long figure stands alone: the line under the title names it. */
function breachLabel(figure: string, y: number): string {
  const label = texts.picture.breach(figure);
  const isLong = label.length > 14;
  const style = { x: PLOT.right + 10, y, size: 18, isBold: true, fill: STATE_TEXT_COLORS[2] };
  return text(isLong ? figure : label, style);
}

interface Gap extends Interval {
  /** Before the first day that is known. */
  readonly isBefore?: boolean;
}

/** Ranges without prices: those that the service names, and those in which no day has one. */
function gapsOf({ points, holes, axis, calendar }: PictureData): Gap[] {
  const priced = points.filter(({ price }) => price !== null);
  const [first] = priced;
  if (first === undefined) return [axis];
  const isUnpriced = (from: number, to: number): boolean =>
    lacksCloses(calendar, from, to) || points.some(({ ms, price }) => price === null && ms > from && ms <= to);
  const ends = [...priced.map(({ ms }) => ms), axis.to];
  const between = ends.flatMap((to, index) => {
    const from = ends[index - 1];
    return from !== undefined && isUnpriced(from, to) ? [{ from, to }] : [];
  });
  const isBefore = (points[0]?.ms ?? 0) === first.ms;
  const history = lacksCloses(calendar, axis.from, first.ms) ? [{ from: axis.from, to: first.ms, isBefore }] : [];
  return [...history, ...merged([...holes, ...between])];
}

function merged(intervals: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  for (const one of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && one.from <= last.to)
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, one.to) };
    else all.push(one);
  }
  return all;
}

/** One line for each row of days without a gap between them; a day alone is a dot. */
function pricePaths({ points }: PictureData, gaps: readonly Gap[], { toX, toY }: { toX: Scale; toY: Scale }): string[] {
  const isCut = (a: number, b: number): boolean => gaps.some(({ from, to }) => from < b && to > a);
  const runs: PicturePoint[][] = [];
  let before: PicturePoint | null = null;
  for (const point of points) {
    const run = runs.at(-1);
    if (point.price === null) before = null;
    else if (run === undefined || before === null || isCut(before.ms, point.ms)) runs.push([point]);
    else run.push(point);
    if (point.price !== null) before = point;
  }
  return runs.map((run) => {
    const places = run.map(({ ms, price }) => `${at(toX(ms))} ${at(toY(price ?? 0))}`);
    const drawn = run.length === 1 ? [...places, ...places] : places;
    return `<path d="M${drawn.join('L')}" fill="none" stroke="${COLOR.text}" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/>`;
  });
}

/** The level of each day holds until the next one; the current one reaches the label. */
function breachPaths({ points, breach }: PictureData, toX: Scale, toY: Scale): string[] {
  const dashed = `fill="none" stroke="${STATE_COLORS[2]}" stroke-width="2.4" stroke-dasharray="9 6"`;
  const runs: string[] = [];
  let path = '';
  for (const [index, { ms, breach: level }] of points.entries()) {
    if (level === null && path !== '') runs.push(path);
    if (level === null) path = '';
    else {
      const start = points[index - 1]?.ms ?? ms;
      path +=
        path === ''
          ? `M${at(toX(ms))} ${at(toY(level))}`
          : `L${at(toX(start))} ${at(toY(level))}L${at(toX(ms))} ${at(toY(level))}`;
    }
  }
  if (path !== '') runs.push(path);
  const tick =
    breach === null
      ? []
      : [
          line(
            PLOT.right - 4,
            toY(breach),
            PLOT.right + 6,
            toY(breach),
            `stroke="${STATE_COLORS[2]}" stroke-width="2.4"`,
          ),
        ];
  return [...runs.map((d) => `<path d="${d}" ${dashed}/>`), ...tick];
}

/** The riskier states are drawn last, and a short one keeps some width. */
function strip({ bands, axis }: PictureData, toX: Scale): string[] {
  const unknown = { x: PLOT.left, y: STRIP.top, width: PLOT.right - PLOT.left, height: STRIP.bottom - STRIP.top };
  const boxes = bands.map(({ state, from, to }) => {
    const x0 = Math.min(toX(Math.max(from, axis.from)), PLOT.right - 4);
    return { state, x: x0, width: Math.max(4, Math.min(toX(to), PLOT.right) - x0) };
  });
  return [
    box(unknown, 'fill="url(#gap)"'),
    // A little wider, or the hatch would show between them.
    ...boxes.map(({ x, width }) => box({ ...unknown, x: x - 0.5, width: width + 1 }, `fill="${COLOR.ground}"`)),
    ...boxes.toSorted((a, b) => a.state - b.state).flatMap((one) => stateBox(one)),
    text(texts.picture.strip, { x: PLOT.right + 10, y: STRIP.bottom - 14, size: 18 }),
  ];
}

function stateBox({
  state,
  x,
  width,
}: {
  readonly state: State;
  readonly x: number;
  readonly width: number;
}): string[] {
  const height = BAND_HEIGHTS[state];
  const color = STATE_COLORS[state];
  const y = STRIP.bottom - height;
  const label = texts.picture.states[state];
  const isWritten = width > label.length * (state === 2 ? 9 : 7.5) + 10;
  if (state === 2)
    return [
      box({ x, y, width, height }, `fill="${color}"`),
      ...(isWritten ? [text(label, { x: x + 7, y: y + 28, size: 17, isBold: true, fill: '#fff' })] : []),
    ];
  const fill = state === 1 ? 'url(#elevated)' : COLOR.ground;
  return [
    box(
      { x: x + 0.5, y: y + 0.5, width: Math.max(1, width - 1), height: height - 1 },
      `fill="${fill}" stroke="${color}"`,
    ),
    ...(isWritten ? [text(label, { x: x + 5, y: y - 4, size: 15, fill: STATE_TEXT_COLORS[state] })] : []),
  ];
}

function foot({ axis, fault, isOld, origin }: PictureData, toX: Scale): string[] {
  const days = Array.from({ length: 4 }, (_, part) => axis.from + (part * PICTURE_DAYS * DAY_MS) / 3);
  const notes = [
    texts.picture.asOf(fullTimestamp(axis.to, 'utc')),
    ...(isOld ? [texts.picture.old] : []),
    ...(fault === null ? [] : [texts.picture.faults[fault]]),
  ];
  const mark = origin === null ? '' : origin === 'sandbox' ? texts.common.sandbox : texts.common.replay;
  return [
    ...days.map((ms, index) =>
      text(shortDay(ms), {
        x: toX(ms),
        y: 372,
        size: 17,
        anchor: index === 0 ? 'start' : index === 3 ? 'end' : 'middle',
      }),
    ),
    text(notes.join(' · '), { x: EDGE, y: 405, size: 18, fill: isOld || fault !== null ? COLOR.text : COLOR.quiet }),
    text(mark, { x: WIDTH - EDGE, y: 405, size: 20, isBold: true, fill: COLOR.sandbox, anchor: 'end' }),
  ];
}

/** Least and greatest value to draw, with room for a line of equal prices; null: none is known. */
function rangeOf({ points, price, breach }: PictureData): [number, number] | null {
  const values = [...points.flatMap((point) => [point.price, point.breach]), price, breach].filter(
    (one) => one !== null,
  );
  if (points.every((point) => point.price === null) && price === null) return null;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = most === least ? most * 0.01 : 0;
  return [least - room, most + room];
}

/** Two to five round values. */
function ticksIn([least, most]: readonly [number, number]): number[] {
  const rough = (most - least) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10);
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** Moves two labels apart that would overlap. */
function apart(a: number | null, b: number | null): [number | null, number | null] {
  if (a === null || b === null || Math.abs(a - b) >= LABEL) return [a, b];
  const [middle, half] = [(a + b) / 2, LABEL / 2];
  return a <= b ? [middle - half, middle + half] : [middle + half, middle - half];
}

const scale =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale =>
  (value) =>
    start + ((value - from) / (to - from)) * (end - start);
const at = (value: number): string => String(Math.round(value * 10) / 10);

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
const box = ({ x, y, width, height }: Area, paint: string): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" ${paint}/>`;
const line = (x0: number, y0: number, x1: number, y1: number, paint: string): string =>
  `<path d="M${at(x0)} ${at(y0)}L${at(x1)} ${at(y1)}" ${paint}/>`;

interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly isBold?: boolean;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
}
const text = (
  value: string,
  { x, y, size = 20, isBold = false, fill = COLOR.quiet, anchor = 'start' }: TextStyle,
): string =>
  value === ''
    ? ''
    : `<text x="${at(x)}" y="${at(y)}" font-size="${size}" font-weight="${isBold ? 600 : 400}" fill="${fill}" text-anchor="${anchor}">${escaped(value)}</text>`;

/** A text that stays readable on a hatch. */
const patch = (value: string, x: number, y: number): string =>
  box({ x: x - 52, y: y - 18, width: 104, height: 26 }, `fill="${COLOR.ground}"`) +
  text(value, { x, y, size: 18, anchor: 'middle' });

/** Characters of the Latin subset of the font; a name with others would be boxes. */
const isDrawable = (value: string): boolean =>
  /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018-\u201d\u2026\u2122\u2212]+$/.test(value);
const shortened = (value: string, most: number): string =>
  value.length <= most ? value : `${value.slice(0, most - 1)}…`;
const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
