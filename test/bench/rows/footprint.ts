// Bench: memory, idle processor use, page size and start-up time of the app.
// Reported, without a goal.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { start, TOP } from '../../harness/processes.ts';
import { startService } from '../../harness/service.ts';
import type { Row, Side } from '../row.ts';
import { processorSeconds, residentMegabytes, runApp, wakeUps } from '../support/running-app.ts';

/** While the app is left alone; a minute would leave no time for the rest of the row. */
const IDLE_MS = 20_000;
const LARGEST = 8;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const value = (label: string, unit: string, number: number): Side => ({ label, unit, values: [number] });

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
};

/** Characters of the built page by package or by our own folder, largest first. */
async function largestPackages(): Promise<[string, number][]> {
  const sizes = new Map<string, number>();
  await build({
    configFile: join(TOP, 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
    plugins: [
      {
        name: 'sizes',
        generateBundle(_options, bundle) {
          for (const part of Object.values(bundle)) {
            if (part.type !== 'chunk') continue;
            for (const [id, { renderedLength }] of Object.entries(part.modules)) {
              const name =
                /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ??
                `our ${/\/(renderer|shared)\//.exec(id)?.[1] ?? 'rest'}`;
              sizes.set(name, (sizes.get(name) ?? 0) + renderedLength);
            }
          }
        },
      },
    ],
  });
  return [...sizes].sort(([, a], [, b]) => b - a);
}

function pageSizes(): Side[] {
  const folder = join(TOP, 'dist', 'renderer', 'assets');
  const files = readdirSync(folder).map((name) => join(folder, name));
  const bytes = (pattern: RegExp): number =>
    files.filter((file) => pattern.test(file)).reduce((sum, file) => sum + statSync(file).size, 0);
  const packed = files
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  const page = readFileSync(join(TOP, 'dist', 'renderer', 'index.html'), 'utf8');
  const first = files.filter((file) => file.endsWith('.js') && page.includes(basename(file)));
  return [
    value(
      'page: scripts before the first paint',
      'KB',
      first.reduce((sum, file) => sum + statSync(file).size, 0) / 1024,
    ),
    value('page: scripts', 'KB', bytes(/\.js$/) / 1024),
    value('page: scripts, gzipped', 'KB', packed / 1024),
    value('page: styles', 'KB', bytes(/\.css$/) / 1024),
    value('page: fonts', 'KB', bytes(/\.woff2?$/) / 1024),
  ];
}

export const footprint: Row = {
  name: 'footprint',
  what: 'memory and processor of the app (core and sandbox service in one process), size of its page, start broken down',
  floor: 'nothing: these numbers are reported',
  goal: null,
  async run(context) {
    const node = await seconds(() => start(process.execPath, ['-e', '0']).exit);
    const core = await seconds(
      () => start(process.execPath, ['--input-type=module', '-e', "await import('./main/core/monitor.ts')"]).exit,
    );
    const modules = await seconds(
      () => start(process.execPath, ['--input-type=module', '-e', "await import('./service/assemble.ts')"]).exit,
    );
    const service = await seconds(async () => {
      const one = await startService({ environment: 'sandbox' });
      await one.process.kill();
    });
    const app = await runApp(context);
    const started = processorSeconds(app.pid);
    const early = residentMegabytes(app.pid);
    const warm = await app.settled();
    const before = processorSeconds(app.pid);
    const asleep = wakeUps(app.pid);
    await pause(IDLE_MS);
    const idle = ((processorSeconds(app.pid) - before) / IDLE_MS) * 1000;
    const woken = (wakeUps(app.pid) - asleep) / (IDLE_MS / 1000);
    const late = residentMegabytes(app.pid);
    await app.stop();
    const packages = await largestPackages();
    return {
      ratio: null,
      spread: null,
      sides: [
        value('resident memory', 'MB', late),
        value('processor while idle, 40 symbols', '% of a core', 100 * idle),
        value('wake-ups while idle, all threads', 'per second', woken),
        value('start: node itself', 's', node),
        value("start: node and the core's modules", 's', core),
        value("start: node and the service's modules", 's', modules),
        value('start: the service alone, to its ready', 's', service),
        value('start: npm start, to its ready', 's', app.startSeconds),
        value('start: processor time of the app until then', 's', started),
        value('start: until the work that it leaves is done (validation record, back-fill, archive)', 's', warm),
        value('resident memory at ready', 'MB', early),
        ...pageSizes(),
      ],
      notes: [
        `largest parts of the page, KB before it is made small: ${packages
          .slice(0, LARGEST)
          .map(([name, size]) => `${name} ${Math.round(size / 1024)}`)
          .join(', ')}`,
      ],
    };
  },
};
