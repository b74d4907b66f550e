// Test: the real packager packs the application, and the packaged main process runs.
// A stand-in replaces Electron's binary. Checked: contents, size, fuses, threads, native modules, page.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Profile } from '../../main/core/profiles/settings.ts';
import { TOP } from '../architecture/files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun, whyNotLinux } from '../harness/not-run.ts';
import { start } from '../harness/processes.ts';
import { toolFolder, whyNoTool } from '../harness/tools.ts';
import { asar, fuses } from './packager.ts';
import { layOut, QUESTIONS, writeAppImageTools, writeElectronFolder, writeProgram } from './stand-in.ts';

const DIST = join(TOP, 'dist');
const why =
  process.env.BAROGRAPH_PACKAGES === '1'
    ? (whyNotLinux ?? whyNoTool('electron-builder'))
    : 'BAROGRAPH_PACKAGES=1 runs it';
/** Bytes of archive and plain files. They had 20 MB when this was written; much more means that something slipped in. */
const LARGEST = 30e6;

/** Packages bundled into dist/main, because the packager would lose a part of them. */
const BUILT_IN = ['feedsmith'];
/** Packages that only a service of its own, or the command line, needs. */
const LEFT_OUT = ['pg', 'prom-client', '@modelcontextprotocol/server'];

