// Test: the picture of a symbol, as data and as SVG: nothing is guessed, and nothing is known by its colour alone.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Timeline } from '../../../shared/channels/queries.ts';
import type { Row } from '../../../shared/channels/state.ts';
import type { State } from '../../../shared/domain/states.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { type PictureContext, pictureData } from './picture-data.ts';
import { pictureSvg } from './picture-svg.ts';

const NOW = Date.parse('2026-03-04T15:30:00Z');
const CLOSE = Date.parse('2026-03-04T00:00:00Z');
const iso = (ms: number): string => new Date(ms).toISOString();

type Day = Partial<Pick<Timeline['points'][number], 'price' | 'state' | 'breach_level'>>;
/** Days up to the last close, oldest first. */
const timeline = (days: number, day: (index: number) => Day, more: Partial<Timeline> = {}): Timeline => ({
  symbol: 'SPY',
  points: Array.from({ length: days }, (_, index) => ({
    at: iso(CLOSE - (days - 1 - index) * DAY_MS),
    price: 500 + index,
    state: 0 as State,
    regime: null,
    confidence: null,
    breach_level: 480,
    ...day(index),
  })),
  transitions: [],
  ...more,
});
const row = (signal: object, more: Partial<Row> = {}): Row =>
  ({
    symbol: 'SPY',
    stale: false,
    signal: {
      name: 'SPDR S&P 500 ETF Trust',
      state: 2,
      price: 470.25,
      change_pct: -6.1,
      breach_level: 480,
      updated_at: iso(NOW),
      ...signal,
    },
    ...more,
  }) as Row;
const draw = (read: Timeline, more: Partial<PictureContext> = {}): string =>
  pictureSvg(pictureData(read, { row: row({}), gaps: [], now: NOW, origin: null, ...more }));
