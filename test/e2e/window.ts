// End to end: the window as a trader finds things in it: by role and by name.
import type { Locator, Page } from '@playwright/test';

export interface Window {
  readonly page: Page;
  readonly list: Locator;
  /** The row of a symbol in the watchlist. Its accessible name holds all its values: "SPY, High Risk, for 3 minutes, ...". */
  row(symbol: string): Locator;
  readonly environment: Locator;
  readonly inbox: Locator;
  /** Rows of the inbox, in any of its groups: "SPY High Risk past 2.1 % 10:30". */
  inboxItem(symbol: string, state: string): Locator;
  readonly outage: Locator;
  /** The chart of a symbol, with its summary as text. */
  chart(symbol: string): Locator;
  /** Share of the chart's pixels that have the colour of High Risk, which only strip and markers use. */
  highRiskInk(symbol: string): Promise<number>;
}

export function windowOf(page: Page): Window {
  const inbox = page.getByRole('region', { name: 'Alert inbox', exact: true });
  const chart = (symbol: string) => page.getByRole('figure', { name: `${symbol}: price with regimes` });
  return {
    page,
    list: page.getByRole('grid', { name: 'Desk list' }),
    row: (symbol) => page.getByRole('row', { name: new RegExp(`^${symbol}, `) }),
    environment: page.getByRole('region', { name: 'Environment' }),
    inbox,
    inboxItem: (symbol, state) => inbox.getByRole('button', { name: new RegExp(`^${symbol} ${state} `) }),
    outage: page.getByRole('region', { name: /^Not receiving data since / }),
    chart,
    highRiskInk: (symbol) => chart(symbol).evaluate(shareOfHighRisk),
  };
}

/** Opens a page by its tab, or a section of the settings. */
export async function turnTo(
  page: Page,
  name: 'Watch' | 'Alerts' | 'Briefings' | 'Record' | 'Settings',
  section?: string,
): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  if (section !== undefined)
    await page.getByRole('navigation', { name: 'Settings sections' }).getByRole('button', { name: section }).click();
}

/** Runs in the page. The chart is drawn on canvases, one over the other. */
function shareOfHighRisk(figure: Element): number {
  const probe = document.createElement('i');
  probe.style.color = 'var(--high)';
  figure.append(probe);
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
  probe.remove();
  let same = 0;
  let all = 0;
  for (const canvas of figure.querySelectorAll('canvas')) {
    if (canvas.width === 0 || canvas.height === 0) continue;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    all += pixels.length / 4;
    for (let index = 0; index < pixels.length; index += 4)
      if (
        pixels[index] === red &&
        pixels[index + 1] === green &&
        pixels[index + 2] === blue &&
        pixels[index + 3] === 255
      )
        same += 1;
  }
  return same / all;
}
