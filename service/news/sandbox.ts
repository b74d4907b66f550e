// Service, news: the sandbox's news wire, which reports price moves a few minutes later.
// The same world has the same reports.
import { MINUTE_MS } from '../../shared/lib/time.ts';
import { percent } from '../briefings/format.ts';
import { dateOf, dayOf, startOf } from '../market/synthetic/days.ts';
import type { SyntheticMarket } from '../market/synthetic/market.ts';
import { keyOf, keyOfText, unit } from '../market/synthetic/numbers.ts';
import type { Instrument } from '../market/types.ts';
import type { EventIds } from '../signals/event-id.ts';
import { priceText } from '../signals/notes.ts';
import type { NewsItem } from '../store/news.ts';
import type { NewsService } from './news-service.ts';
import { sentimentOf } from './sentiment.ts';

/** Share of the moves that make news. */
const REPORTED_SHARE = 0.3;
/** A move on the day is news from this multiple of the day's deviation on, and again at each doubling. */
const FIRST_LEVEL = 1;
/** Interval at which prices are looked at, ms. */
const INTERVAL_MS = 10 * MINUTE_MS;
const SOURCE = 'Sandbox Wire';
/** Delay of the report about the day's close. */
const WRAP_AFTER_MS = 5 * MINUTE_MS;
/** Days of generated news in the cache. */
const MAX_CACHED_DAYS = 120;

export interface SandboxNewsDeps {
  readonly market: SyntheticMarket;
  /** Generator of the same world as for event ids. */
  readonly ids: EventIds;
  readonly scope: string;
}

export function createSandboxNews(deps: SandboxNewsDeps): NewsService {
  const made = createDayNews(deps);
  const days = new Map<number, readonly NewsItem[]>();

  /** Newest first. */
  const newsOf = (day: number): readonly NewsItem[] => {
    const news = days.get(day) ?? made(day);
    if (!days.has(day) && days.size >= MAX_CACHED_DAYS) days.delete(days.keys().next().value ?? day);
    days.set(day, news);
    return news;
  };

  return {
    list({ symbols, from, to }, below, limit) {
      const found: NewsItem[] = [];
      const newest = below === null ? to : Math.min(to, below.publishedAt);
      for (let day = dayOf(newest); day >= dayOf(from) && found.length < limit; day--) {
        for (const one of newsOf(day)) {
          if (one.publishedAt > to || one.publishedAt < from || found.length >= limit) continue;
          if (
            below !== null &&
            (one.publishedAt > below.publishedAt || (one.publishedAt === below.publishedAt && one.id >= below.id))
          )
            continue;
          if (symbols === null || one.symbols.some((symbol) => symbols.includes(symbol))) found.push(one);
        }
      }
      return found;
    },
    start: () => undefined,
    stop: () => undefined,
  };
}

const itemsOf =
  (ids: EventIds) =>
  (
    at: number,
    subject: string,
    headline: string,
    summary: string,
    symbols: readonly string[],
    names: readonly string[] = [],
  ): NewsItem => {
    const id = ids.of(at, 0, 'news', subject).replace('evt_', 'nws_');
    return {
      id,
      headline,
      summary,
      source: SOURCE,
      url: `https://wire.sandbox.example/${dateOf(dayOf(at)).replaceAll('-', '/')}/${id}`,
      publishedAt: at,
      symbols,
      ...sentimentOf(`${headline}. ${summary}`, names),
    };
  };