describe.skipIf(why)(`the packaged application${notRun(why)}`, () => {
  const folder = temporaryFolder();
  let resources = '';
  let archive = '';
  let plainFiles = '';
  let appImage = '';
  let names: string[] = [];
  beforeAll(async () => {
    // In its own process: the bundler's native modules clash with those of the test runner's worker.
    const build =
      "import('./main/build.ts').then(({ ensureBuilt }) => ensureBuilt(['renderer', 'preload', 'main'], console.error))";
    execFileSync(process.execPath, ['-e', build], { cwd: TOP, stdio: 'pipe' });
    const { version } = JSON.parse(readFileSync(join(TOP, 'node_modules/electron/package.json'), 'utf8'));
    const config = {
      extends: join(TOP, 'electron-builder.yml'),
      electronDist: await writeElectronFolder(folder.path, version),
      directories: { output: join(folder.path, 'release'), buildResources: 'assets' },
    };
    writeFileSync(join(folder.path, 'builder.json'), JSON.stringify(config));
    const program = join(toolFolder('electron-builder'), 'cli.js');
    const { tools, copy } = writeAppImageTools(folder.path);
    appImage = copy;
    execFileSync(
      process.execPath,
      [program, '--linux', 'AppImage', '--publish', 'never', '-c', join(folder.path, 'builder.json')],
      { cwd: TOP, stdio: 'pipe', env: { ...process.env, APPIMAGE_TOOLS_PATH: tools } },
    );
    resources = join(folder.path, 'release/linux-unpacked/resources');
    archive = join(resources, 'app.asar');
    plainFiles = `${archive}.unpacked`;
    names = asar().listPackage(archive, { isPack: false });
  }, 300_000);
  afterAll(folder.remove);

  /** Files that the packager left beside the archive. */
  const plainNames = (): string[] => readdirSync(plainFiles, { recursive: true, encoding: 'utf8' });
  const sizeOf = (name: string): number => {
    return asar().statFile(archive, name.slice(1)).size ?? 0;
  };

  test('holds what runs, and no sources, tests or tools', () => {
    expect(readdirSync(DIST).length).toBeGreaterThan(2);
    const top = new Set(names.map((name) => name.split('/')[1]));
    expect([...top].sort()).toEqual(['LICENSE', 'NOTICE', 'assets', 'dist', 'node_modules', 'package.json']);
    const files = names.filter((name) => sizeOf(name) > 0);
    expect(files.filter((name) => /\.(ts|tsx|map|cpp|c|h)$/.test(name))).toEqual([]);
    expect(files.filter((name) => /\/(test|tests|__tests__)\//.test(name))).toEqual([]);
    expect(files.filter((name) => /\/\.(env|git|npmrc)|\.(pem|key)$|build-lock|\.stamp$/.test(name))).toEqual([]);
    for (const needed of [
      '/dist/main/entry.js',
      '/dist/main/service.js',
      '/dist/main/keychain.js',
      '/dist/main/picture.js',
      '/node_modules/@resvg/resvg-wasm/index_bg.wasm',
      '/node_modules/@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff2',
      '/node_modules/@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff2',
      '/dist/main/validation.js',
      '/dist/main/archive.js',
      '/dist/preload/preload.cjs',
      '/dist/renderer/index.html',
      '/assets/tray/48.png',
      '/assets/icons/256x256.png',
    ])
      expect(names, needed).toContain(needed);
  });

  test('has no thread that would load the entry of the app', () => {
    const built = join(DIST, 'main');
    const loads = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.js') &&
        /from ["'][./]*entry\.js["']|import\(["'][./]*entry\.js/.test(readFileSync(join(built, name), 'utf8')),
    );
    expect(loads).toEqual([]);
  });

  test('holds packages that run, and none that build, test or belong to the window', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
    const packed = new Set(
      names.flatMap((name) => {
        const [, modules, first = '', second = ''] = name.split('/');
        return modules === 'node_modules' && first !== '' ? [first.startsWith('@') ? `${first}/${second}` : first] : [];
      }),
    );
    for (const name of Object.keys(dependencies))
      if (LEFT_OUT.includes(name)) expect(packed, name).not.toContain(name);
      else if (!BUILT_IN.includes(name)) expect(packed, name).toContain(name);
    for (const name of [
      'electron',
      'react',
      'react-dom',
      'lightweight-charts',
      'vite',
      'vitest',
      'typescript',
      '@playwright/test',
    ]) {
      expect(devDependencies, name).toHaveProperty(name);
      expect(packed, name).not.toContain(name);
    }
  });

  test('holds the licences of everything in it: packages, bundled code, fonts', () => {
    const isLicence = (name: string): boolean => /^(licen[cs]e|notice|copying)/i.test(name);
    // The packager lifts packages that npm had put below another.
    const sourceOf = (name: string): string =>
      join(TOP, existsSync(join(TOP, name)) ? name : (globSync(`node_modules/*${name}`, { cwd: TOP })[0] ?? name));
    const missing = names
      .filter((name) => /^\/node_modules\/(@[^/]+\/)?[^@/][^/]*$/.test(name))
      .flatMap((name) =>
        readdirSync(sourceOf(name), { withFileTypes: true })
          .filter((file) => file.isFile() && isLicence(file.name))
          .map((file) => `${name}/${file.name}`),
      )
      .filter((name) => !names.includes(name));
    expect(missing).toEqual([]);
    const { extractFile } = asar();
    const builtIn = extractFile(archive, 'dist/renderer/LICENSES.md').toString();
    for (const name of ['react', 'lightweight-charts', 'zustand']) expect(builtIn).toContain(`\n## ${name} - `);
    expect(extractFile(archive, 'dist/renderer/assets/LICENSES.worker.md').toString()).toContain('\n## marked - ');
    expect(extractFile(archive, 'dist/main/LICENSES.md').toString()).toContain('feedsmith');
    const fonts = readdirSync(join(folder.path, 'release/linux-unpacked/licenses'));
    expect(fonts.sort()).toEqual(['Atkinson-Hyperlegible.txt', 'IBM-Plex.txt']);
  });

  test('has all that threads and processes load beside the archive, and what windows load in it', () => {
    const isPlain = (name: string): boolean => asar().statFile(archive, name.slice(1)).unpacked === true;
    const files = names.filter((name) => sizeOf(name) > 0);
    const isLoadedByMain = (name: string): boolean => /^\/(dist\/main\/|node_modules\/|package\.json$)/.test(name);
    expect(files.filter((name) => isPlain(name) !== isLoadedByMain(name))).toEqual([]);
    expect(files.filter((name) => name.startsWith('/node_modules/@fontsource/'))).toHaveLength(4);
    for (const name of ['service', 'archive', 'validation', 'keychain', 'picture'])
      expect(existsSync(join(plainFiles, 'dist/main', `${name}.js`)), name).toBe(true);
  });

  test('holds native modules of this system only', () => {
    const natives = plainNames().filter((name) => name.endsWith('.node'));
    expect(natives).toContain(`node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`);
    expect(natives.some((name) => name.includes('@napi-rs/keyring-linux-'))).toBe(true);
    expect(natives.filter((name) => /darwin|win32/.test(name))).toEqual([]);
  });

  test('is not too large', () => {
    const plain = plainNames().map((name) => statSync(join(plainFiles, name)));
    const size = plain.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), statSync(archive).size);
    expect(size).toBeLessThan(LARGEST);
  });

  test('has its fuses burnt', async () => {
    const { FuseState, FuseV1Options, getCurrentFuseWire } = fuses();
    const wire = await getCurrentFuseWire(join(folder.path, 'release/linux-unpacked/barograph'));
    const stateOf = (fuse: unknown): string => (wire[Number(fuse)] === FuseState.ENABLE ? 'on' : 'off');
    expect({
      runAsNode: stateOf(FuseV1Options.RunAsNode),
      nodeOptions: stateOf(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: stateOf(FuseV1Options.EnableNodeCliInspectArguments),
      integrity: stateOf(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: stateOf(FuseV1Options.OnlyLoadAppFromAsar),
      cookies: stateOf(FuseV1Options.EnableCookieEncryption),
      files: stateOf(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: 'off',
      nodeOptions: 'off',
      inspect: 'off',
      integrity: 'on',
      onlyAsar: 'on',
      cookies: 'on',
      files: 'off',
    });
  });

  describe('as an AppImage', () => {
    test('has the desktop entry of the app, whose start keeps the sandbox', () => {
      const entry = readFileSync(join(appImage, 'barograph.desktop'), 'utf8');
      expect(
        Object.fromEntries([...entry.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])),
      ).toMatchObject({
        Exec: 'AppRun %U',
        StartupWMClass: 'barograph',
        Categories: 'Office;Finance;',
        MimeType: 'x-scheme-handler/barograph;',
      });
    });

    test.each([
      ['the system has user namespaces', 0, 'barograph://symbol/SPY'],
      ['it has none', 1, '--no-sandbox barograph://symbol/SPY'],
    ])('is started with --no-sandbox only where there is no sandbox: %s', (_where, code, given) => {
      writeProgram(join(appImage, 'barograph'), 'echo "$*"');
      writeProgram(join(appImage, 'unshare'), `exit ${code}`);
      const environment = { PATH: `${appImage}:${process.env.PATH}`, APPDIR: appImage };
      const started = execFileSync(join(appImage, 'AppRun'), ['barograph://symbol/SPY'], { env: environment });
      expect(started.toString().trim()).toBe(given);
    });
  });

  test('runs: the main process with its threads and native modules answers its window, and ends', async () => {
    const data = join(folder.path, 'data');
    mkdirSync(data, { mode: 0o700 });
    const [shown] = DEFAULT_SETTINGS.profiles;
    const withKey: Profile = {
      name: 'desk',
      environment: 'production',
      baseUrl: 'https://127.0.0.1:9',
      mode: 'auto',
      enabled: true,
      keys: { tier: 'keychain', saved_at: '2026-03-02T14:30:00.000Z', prefix: 'svc_live_' },
    };
    writeFileSync(
      join(data, 'settings.json'),
      JSON.stringify({ ...DEFAULT_SETTINGS, vault: '0123456789ab', profiles: [shown, withKey] }),
    );
    const running = start(process.execPath, [...layOut(resources, folder.path), '--data-dir', data]);
    await running.line(/^page 200 true$/, 120_000);
    for (const name of Object.keys(QUESTIONS)) await running.line(new RegExp(`^answer ${name} true$`));
    await running.line(/^shown$/);
    // With a password or without, as the machine has it: the native module was loaded.
    await running.line(/^keychain answered (get|failed)$/, 30_000);
    // The sandbox in its thread, over the native store.
    await running.line(/^sent state\.changed$/, 30_000);
    for (const name of ['service', 'archive', 'validation', 'keychain'])
      await running.line(new RegExp(`^loaded ${name}$`), 60_000);
    const { sandbox } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8'));
    const health = await fetch(`${sandbox.url}/health`);
    expect(health.status).toBe(200);
    expect((await running.stop()).code, running.printed()).toBe(0);
    expect(existsSync(join(data, 'run.json'))).toBe(false);
  }, 240_000);
});
