// Soak: `npm run soak` measures memory of service, core and window, and frames, under load.
// Frames: window beside an empty page. Prints a table, writes test-results/soak.json; exit code 1 on growth.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { startApp } from '../harness/app.ts';
import { findBrowser } from '../harness/browser.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { startService, TEST_KEY } from '../harness/service.ts';
import { newCommand, wholeNumber } from '../runner/command.ts';
import { type Frames, framesOf, lateShare } from './frames.ts';
import { type Growth, growthOf } from './growth.ts';

const MB = 1024 * 1024;
const SAMPLES_A_MINUTE = 4;
/** Frames of one page are counted for this long at a time, ms. */
const WATCHED = 10_000;
/** Pause after a page came to the front, ms. */
const SHOWN = 2_000;
const MIN_MINUTES = 2;

interface Flags {
  readonly minutes: number;
  readonly symbols: number;
  readonly rate: number;
}

const flags = newCommand('soak', 'Lets the app run under load and watches its memory and its frames.')
  .option('--minutes <number>', 'how long', wholeNumber(MIN_MINUTES), 30)
  .option('--symbols <number>', 'symbols of the world and of the watchlist', wholeNumber(2), 500)
  .option('--rate <number>', 'transitions a second', wholeNumber(1), 50)
  .parse()
  .opts<Flags>();

const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

/** Reachable bytes of the page's heap. */
async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

/** Every symbol of the service, page by page. */
async function symbolsOf(url: string): Promise<string[]> {
  const symbols: string[] = [];
  let after: string | null = null;
  do {
    const pageUrl = new URL('/snapshot', url);
    pageUrl.searchParams.set('limit', '100');
    if (after !== null) pageUrl.searchParams.set('after', after);
    const answer = await fetch(pageUrl, { headers: { 'x-api-key': TEST_KEY } });
    if (!answer.ok) throw new Error(`${pageUrl.pathname} answered ${answer.status}: ${await answer.text()}`);
    const page: { data: { symbol: string }[]; has_more: boolean; next_cursor: string | null } = await answer.json();
    symbols.push(...page.data.map(({ symbol }) => symbol));
    after = page.has_more ? page.next_cursor : null;
  } while (after !== null);
  return symbols;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const folder = temporaryFolder();
const service = await startService({ environment: 'sandbox', key: TEST_KEY, symbols: flags.symbols, rate: flags.rate });
const dataDir = join(folder.path, 'app');
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const symbols = await symbolsOf(service.url);
if (symbols.length < flags.symbols) throw new Error(`the service has ${symbols.length} symbols, not ${flags.symbols}`);
writeFileSync(
  join(dataDir, 'settings.json'),
  JSON.stringify({
    version: 1,
    profiles: [{ name: 'soak', environment: 'sandbox', baseUrl: service.url, mode: 'auto', enabled: true }],
    watchlists: [{ id: 'all', name: 'Everything', sections: [{ name: 'All', symbols }] }],
    selected: symbols[0] ?? null,
  }),
);
const app = await startApp({ dataDir, profile: 'soak', key: TEST_KEY });
const browser = await chromium.launch((await findBrowser()).launchOptions);
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(app.url);
  await page.getByRole('grid', { name: 'Everything' }).waitFor();
  const empty = await context.newPage();
  const session = await context.newCDPSession(page);
  console.log(`${symbols.length} symbols, ${flags.rate} transitions a second, ${flags.minutes} minutes`);

  const memory = { service: [] as number[], core: [] as number[], window: [] as number[] };
  const frames = { window: [] as Frames[], empty: [] as Frames[] };
  const watch = async (shown: Page, into: Frames[]): Promise<void> => {
    await shown.bringToFront();
    // A window that is shown again first catches up; that is not its steady drawing.
    await pause(SHOWN);
    into.push(await shown.evaluate(framesOf, WATCHED));
  };
  const every = 60_000 / SAMPLES_A_MINUTE;
  const end = performance.now() + flags.minutes * 60_000;
  for (let turn = 0; performance.now() < end; turn += 1) {
    const began = performance.now();
    // In turns, so that both meet the same load of the machine.
    await (turn % 2 === 0 ? watch(page, frames.window) : watch(empty, frames.empty));
    memory.service.push(residentBytes(service.process.pid));
    memory.core.push(residentBytes(app.process.pid));
    memory.window.push(await heapBytes(session));
    await pause(Math.max(0, every - (performance.now() - began)));
  }

  const growth: Record<string, Growth> = Object.fromEntries(
    Object.entries(memory).map(([name, samples]) => [name, growthOf(samples, every)]),
  );
  for (const [name, { before, after, perHour, grew }] of Object.entries(growth))
    console.log(
      `${name.padEnd(8)} ${(before / MB).toFixed(1).padStart(7)} MB -> ${(after / MB).toFixed(1).padStart(7)} MB, ${(perHour / MB).toFixed(1).padStart(6)} MB an hour  ${grew ? 'GROWS' : 'flat'}`,
    );
  const late = { window: lateShare(frames.window), empty: lateShare(frames.empty) };
  console.log(
    `frames over 50 ms: window ${(100 * late.window).toFixed(2)} %, empty page ${(100 * late.empty).toFixed(2)} %: ${(100 * (late.window - late.empty)).toFixed(2)} % more (goal: at most 1 %)`,
  );
  mkdirSync('test-results', { recursive: true });
  writeFileSync('test-results/soak.json', JSON.stringify({ ...flags, growth, late, memory, frames }, null, 1));
  if (Object.values(growth).some(({ grew }) => grew)) process.exitCode = 1;
} finally {
  await browser.close();
  await app.process.kill();
  await service.process.kill();
  folder.remove();
}
