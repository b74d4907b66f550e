// End to end: a trader says what a list holds, by keyboard and paste, and reads its risk by weight.
import { expect } from '@playwright/test';
import { inspectThemes, violations } from './inspection.ts';
import { openApp, savedBy } from './open-app.ts';
import { test } from './test-host.ts';

test('holdings are typed, changed, removed and exported; the list shows their risk', { tag: '@long' }, async ({
  host,
}) => {
  const { page, window, ask } = await openApp(host);
  await expect(window.row('SPY')).toBeVisible();
  const risk = page.getByRole('region', { name: 'Risk of the holdings' });
  const dialog = page.getByRole('dialog', { name: 'Holdings of Desk list' });
  const cell = (name: string) => dialog.getByRole('textbox', { name, exact: true });
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Watchlist: Desk list' }).click();
    await page.getByRole('menuitem', { name: 'Holdings…' }).click();
    await expect(dialog).toBeVisible();
  };
  const save = () => dialog.getByRole('button', { name: 'Save holdings' }).click();
  /** By the service: the share of weight in this state, as the line says it. */
  const share = async (weights: Readonly<Record<string, number>>, state: number): Promise<string> => {
    const { data } = (await ask('/snapshot')) as { readonly data: readonly { symbol: string; state: number }[] };
    const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    const own = data.filter((one) => one.state === state).reduce((sum, { symbol }) => sum + (weights[symbol] ?? 0), 0);
    return (Math.floor((1000 * own) / all) / 10).toFixed(1);
  };
  const showsRisk = async (weights: Readonly<Record<string, number>>): Promise<void> => {
    for (const [state, label] of [
      [2, 'High Risk'],
      [1, 'Elevated'],
      [0, 'Normal'],
    ] as const)
      await expect(risk).toContainText(
        new RegExp(`${(await share(weights, state)).replace('.', '\\.')}\\s%\\s${label}`),
      );
  };

  await test.step('by keys alone', async () => {
    await expect(risk).toBeHidden();
    await open();
    await expect(cell('Symbol, row 1')).toBeFocused();
    await page.keyboard.type('spy');
    await page.keyboard.press('Enter');
    await page.keyboard.type('60');
    await page.keyboard.press('Enter');
    await page.keyboard.type('qqq');
    await page.keyboard.press('Enter');
    await page.keyboard.type('-4');
    expect(await violations(page)).toEqual([]);
    // Nothing of it is out of sight to the side.
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await save();
    await expect(dialog.getByRole('alert')).toHaveText('An amount above 0, like 40.');
    await cell('Weight, row 2').fill('40');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Save holdings' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Watchlist: Desk list' })).toBeFocused();
  });

  await test.step('the risk is that of the service, by weight', async () => {
    await showsRisk({ SPY: 60, QQQ: 40 });
    await expect(risk).toContainText('Chance of the warned fall by weight:');
    await inspectThemes(page, 'holdings');
  });

  await test.step('changed, pasted and removed; what has no signal is named', async () => {
    await open();
    await cell('Weight, row 1').fill('20');
    await dialog.getByRole('button', { name: 'Add a holding' }).click();
    await cell('Symbol, row 3').evaluate((field) => {
      const data = new DataTransfer();
      data.setData('text', 'IWM\t20\nNOSIG\t20');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await expect(cell('Symbol, row 4')).toHaveValue('NOSIG');
    await expect(dialog.getByRole('status')).toHaveText('4 holdings, weights add up to 100.');
    await dialog.getByRole('button', { name: 'Remove QQQ' }).focus();
    await page.keyboard.press('Enter');
    await expect(cell('Symbol, row 2')).toBeFocused();
    await save();
    await expect(risk).toContainText('Not covered: 33.3\u00a0% of the weight (NOSIG).');
    await showsRisk({ SPY: 20, IWM: 20, NOSIG: 20 });
  });

  await test.step('exported, kept over a reload, and removed', async () => {
    await page.reload();
    await expect(risk).toContainText('NOSIG');
    await open();
    const file = await savedBy(page, () => dialog.getByRole('button', { name: 'Export CSV' }).click());
    expect(file.name).toBe('desk-list-holdings.csv');
    expect(file.bytes.toString()).toBe('symbol,weight\nSPY,20\nIWM,20\nNOSIG,20\n');
    for (const symbol of ['SPY', 'IWM', 'NOSIG'])
      await dialog.getByRole('button', { name: `Remove ${symbol}` }).click();
    await save();
    await expect(risk).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(risk).toContainText('NOSIG');
  });
});
