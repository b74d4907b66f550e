// Main, host: the page that says which profiles cannot be opened, while none runs.
import { escapeHtml } from '../../shared/lib/html-text.ts';
import { type Message, textOf } from '../../shared/text/message.ts';
import { texts } from '../../shared/text/texts.ts';

/** The colours of the window's themes, as the system prefers. */
const STYLE = [
  'body{margin:4rem auto;max-width:40rem;padding:0 2rem;font:1rem/1.5 system-ui,sans-serif;background:#0a0d0f;color:#e6e9eb}',
  'h1{font-size:1.25rem}p{overflow-wrap:anywhere}@media (prefers-color-scheme:light){body{background:#dfe4e5;color:#11181b}}',
].join('');

/** @param refresh s after which a browser loads its address again; absent: never */
export function failurePage(failures: readonly Message[], refresh?: number): string {
  const { heading, retry } = texts.tray.noneRuns;
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    refresh === undefined ? '' : `<meta http-equiv="refresh" content="${refresh}">`,
    `<title>Barograph</title><style>${STYLE}</style><main><h1>${escapeHtml(heading)}</h1>`,
    ...failures.map((failure) => `<p role="alert">${escapeHtml(textOf(failure))}</p>`),
    `<p>${escapeHtml(retry)}</p></main></html>`,
  ].join('');
}
