// Renderer, pure: the closes and volumes around a price in question, as shapes in a box.
import type { Timeline } from '../../../shared/channels/queries.ts';
import type { PriceQuestion } from '../../../shared/wire/records.ts';
import { sessionMs } from '../../charts/model.ts';

export const WIDTH = 520;
export const HEIGHT = 150;
/** Height of the volumes, at the bottom. */
const VOLUME_HEIGHT = 44;
const DAYS = 60;
/** Days after the price that are shown. */
const AFTER = 10;
export const EDGE = 4;

export interface QuestionChart {
  readonly line: string;
  readonly bars: readonly { readonly x: number; readonly height: number; readonly isAsked: boolean }[];
  readonly barWidth: number;
  /** The price in question; null: the day is not listed. */
  readonly asked: { readonly x: number; readonly y: number } | null;
  /** y of the median volume; null: no volume is known. */
  readonly usualY: number | null;
}

/** @returns null without two prices */
export function questionChart(timeline: Timeline, question: PriceQuestion): QuestionChart | null {
  const { date } = question;
  const days = timeline.points.flatMap(({ at, price, volume }) => {
    if (price === null) return [];
    const day = new Date(sessionMs(Date.parse(at))).toISOString().slice(0, 10);
    return [
      { date: day, price, volume: volume === undefined || day < date ? volume : volume * sharesOfBefore(question) },
    ];
  });
  const asked = days.findIndex((day) => day.date === date);
  const end = asked === -1 ? days.length : Math.min(days.length, asked + 1 + AFTER);
  const shown = days.slice(Math.max(0, end - DAYS), end);
  if (shown.length < 2) return null;
  const prices = shown.map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const volumes = shown.flatMap(({ volume }) => volume ?? []).sort((a, b) => a - b);
  const most = volumes.at(-1) ?? 0;
  const step = (WIDTH - 2 * EDGE) / shown.length;
  const x = (index: number): number => EDGE + (index + 0.5) * step;
  const top = HEIGHT - VOLUME_HEIGHT - 2 * EDGE;
  const y = (price: number): number => EDGE + (high === low ? top / 2 : ((high - price) / (high - low)) * top);
  const heightOf = (volume: number): number => (most === 0 ? 0 : (volume / most) * VOLUME_HEIGHT);
  const at = shown.findIndex((day) => day.date === date);
  const usual = volumes[volumes.length >> 1];
  return {
    line: shown
      .map(({ price }, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(price).toFixed(1)}`)
      .join(''),
    bars: shown.map(({ volume = 0 }, index) => ({ x: x(index), height: heightOf(volume), isAsked: index === at })),
    barWidth: step * 0.7,
    asked: at === -1 ? null : { x: x(at), y: y((shown[at] as (typeof shown)[number]).price) },
    usualY: usual === undefined ? null : HEIGHT - heightOf(usual),
  };
}

/** The same value trades as more shares after a split that is not adjusted. */
function sharesOfBefore({ doubt, counts_as: use, price, before }: PriceQuestion): number {
  if (doubt === 'stray' || use === 'split' || price === null || before === null) return 1;
  return Math.min(1, price / before);
}
