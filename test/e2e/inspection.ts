// End to end: inspects a drawn page by axe, and saves pictures of it.
// `npm test` leaves this out.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';

/** axe costs a third of the processor time: `npm run test:all`, and a spec that is run alone, have it. */
export const isInspected = process.env.BAROGRAPH_TESTS !== 'short';
/** Pictures are for people, and fail no test: a spec that is run alone makes them. */
const hasPictures = process.env.BAROGRAPH_TESTS === undefined;

/**
 * What axe finds against WCAG 2.2 A and AA and its own best practices, one line each.
 * @param only contrast: the rest does not change with the theme
 * @param within a selector of the part that is new; the whole page takes many seconds
 */
export async function violations(
  page: Page,
  only: 'all' | 'contrast' = 'all',
  within: string | null = null,
): Promise<string[]> {
  if (!isInspected) return [];
  const axe = new AxeBuilder({ page });
  if (within !== null) axe.include(within);
  const { violations: found } = await (only === 'contrast'
    ? axe.withRules(['color-contrast', 'link-in-text-block'])
    : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  ).analyze();
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

/** Saves test-results/screens/NAME.png, or electron/NAME.png there. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = test.info().project.name === 'electron' ? 'screens/electron' : 'screens';
  if (hasPictures) await page.screenshot({ path: `test-results/${folder}/${name}.png` });
}

/** Pictures in both themes, large and small; axe in the audited themes. Ends in the dark one. */
export async function inspectThemes(
  page: Page,
  name: string,
  audited: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  if (!isInspected) return;
  await test.step(`${name}: inspected`, async () => {
    // During a transition between two themes no contrast is right.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const theme of ['light', 'dark'] as const) {
      const isNeeded = hasPictures || audited.includes(theme);
      if (theme === 'light' && !isNeeded) continue;
      // The window is dark before and after.
      const toggle = page.getByRole('button', { name: theme === 'light' ? 'Light theme' : 'Dark theme' });
      if (await toggle.isVisible()) await toggle.click();
      if (!isNeeded) continue;
      const only = theme === 'light' && audited.includes('dark') ? 'contrast' : 'all';
      if (audited.includes(theme)) expect(await violations(page, only)).toEqual([]);
      if (!hasPictures) continue;
      await picture(page, `${name}-${theme}`);
      await page.setViewportSize({ width: 900, height: 600 });
      await picture(page, `${name}-${theme}-900x600`);
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });
}
