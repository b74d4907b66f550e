// End to end: the factors of a symbol and the history of regimes, against the service's numbers.
import { expect, type Page } from '@playwright/test';
import { inspectThemes, picture } from './inspection.ts';
import { openApp, savedBy } from './open-app.ts';
import { test } from './test-host.ts';
import { turnTo } from './window.ts';

interface Factors {
  readonly factors: readonly {
    readonly name: string;
    readonly power: number | null;
    readonly contribution: number | null;
  }[];
}
interface Validation {
  /** The record of alerts within the day: the sandbox has prices within the day. */
  readonly live: {
    readonly symbols: readonly {
      readonly symbol: string;
      readonly holdout: { readonly tp: number; readonly fp: number };
    }[];
  };
}

const view = (page: Page, name: string) => page.getByRole('group', { name: 'Record' }).getByRole('button', { name });
const written = (power: number | null): string => (power === null ? '–' : String(Math.round(power * 100)));

test('what moved most, in words and numbers of the service; all twelve ranked on demand', {
  tag: '@long',
}, async ({ host }) => {
  const { page, window, ask } = await openApp(host);
  await expect(window.chart('SPY')).toContainText('SPY from ');

  await test.step('the names in the radar are those of the lines', async () => {
    await expect(page.getByRole('heading', { name: /^Moved most in 5 sessions since / })).toBeVisible();
    const { factors } = (await ask('/factors?symbol=SPY')) as Factors;
    const lines = page.locator('.most li');
    expect(await lines.count()).toBeGreaterThan(0);
    await expect(page.locator('.radar text')).toHaveCount(await lines.count());
    for (const line of await lines.all()) {
      const name = (await line.locator('b').textContent()) ?? '';
      const power = factors.find((factor) => factor.name === name)?.power ?? null;
      await expect(line).toContainText(` to ${written(power)}`);
    }
    await picture(page, 'factors-moved');
  });

  await test.step('every dimension with its power, ranked by its share of the risk', async () => {
    const { factors } = (await ask('/factors?symbol=SPY')) as Factors;
    await page.getByRole('button', { name: 'All twelve' }).click();
    const table = page.getByRole('table', { name: 'SPY: what moved' });
    await expect(table.getByRole('rowheader')).toHaveCount(12);
    const ranked = factors.toSorted((a, b) => Math.abs(b.contribution ?? 0) - Math.abs(a.contribution ?? 0));
    await expect(table.getByRole('rowheader').first()).toHaveText(ranked[0]?.name ?? '');
    for (const { name, power } of factors) await expect(table.getByRole('row', { name })).toContainText(written(power));
    await picture(page, 'factors-all');
    await page.getByRole('button', { name: 'All twelve' }).click();
  });

  await test.step('the radar announces every step', async () => {
    const radar = page.getByRole('slider', { name: 'SPY, factor by factor' });
    await radar.focus();
    await expect(radar).toHaveAttribute('aria-valuetext', /^Liquidity: now (\d+|–|none), before /);
    await radar.press('ArrowRight');
    await expect(radar).toHaveAttribute('aria-valuetext', /^Relationships: /);
    await radar.press('End');
    await expect(radar).toHaveAttribute('aria-valuetext', /^Chaos: /);
  });

  await test.step('two years by day and by month, and the export', async () => {
    await view(page, 'History').click();
    const days = page.getByRole('slider', { name: 'SPY, factors day by day' });
    await days.focus();
    await expect(days).toHaveAttribute('aria-valuetext', /^Wed 4 Mar 2026: Liquidity /);
    await days.press('Home');
    await expect(days).toHaveAttribute('aria-valuetext', /Mar 2024: Liquidity /);
    await picture(page, 'factors-history');
    await page.getByRole('button', { name: 'Export factors' }).click();
    const file = await savedBy(page, () => page.getByRole('menuitem', { name: 'CSV' }).click());
    const lines = file.bytes.toString('utf8').trim().split('\n');
    expect(lines[0]).toBe(
      'symbol,time,liquidity,relationships,volatility,economics,risk_premium,clarity,protection,momentum,structure,sentiment,velocity,chaos',
    );
    // Two years of a world that trades every day.
    expect(lines.length).toBeGreaterThan(700);
    await page.getByRole('group', { name: 'Show history as' }).getByRole('button', { name: 'Table' }).click();
    await expect(page.getByRole('table', { name: 'SPY: Month by month' }).getByRole('rowheader')).toHaveCount(25);
  });
});

