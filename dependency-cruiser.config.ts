// The import rules (ARCHITECTURE.md). The comment of a rule names the remedy.
// `npm run check` fails when one is broken.
import type { IConfiguration } from 'dependency-cruiser';

const TEST_FILE = '\\.test\\.tsx?$';
const ELECTRON = '(^|/)node_modules/electron/';
/** The files of a feature that others may import. */
const FEATURE_ENTRY = '^renderer/features/[^/]+/index\\.ts$';

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two files import each other. Move what both need into a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment:
        'The file or package does not exist. Spell relative imports with their extension; add packages to package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'electron-stays-in-its-shell',
      comment:
        'Only main/electron and preload import electron. Add a port to main/core/ports.ts and implement it in main/electron.',
      severity: 'error',
      from: { pathNot: '^(main/electron|preload|test)/' },
      to: { path: ELECTRON },
    },
    {
      name: 'tests-load-no-electron',
      comment:
        'Under plain Node the electron package tries to download itself. A test takes its types only, and fakes the module.',
      severity: 'error',
      from: { path: '^test/' },
      to: { path: ELECTRON, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'shared-is-pure',
      comment:
        'shared imports itself and zod: no Node, no DOM, no library. What needs more belongs in service, main/core or renderer.',
      severity: 'error',
      from: { path: '^shared/', pathNot: TEST_FILE },
      to: { pathNot: '(^shared/|(^|/)node_modules/zod/)' },
    },
    {
      name: 'client-is-standalone',
      comment:
        'client imports shared, zod and a parser of event streams: no Node, no app, so that any program can use it. The rest is main/core.',
      severity: 'error',
      from: { path: '^client/', pathNot: TEST_FILE },
      to: { pathNot: '(^(client|shared)/|(^|/)node_modules/(zod|eventsource-parser)/)' },
    },
    {
      name: 'conformance-is-standalone',
      comment: 'conformance imports client, shared and libraries: it tries any service and knows none.',
      severity: 'error',
      from: { path: '^conformance/' },
      to: { path: '^(main/|service/|preload/|renderer/|test/(?!fixtures/|harness/))' },
    },
    {
      name: 'sdk-is-standalone',
      comment: 'sdk imports client, shared and libraries: what it publishes runs without the app and the service.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { path: '^(conformance/|main/|service/|preload/|renderer/|test/)' },
    },
    {
      name: 'nobody-needs-the-sdk',
      comment: 'sdk is for other programs. Import the client itself.',
      severity: 'error',
      from: { pathNot: '^(sdk|test)/' },
      to: { path: '^sdk/' },
    },
    {
      name: 'one-entry-to-conformance',
      comment:
        'Only the verb `conformance` of main/node runs the kit. What others need of it belongs in client or shared.',
      severity: 'error',
      from: { pathNot: '^(conformance/|test/|main/node/verbs/conformance\\.ts$)' },
      to: { path: '^conformance/' },
    },
    {
      name: 'service-is-standalone',
      comment: 'service imports shared and libraries: it runs without the app. What both sides need goes into shared.',
      severity: 'error',
      from: { path: '^service/' },
      to: { path: '^(client/|main/|preload/|renderer/|test/(?!fixtures/|harness/))' },
    },
    {
      name: 'one-entry-to-the-service',
      comment:
        'Only main/service imports service. Everybody else speaks to it over HTTP, with the routes of shared/wire.',
      severity: 'error',
      from: { pathNot: '^(service/|test/|main/service/)' },
      to: { path: '^service/' },
    },
    {
      name: 'core-knows-no-shell',
      comment:
        'main/core imports shared, client and libraries. What host and shell can do reaches it as a port (main/core/ports.ts).',
      severity: 'error',
      from: { path: '^main/core/' },
      to: { path: '^(main/(?!core/)|preload/|renderer/|test/(?!fixtures/|harness/))' },
    },
    {
      name: 'host-knows-no-shell',
      comment:
        'main/host imports main/core, client, shared and libraries. What a shell can do is passed in by its entry file.',
      severity: 'error',
      from: { path: '^main/host/' },
      to: { path: '^main/(?!(host|core)/)' },
    },
    {
      name: 'diagnostics-knows-no-shell',
      comment: 'main/diagnostics imports main/host and main/core. The verb `doctor` passes in what a shell can do.',
      severity: 'error',
      from: { path: '^main/diagnostics/' },
      to: { path: '^main/(?!(diagnostics|host|core)/)' },
    },
    {
      name: 'shells-do-not-meet',
      comment: 'main/node and main/electron are two shells of one core. What both need goes into main/host.',
      severity: 'error',
      from: { path: '^main/(node|electron)/' },
      to: { path: '^main/(node|electron)/', pathNot: '^main/$1/' },
    },
    {
      name: 'main-does-not-reach-into-the-window',
      comment: 'main never imports renderer, preload or test. Both sides meet in shared/channels.',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^(renderer/|preload/|test/(?!fixtures/|harness/))' },
    },
    {
      name: 'preload-is-a-bridge',
      comment:
        'preload imports electron and shared/channels only. It carries names and payloads and knows nothing else.',
      severity: 'error',
      from: { path: '^preload/', pathNot: TEST_FILE },
      to: { pathNot: ['^(preload|shared/channels)/', ELECTRON] },
    },
    {
      name: 'renderer-uses-channels',
      comment:
        'renderer imports shared and browser libraries. What it wants from main goes through a channel of shared/channels.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(client/|main/|preload/|service/|test/(?!fixtures/|harness/))' },
    },
    {
      name: 'renderer-has-no-node',
      comment: 'The window has no Node. Ask the core through a channel of shared/channels.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: TEST_FILE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'features-keep-their-insides',
      comment: 'Import a feature through its index.ts. Shared components belong in renderer/ui.',
      severity: 'error',
      from: { path: '^renderer/features/([^/]+)/' },
      to: { path: '^renderer/features/', pathNot: ['^renderer/features/$1/', FEATURE_ENTRY] },
    },
    {
      name: 'features-have-one-entry',
      comment: 'Import a feature through its index.ts. Shared components belong in renderer/ui.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/features/' },
      to: { path: '^renderer/features/', pathNot: FEATURE_ENTRY },
    },
    {
      name: 'product-does-not-need-its-tests',
      comment: 'Nothing that ships imports a test or the harness. Move what both need beside the source.',
      severity: 'error',
      from: { pathNot: ['^test/', TEST_FILE, '^[^/]+\\.config\\.ts$'] },
      to: { path: ['^test/', TEST_FILE] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|out|test-results)/' },
    // Types too: an import of a type is a dependency like any other.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
} satisfies IConfiguration;
