// Develop: `npm run develop`: the app in a browser; the window reloads in place, the core starts again.
// Vite serves the sources of the window, through the app's own address. A change below main, service, shared or
// client starts the app again on the same data folder, and leads the open pages to its new address.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { messageOf } from '../shared/lib/result.ts';
import { DIST, ROOT } from './build.ts';

/** Folders of the core and the service. Vite follows what the window imports by itself. */
const RESTARTING = ['main', 'service', 'shared', 'client'].map((folder) => join(ROOT, folder));
/** Changes within this time start the app again once, ms: an editor may save several files. */
const GATHER_MS = 50;
/** Port of Vite. */
const PORT = 5180;
const MOVED = 'barograph:moved';

const say = (line: string): void => console.error(`develop: ${line}`);

/** Removes the policy of the built page, which allows no inline style, and follows the app to its new address. */
function developPage(): Plugin {
  const follower = `/@develop`;
  return {
    name: 'barograph-develop',
    resolveId: (id) => (id === follower ? id : undefined),
    load: (id) =>
      id === follower
        ? `import.meta.hot.on(${JSON.stringify(MOVED)}, ({ hash }) => { location.hash = hash; });`
        : undefined,
    transformIndexHtml: (html) => ({
      html: html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
      tags: [{ tag: 'script', attrs: { type: 'module', src: follower }, injectTo: 'head' }],
    }),
  };
}

/** Runs the app, and runs it again after each change, until this process ends. */
function followCore(vite: ViteDevServer, page: string, argv: readonly string[]): void {
  let app: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** Of a start that is not the first: the same port, no further window. */
  let again: readonly string[] = [];
  const run = (): void => {
    const child = spawn(
      process.execPath,
      [...process.execArgv, '--enable-source-maps', join(ROOT, 'main', 'develop-core.ts'), page, ...argv, ...again],
      { stdio: ['inherit', 'pipe', 'inherit'] },
    );
    app = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      console.log(line);
      const address = /^ready (\S+)$/.exec(line)?.[1];
      if (address === undefined) return;
      const { port, hash } = new URL(address);
      again = ['--no-open', '--port', port];
      vite.ws.send({ type: 'custom', event: MOVED, data: { hash } });
    });
    child.once('exit', (code, signal) => {
      if (app !== child) return;
      app = null;
      if (signal === null && code !== 0) say('the app has ended; it starts again after the next change.');
      if (code === 0) process.exit(0);
    });
  };
  const restart = async (): Promise<void> => {
    const before = app;
    app = null;
    if (before !== null) {
      before.kill();
      await once(before, 'exit');
    }
    run();
  };
  vite.watcher.add(RESTARTING);
  vite.watcher.on('all', (_event, path) => {
    if (!/\.tsx?$/.test(path) || /\.test\.tsx?$/.test(path)) return;
    if (!RESTARTING.some((folder) => path.startsWith(folder))) return;
    clearTimeout(timer ?? undefined);
    timer = setTimeout(() => void restart(), GATHER_MS);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app?.kill() ?? process.exit(0));
  run();
}

const vite = await createServer({
  configFile: join(ROOT, 'vite.config.ts'),
  plugins: [developPage()],
  // The page comes from the app's port; it follows Vite on Vite's own.
  server: {
    host: '127.0.0.1',
    port: PORT,
    strictPort: true,
    fs: { allow: [ROOT] },
    hmr: { host: '127.0.0.1', clientPort: PORT },
  },
  clearScreen: false,
});
try {
  await vite.listen();
} catch (error) {
  say(`${messageOf(error)}. End what listens there, such as another npm run develop.`);
  process.exit(1);
}
const [page] = vite.resolvedUrls?.local ?? [];
if (page === undefined) throw new Error('Vite has no address.');
// The developer's own monitor keeps its data folder to itself.
followCore(vite, page, ['--data-dir', join(DIST, 'develop'), ...process.argv.slice(2)]);