test('the timeline by day, hour and minute, a custom range, and its exports', { tag: '@long' }, async ({ host }) => {
  const { service, page, window, ask } = await openApp(host);
  await expect(window.chart('SPY')).toContainText('SPY from ');
  const range = page.getByRole('group', { name: 'Range' });
  const resolution = page.getByRole('group', { name: 'Time step' });
  const chart = page.getByRole('slider', { name: 'SPY, day by day' });

  await test.step('hours carry the time of day', async () => {
    await resolution.getByRole('button', { name: 'Hour' }).click();
    await chart.focus();
    await expect(chart).toHaveAttribute('aria-valuetext', /\d\d:\d\d: .*(trend|Stress)/);
    await picture(page, 'timeline-hour');
  });

  await test.step('without minutes in the plan the page shows hours and says so', async () => {
    await resolution.getByRole('button', { name: 'Minute' }).click();
    await expect(page.getByText('Minutes fit two days; hours are shown.')).toBeVisible();
    await expect(range.getByRole('button', { name: '30 D' })).toHaveAttribute('aria-pressed', 'true');
    await range.getByRole('button', { name: '1 D' }).click();
    await expect(resolution.getByRole('button', { name: 'Minute' })).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByText('Minute steps require the Institutional plan. Hours are shown.')).toBeVisible();
  });

  await test.step('a step by key beyond the shown range moves the range', async () => {
    await resolution.getByRole('button', { name: 'Day' }).click();
    await range.getByRole('button', { name: '30 D' }).click();
    await chart.focus();
    await page.keyboard.press('Home');
    const day = /^\w+ \d+ \w+/.exec((await chart.getAttribute('aria-valuetext')) ?? '')?.[0] ?? 'no day';
    await expect(page.getByText(`The chart shows ${day} to `)).toBeAttached();
    await picture(page, 'timeline-stepped');
  });

  await test.step('a custom range', async () => {
    await page.getByRole('button', { name: 'Custom', exact: true }).click();
    await page.getByRole('textbox', { name: 'From' }).fill('2026-01-10');
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('2026-01-31');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page.getByText('The chart shows Sat 10 Jan to Sat 31 Jan.')).toBeAttached();
  });

  await test.step('exports as data and as an image', async () => {
    const save = async (item: string) => {
      await page.getByRole('button', { name: 'Export timeline' }).click();
      return savedBy(page, () => page.getByRole('menuitem', { name: item }).click());
    };
    const json = JSON.parse((await save('JSON')).bytes.toString('utf8'));
    expect(json).toMatchObject({ symbol: 'SPY', environment: 'sandbox', granularity: 'day' });
    const history = (await ask('/history?symbol=SPY&limit=100')) as { data: { timestamp: string; price: number }[] };
    const served = new Map(history.data.map((point) => [point.timestamp, point.price]));
    expect(json.points.length).toBeGreaterThan(18);
    for (const point of json.points) expect(point.price).toBe(served.get(point.time));
    const csv = (await save('CSV')).bytes.toString('utf8');
    expect(csv.split('\n').filter((line) => line.startsWith('point,SPY,'))).toHaveLength(json.points.length);
    const png = await save('Picture (PNG)');
    expect(png.name).toBe('SPY-timeline-day.png');
    expect([...png.bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(png.bytes.length).toBeGreaterThan(5000);
  });

  await test.step('in a low window the plot is first', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    const plot = page.locator('.chart-host');
    await plot.scrollIntoViewIfNeeded();
    // Both panes and the time axis; the line below the prices takes 76 of them. The slider of days is below.
    await expect.poll(async () => (await plot.boundingBox())?.height ?? 0).toBeGreaterThan(260);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('a symbol that has only regimes has its price, and its newest day is the last one shown', async () => {
    await page.getByRole('row', { name: /^BTC\b/ }).click();
    const figure = page.getByRole('figure', { name: 'BTC: price with regimes' });
    await expect(figure).toContainText(/price between .* last /);
    await expect(page.getByText(/^The chart shows .* to Wed 4 Mar\.$/)).toBeAttached();
    const { price } = (await ask('/regime/BTC')) as { price: number };
    const shown = price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    await expect(page.locator('.symbol-header')).toContainText(shown);
  });

  await test.step('a day two weeks ago: list, chart and radar of then, marked on every page; Escape leads back', async () => {
    await page.getByRole('row', { name: /^SPY\b/ }).click();
    const days = page.getByRole('slider', { name: 'Day shown' });
    await days.focus();
    for (let day = 0; day < 14; day++) await days.press('ArrowLeft');
    await expect(days).toHaveAttribute('aria-valuetext', 'Wed 18 Feb 19:00');
    const { data } = (await ask('/history?symbol=SPY&limit=100')) as { data: { timestamp: string; price: number }[] };
    const then = data.find(({ timestamp }) => timestamp === '2026-02-19T00:00:00.000Z')?.price.toFixed(2) ?? 'none';
    await expect(window.row('SPY')).toContainText(then);
    await expect(page.locator('.symbol-header')).toContainText(then);
    await expect(window.chart('SPY')).toContainText(/to Wed 18 Feb: /);
    await expect(
      page.getByRole('heading', { name: /^Moved most in 5 sessions from .* to 18 Feb 19:00$/ }),
    ).toBeVisible();
    const mark = page.getByRole('region', { name: 'A past moment is shown' });
    await expect(mark).toContainText('Shown: Wed 18 Feb 19:00 New York.');
    await inspectThemes(page, 'past');
    await turnTo(page, 'Alerts');
    await expect(mark).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(mark).toBeHidden();
    await turnTo(page, 'Watch');
  });

  await test.step('the hold-out record of the symbol is under More, as the service computes it', async () => {
    await page.getByRole('row', { name: /^SPY\b/ }).click();
    // Asked for, it is computed: some half a minute after a first start.
    let record: Validation | null = null;
    await expect(async () => {
      record = (await ask('/api/validation/metrics')) as Validation;
    }).toPass({ timeout: 120_000 });
    const { symbols } = (record as unknown as Validation).live;
    const row = symbols.find(({ symbol }) => symbol === 'SPY');
    const { tp, fp } = row?.holdout ?? { tp: 0, fp: 0 };
    await page.getByRole('button', { name: 'More about SPY' }).click();
    await expect(page.getByText(`${tp} of ${tp + fp} right, caught `)).toBeVisible();
    await expect(page.getByText(/^Updated \d\d:\d\d, next update \d\d:\d\d/)).toBeVisible();
  });

  await test.step('a row of the record leads to its card in the chart', async () => {
    await service.trigger('signal.high_risk', 'SPY');
    await range.getByRole('button', { name: '30 D' }).click();
    await view(page, 'Transitions').click();
    const row = page.getByTitle(/^Show .* in the chart$/).first();
    await row.click();
    await expect(page.locator('.readout.card')).toContainText(
      /(Normal|Elevated|High Risk) to (Normal|Elevated|High Risk), /,
    );
  });
});
