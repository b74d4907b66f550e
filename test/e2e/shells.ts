// End to end: which specs run in which shell.

export const ELECTRON_SPEC = 'electron.spec.ts';

/** Specs that cannot run over Electron, each with its reason. All others run over both shells. */
export const NODE_SHELL_SPECS: Readonly<Record<string, string>> = {
  'attack.spec.ts': 'the ports of the Node shell and the service, attacked from a browser',
  'bridge.spec.ts': 'the bridge of the preload in a browser, where Electron is missing',
  'browser.spec.ts': 'the browser of these tests',
  'cut-page.spec.ts': 'a page over http whose scripts arrive cut off',
  'language.spec.ts': 'answers the requests of a page over http; the pages of Electron come from a scheme of its own',
  'notifications.spec.ts': 'the notifications of a browser; Electron has its own',
};