/** The texts of a picture, in order. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text = '']) =>
    text.replaceAll(/<tspan[^>]*>/g, ' ').replaceAll('</tspan>', ''),
  );
const count = (svg: string, part: string): number => svg.split(part).length - 1;

test('the same data is the same text', () => {
  const read = timeline(91, () => ({}));
  expect(draw(read)).toBe(draw(structuredClone(read)));
});

test('the colours of a picture are those of the light theme, with fill and text of each state', () => {
  const tokens = readFileSync(new URL('../../../renderer/theme/tokens.css', import.meta.url), 'utf8');
  const light = tokens.slice(tokens.indexOf('[data-theme="light"] {'));
  const colorOf = (name: string): string | undefined => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(light)?.[1];
  const drawn = [0, 1, 2].flatMap((state) => {
    const svg = draw(
      timeline(9, () => ({})),
      { row: row({ state }), origin: 'sandbox' },
    );
    return [...svg.matchAll(/#[0-9a-f]{6}/g)].map(([color]) => color);
  });
  const states = ['normal', 'normal-t', 'elevated', 'elevated-t', 'high', 'high-t'];
  const others = ['s1', 't1', 't2', 'line', 'unknown', 'sandbox'];
  expect(new Set(drawn)).toEqual(new Set([...states, ...others].map(colorOf)));
});

test('symbol, state, price, breach level and date are written', () => {
  const all = textsOf(draw(timeline(91, () => ({}))));
  expect(all).toEqual(
    expect.arrayContaining([
      'SPY High Risk',
      'SPDR S&amp;P 500 ETF Trust',
      '470.25',
      '−6.10\u00a0% today · Breach 480.00',
      'Breach 480.00',
      'As of Wed 4 Mar 2026, 15:30 UTC',
    ]),
  );
});

describe('a name', () => {
  test.each([
    ['of markup', '<script>alert("1")</script>', '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;'],
    ['of another script', 'שלום', ''],
    ['with an emoji', 'Rocket 🚀', ''],
    ['that is long', 'A'.repeat(90), `${'A'.repeat(35)}…`],
  ])('%s is escaped, shortened, or left out where the font has no letters for it', (_, name, shown) => {
    const svg = draw(
      timeline(91, () => ({})),
      { row: row({ name }) },
    );
    expect(svg).not.toContain('<script');
    expect(textsOf(svg)[1]).toBe(shown === '' ? '470.25' : shown);
  });

  test('a service’s own word for a state stands in quotation marks', () => {
    expect(
      textsOf(
        draw(
          timeline(9, () => ({})),
          { row: row({ state_word: 'panic' }) },
        ),
      )[0],
    ).toBe('SPY “panic”');
    expect(
      textsOf(
        draw(
          timeline(9, () => ({})),
          { row: row({ state_word: 'קר' }) },
        ),
      )[0],
    ).toBe('SPY Another state');
  });
});

describe('what is not known', () => {
  test('days without prices are hatched, written, and no line runs through them', () => {
    const svg = draw(timeline(91, (index) => ({ price: index > 30 && index < 50 ? null : 500 })));
    expect(textsOf(svg)).toContain('no prices');
    expect(count(svg, 'stroke-width="3"')).toBe(2);
  });

  test('a range without prices that the service names is a gap also where days have prices', () => {
    const holes = [{ from: iso(CLOSE - 40 * DAY_MS), to: iso(CLOSE - 20 * DAY_MS), reason: 'a fault' }];
    const svg = draw(timeline(91, () => ({}), { holes }));
    expect(textsOf(svg)).toContain('no prices');
  });

  test('before a short history nothing is drawn but the hatch, which says so', () => {
    const data = pictureData(
      timeline(5, () => ({})),
      { row: row({}), gaps: [], now: NOW, origin: null },
    );
    expect(Math.round((data.axis.to - data.axis.from) / DAY_MS)).toBe(90);
    expect(textsOf(pictureSvg(data))).toContain('no history');
    expect(data.bands[0]?.from).toBe(CLOSE - 4 * DAY_MS);
  });

  test('an unknown price, breach level and state are said', () => {
    const unknown = { price: null, breach_level: null, change_pct: null };
    const all = textsOf(
      draw(
        timeline(0, () => ({})),
        { row: row(unknown) },
      ),
    );
    expect(all).toEqual(expect.arrayContaining(['Price unknown', 'Breach level unknown', 'no prices']));
    expect(
      textsOf(
        draw(
          timeline(0, () => ({})),
          { row: undefined },
        ),
      )[0],
    ).toBe('SPY State unknown');
  });

  test('a gap of the ledger that is open cuts the states', () => {
    const gap = { id: 1, from: iso(CLOSE - 20 * DAY_MS), to: iso(CLOSE - 10 * DAY_MS), closed: false } as never;
    const { bands } = pictureData(
      timeline(91, () => ({})),
      { row: undefined, gaps: [gap], now: NOW, origin: null },
    );
    expect(bands.map(({ from, to }) => [from < CLOSE - 20 * DAY_MS, to > CLOSE])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('an old price is called old, and has neither breach level nor change of today', () => {
    const old = row({ updated_at: iso(NOW - 30 * DAY_MS), data_health: 'stale' });
    const all = textsOf(
      draw(
        timeline(60, () => ({})),
        { row: old, now: NOW + 30 * DAY_MS },
      ),
    ).join('|');
    expect(all).toContain('· old prices');
    expect(all).not.toContain('today');
    expect(all).toContain('Breach level unknown');
  });

  test('a fault of the prices is written', () => {
    expect(
      textsOf(
        draw(
          timeline(91, () => ({})),
          { row: row({ data_health: 'question' }) },
        ),
      ).join(),
    ).toContain('a price is in question');
  });
});

describe('states', () => {
  const turns = [
    { occurred_at: iso(CLOSE - 30 * DAY_MS), to_state: 1 },
    { occurred_at: iso(CLOSE - 17 * DAY_MS), to_state: 2 },
  ] as Timeline['transitions'];

  test('each has its height, its fill and its word', () => {
    const svg = draw(timeline(91, (index) => ({ state: index < 70 ? 0 : 2 }), { transitions: turns }));
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['Normal', 'Elevated', 'High Risk']));
    expect([count(svg, 'fill="url(#elevated)"'), count(svg, 'height="44" fill="#b0103a"')]).toEqual([1, 1]);
  });

  test('a High Risk of an hour is seen', () => {
    const brief = [
      { occurred_at: iso(CLOSE - 20 * DAY_MS), to_state: 2 },
      { occurred_at: iso(CLOSE - 20 * DAY_MS + 3_600_000), to_state: 0 },
    ] as Timeline['transitions'];
    expect(draw(timeline(91, () => ({}), { transitions: brief }))).toContain('width="4" height="44" fill="#b0103a"');
  });
});

test('a picture of a sandbox or a replay says so', () => {
  expect(
    textsOf(
      draw(
        timeline(91, () => ({})),
        { origin: 'sandbox' },
      ),
    ),
  ).toContain('SANDBOX');
  expect(
    textsOf(
      draw(
        timeline(91, () => ({})),
        { origin: 'replay' },
      ),
    ),
  ).toContain('REPLAY');
});
