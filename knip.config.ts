// Dead code: files, exports and packages without a use.
// An export that only its own file uses is no finding.
import type { KnipConfig } from 'knip';

export default {
  entry: [
    // Started by a command, a worker or a build, not by an import.
    'main/service/service-thread.ts',
    'main/electron/entry.ts',
    'main/develop-core.ts',
    'main/core/keys/keychain-process.ts',
    'main/core/pictures/picture-process.ts',
    'preload/preload.ts',
    'renderer/{load-guard,no-json-schema,later-exchange-days,markdown/named-reference}.ts',
    'sdk/typescript/{build,conformance}.ts',
    'sdk/generator/{generate,go-module}.ts',
    'test/runner/{check,tests,long,tally}.ts',
    'test/faults/{*-child,cluster-{simulation,kill}-cli}.ts',
    'test/bench/{cli,run-row}.ts',
    'test/bench/support/{bare-fan,bare-follower,bare-lock,stream-clients,timeline-page,webhook-client}.ts',
    'test/gallery/gallery.tsx',
    'test/research/{ideal-observer,price-faults}.ts',
    'dependency-cruiser.config.ts',
    'vite.{main,preload}.config.ts',
  ],
  project: ['{shared,client,conformance,sdk,service,main,preload,renderer,test}/**/*.{ts,tsx,css}', '*.config.ts'],
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    // Run by path: test/runner/check.ts.
    '@biomejs/biome',
    'typescript-native',
  ],
  // Of the system, for tests of disks and for a row of the bench; these are skipped where it has none.
  ignoreBinaries: ['go', 'mkfifo', 'mount', 'nginx', 'prlimit', 'umount'],
  compilers: {
    // Style sheets name the fonts of packages.
    css: (text: string) => [...text.matchAll(/url\(("@[^"]+")\)/g)].map(([, file]) => `import ${file};`).join('\n'),
  },
} satisfies KnipConfig;
