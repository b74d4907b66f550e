// End to end: a newcomer starts the app on live prices of coins.
// The exchange is one of this computer.
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { FEED_SYMBOLS } from '../../shared/domain/price-feeds.ts';
import { startFakeBinance } from '../harness/fake-binance.ts';
import { picture } from './inspection.ts';
import { test } from './test-host.ts';
import { windowOf } from './window.ts';

const COINS = FEED_SYMBOLS.binance;

test('live prices of coins: the list, the state and the chart of a real market, from one flag', {
  tag: '@long',
}, async ({ host }) => {
  const exchange = await startFakeBinance({ now: Date.now, coins: COINS });
  const prices = setInterval(() => exchange.tick(), 1_000);
  try {
    const { page } = await host.open({
      dataDir: join(host.folder, 'app'),
      flags: [
        ...['--feed', 'binance'],
        ...['--feed-host', `rest=${exchange.hosts.rest}`],
        ...['--feed-host', `stream=${exchange.hosts.stream}`],
      ],
    });
    const window = windowOf(page);
    await expect(window.environment).toContainText('PRODUCTION');
    await expect(window.environment).toContainText('Live prices of Binance');
    for (const coin of COINS) await expect(window.row(coin)).toHaveAccessibleName(/, (Normal|Elevated|High Risk), /);
    await expect(window.row('BTC')).toHaveAttribute('aria-selected', 'true');
    await expect(window.chart('BTC')).toContainText('BTC from ');
    await expect.poll(() => exchange.subscribed().length).toBe(COINS.length);
    await picture(page, 'feed');
  } finally {
    clearInterval(prices);
    await exchange.close();
  }
});
