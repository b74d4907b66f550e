// Service, news: the sandbox's news wire, which reports price moves a few minutes later.
// The same world has the same reports.
import { MINUTE_MS } from '../../shared/lib/time.ts';
import { list, listUpTo, percent } from '../briefings/format.ts';
import { dateOf, dayOf, startOf } from '../market/synthetic/days.ts';
import type { SyntheticMarket } from '../market/synthetic/market.ts';
import { keyOf, keyOfText, unit } from '../market/synthetic/numbers.ts';
import type { Instrument } from '../market/types.ts';
import type { EventIds } from '../signals/event-id.ts';
import { priceText } from '../signals/notes.ts';
import type { NewsItem } from '../store/news.ts';
import type { NewsService } from './news-service.ts';
import { sentimentOf } from './sentiment.ts';

/** Share of the shocks that make news. */
const REPORTED_SHARE = 0.06;
/** A smaller move is not news, as a fraction. */
const MIN_MOVE = 0.003;
/** Symbols of reports about a broad fall. */
const BROAD = ['SPY', 'QQQ', 'IWM', 'DIA', 'SPX', 'COMP', 'NDX'];
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

  /** A shock as an observer of the price would report it, while the price rests at the level of the shock. */
  const shockItem = (instrument: Instrument, begin: number, rests: number): NewsItem | null => {
    const { symbol } = instrument;
    const delay = 1 + Math.floor(5 * unit(keyOfText(world, `${symbol} ${begin}`)));
    const at = Math.floor((rests + delay * MINUTE_MS) / 1000) * 1000;
    const [before, after] = [past.price(symbol, begin), past.price(symbol, at)];
    const move = after / before - 1;
    if (!(Math.abs(move) >= MIN_MOVE)) return null;
    const close = past.bar(symbol, dayOf(at) - 1)?.close ?? null;
    const { headline, summary, short } = textFor(instrument, { before, after, close, begin, at });
    return item(at, symbol, headline, summary, [symbol], [instrument.name, short, 'fund', 'shares']);
  };

  const shocksOf = (day: number): NewsItem[] =>
    listed.flatMap((instrument) => {
      const key = keyOfText(world, instrument.symbol);
      const shocks = past.shocks(instrument.symbol, day, (slot) => unit(keyOf(key, slot)) < REPORTED_SHARE);
      return shocks.flatMap(([first, second]) =>
        first === undefined || second === undefined ? [] : (shockItem(instrument, first.at, second.at) ?? []),
      );
    });

  /** Joint falls in the same minute, seen in the broad funds and indices. */
  const broadOf = (day: number): NewsItem[] => {
    const begun = new Map<number, string[]>();
    for (const { symbol } of listed.filter((one) => BROAD.includes(one.symbol))) {
      for (const [first] of past.shocks(symbol, day, () => true)) {
        if (first !== undefined) begun.set(first.at, [...(begun.get(first.at) ?? []), symbol]);
      }
    }
    return [...begun].flatMap(([begin, symbols]) => {
      if (symbols.length < 2) return [];
      const at = Math.floor((begin + 4 * MINUTE_MS) / 1000) * 1000;
      const moves = symbols.map((symbol) => ({ symbol, move: past.price(symbol, at) / past.price(symbol, begin) - 1 }));
      const fallen = moves.filter(({ move }) => move <= -MIN_MOVE).sort((a, b) => a.move - b.move);
      if (fallen.length < 2) return [];
      const names = fallen.map(({ symbol }) => symbol);
      const headline = `Broad fall: ${listUpTo(names, 3)} drop within a minute`;
      const summary = `At ${minuteOf(begin)} ${list(fallen.map(({ symbol, move }) => `${symbol} (down ${percent(move)})`))} fell at once.`;
      return item(at, 'broad', headline, summary, names);
    });
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
    [...shocksOf(day), ...broadOf(day), ...wrapOf(day)].sort(
      (a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1),
    );
}

const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(11, 16)} UTC`;
interface PriceMove {
  readonly before: number;
  readonly after: number;
  /** Close of the previous day. */
  readonly close: number | null;
  readonly begin: number;
  readonly at: number;
}

/** A name as people say it: "Coca-Cola" of "The Coca-Cola Company". */
export const shortName = (name: string): string =>
  name
    .replace(/,? (Inc\.|Corporation|Company|& Co\.|Incorporated|ETF Trust|Trust|Fund|ETF|Index)$/, '')
    .replace(/^The /, '');

function textFor(
  { symbol, name }: Instrument,
  { before, after, close, begin, at }: PriceMove,
): { headline: string; summary: string; short: string } {
  const move = after / before - 1;
  const short = shortName(name);
  const headline = `${short} ${move < 0 ? 'drops' : 'gains'} ${percent(move)} in minutes`;
  const whole = close === null ? null : after / close - 1;
  const against =
    whole === null ? '' : ` Against the close of the day before it is ${whole < 0 ? 'down' : 'up'} ${percent(whole)}.`;
  const sentence = `${name} (${symbol}) went from ${priceText(before)} at ${minuteOf(begin)} to ${priceText(after)} at ${minuteOf(at)}.`;
  return { headline, summary: `${sentence}${against}`, short };
}
