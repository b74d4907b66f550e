// Bench: opens the page of the timeline rows in a browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import type { Context } from '../row.ts';
import { openBrowser } from './browser-page.ts';
import type { ChartSide } from './timeline-page.ts';

export const POINTS = 200_000;
const ROUND_MS = 2_500;

/**
 * @param script of a peer, for the side "peer"
 * @returns measures frames a second of one side
 */
export async function openTimeline(context: Context, script?: string): Promise<(side: ChartSide) => Promise<number>> {
  const outDir = join(context.folder, 'page');
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      lib: {
        entry: join(import.meta.dirname, 'timeline-page.ts'),
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
  if (script !== undefined) await page.addScriptTag({ path: script });
  return (side) =>
    page.evaluate(
      ([which, points, ms]) =>
        (window as unknown as { framesOf(side: string, points: number, ms: number): Promise<number> }).framesOf(
          which,
          points,
          ms,
        ),
      [side, POINTS, ROUND_MS] as const,
    );
}
