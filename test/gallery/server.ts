// Gallery: `npm run gallery`: serves every component over the fixtures of the tests, in both themes.
import { join } from 'node:path';
import { createServer } from 'vite';
import { TOP } from '../harness/processes.ts';

const vite = await createServer({
  configFile: join(TOP, 'vite.config.ts'),
  root: join(TOP, 'test', 'gallery'),
  server: { host: '127.0.0.1', fs: { allow: [TOP] } },
  clearScreen: false,
});
await vite.listen();
vite.printUrls();