/** The news of a day, newest first. */
function createDayNews(deps: SandboxNewsDeps): (day: number) => NewsItem[] {
  const { market, ids, scope } = deps;
  const { past } = market;
  const listed = market.instruments.filter(({ inputOnly, regimeOnly }) => !inputOnly && !regimeOnly);
  const world = keyOfText(0x6e65, scope);

  const item = itemsOf(ids);

  const moveItem = (instrument: Instrument, close: number, at: number): NewsItem => {
    const { symbol } = instrument;
    const { headline, summary, short } = textFor(instrument, { close, price: past.price(symbol, at), at });
    return item(at, symbol, headline, summary, [symbol], [instrument.name, short, 'fund', 'shares']);
  };

  /** A level, up or down, is reported when it is reached, and again only after a fall by two levels. */
  const movesOf = (instrument: Instrument, day: number): NewsItem[] => {
    const { symbol } = instrument;
    const close = past.bar(symbol, day - 1)?.close;
    const bar = past.bar(symbol, day);
    if (close === undefined || bar === null) return [];
    const deviation = past.deviation(symbol, day);
    const farthest = Math.max(bar.high / close - 1, 1 - bar.low / close);
    // Only the shocks of a scenario leave the bar.
    if (market.extremes === undefined && levelOf(farthest / deviation) === 0) return [];
    const key = keyOfText(keyOfText(world, symbol), String(day));
    const found: NewsItem[] = [];
    let reached = 0;
    for (let at = startOf(day) + INTERVAL_MS; at < startOf(day + 1); at += INTERVAL_MS) {
      const level = levelOf((past.price(symbol, at) / close - 1) / deviation);
      if (level > reached) {
        const number = at / INTERVAL_MS;
        const published = at + (1 + Math.floor(5 * unit(keyOf(key, number)))) * MINUTE_MS;
        if (unit(keyOf(key, -number)) < REPORTED_SHARE && dayOf(published) === day)
          found.push(moveItem(instrument, close, published));
        reached = level;
      } else if (level < reached - 1) reached = level;
    }
    return found;
  };

  /** The report on the previous day, once it has closed. */
  const wrapOf = (day: number): NewsItem[] => {
    const moves = listed.flatMap(({ symbol, assetClass }) => {
      const bar = past.bar(symbol, day - 1);
      return bar === null ? [] : [{ symbol, assetClass, move: bar.close / bar.open - 1, close: bar.close }];
    });
    const [lead] = moves;
    const ranked = [...moves].sort((a, b) => b.move - a.move);
    const [best, worst] = [ranked[0], ranked.at(-1)];
    if (lead === undefined || best === undefined || worst === undefined || best === worst) return [];
    const up = moves.filter(({ move }) => move > 0).length;
    const headline = `${lead.symbol} ends the day ${percent(lead.move, 2)} ${lead.move < 0 ? 'lower' : 'higher'}; ${best.symbol} best, ${worst.symbol} weakest`;
    const summary = `${lead.symbol} closed at ${priceText(lead.close)}. ${best.symbol} ${best.move < 0 ? 'fell least' : 'rose most'}, by ${percent(best.move)}; ${worst.symbol} ${worst.move < 0 ? 'fell most' : 'rose least'}, by ${percent(worst.move)}. Up: ${up} of ${moves.length}.`;
    return [
      item(startOf(day) + WRAP_AFTER_MS, 'wrap', headline, summary, [
        ...new Set([lead.symbol, best.symbol, worst.symbol]),
      ]),
    ];
  };

  return (day) =>
    [...listed.flatMap((instrument) => movesOf(instrument, day)), ...wrapOf(day)].sort(
      (a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1),
    );
}

const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(11, 16)} UTC`;

/** Number of a level: 0 below the first, 1 from it, 2 from its double, and so on. */
function levelOf(deviations: number): number {
  let level = 0;
  for (let bound = FIRST_LEVEL; Math.abs(deviations) >= bound; bound *= 2) level += 1;
  return level;
}

interface PriceMove {
  /** Close of the previous day. */
  readonly close: number;
  readonly price: number;
  readonly at: number;
}

/** A name as people say it: "Coca-Cola" of "The Coca-Cola Company". */
export const shortName = (name: string): string =>
  name
    .replace(/,? (Inc\.|Corporation|Company|& Co\.|Incorporated|ETF Trust|Trust|Fund|ETF|Index)$/, '')
    .replace(/^The /, '');

function textFor(
  { symbol, name }: Instrument,
  { close, price, at }: PriceMove,
): { headline: string; summary: string; short: string } {
  const move = price / close - 1;
  const short = shortName(name);
  const headline = `${short} ${move < 0 ? 'drops' : 'gains'} ${percent(move)} on the day`;
  const summary = `${name} (${symbol}) is at ${priceText(price)} at ${minuteOf(at)}, ${move < 0 ? 'down' : 'up'} ${percent(move)} from ${priceText(close)} at the close of the day before.`;
  return { headline, summary, short };
}
