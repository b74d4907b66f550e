// Bench: a long timeline, scrolled and zoomed by a script.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { compare, interleave } from '../measure.ts';
import type { Row } from '../row.ts';
import { openBrowser } from '../support/browser-page.ts';

const POINTS = 200_000;
const ROUND_MS = 2_500;

export const timeline: Row = {
  name: 'timeline',
  what: `${POINTS.toLocaleString('en-US')} points on the timeline with states, regimes, transitions and gaps, panned and zoomed from a day to all of it; frames/s`,
  floor: 'bare lightweight-charts with the same series, moved the same way in the same browser',
  goal: { atLeast: 0.95 },
  async run(context) {
    const outDir = join(context.folder, 'page');
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: {
        outDir,
        emptyOutDir: true,
        lib: {
          entry: join(import.meta.dirname, '..', 'support', 'timeline-page.ts'),
          formats: ['iife'],
          name: 'bench',
          fileName: () => 'page.js',
        },
      },
    });
    const pages = await openBrowser(context);
    const page = await pages.open();
    await page.setContent('<!doctype html><title>timeline</title><body></body>');
    await page.addScriptTag({ content: readFileSync(join(outDir, 'page.js'), 'utf8') });
    const frames = (side: 'product' | 'bare'): Promise<number> =>
      page.evaluate(
        ([which, points, ms]) =>
          (window as unknown as { framesOf(side: string, points: number, ms: number): Promise<number> }).framesOf(
            which,
            points,
            ms,
          ),
        [side, POINTS, ROUND_MS] as const,
      );
    const pair = await interleave({
      product: () => frames('product'),
      floor: () => frames('bare'),
      rounds: 7,
      budget: 30_000,
    });
    return compare(pair, { product: 'timeline', floor: 'bare chart', unit: 'frames/s' });
  },
};
