// Main, Electron shell: serves the page at app://barograph/, a real origin with headers.
// The shell loads no page from file://.
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { CustomScheme } from 'electron';
import { pageHeaders } from '../host/page-headers.ts';

const SCHEME = 'app';
const HOST = 'barograph';
/** The address of the window's page. */
export const PAGE_URL = `${SCHEME}://${HOST}/`;

/** Must be registered before the app is ready. */
export const APP_SCHEME: CustomScheme = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.ogg': 'audio/ogg',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.txt': 'text/plain; charset=utf-8',
};

/** True for a page of the app, whatever its path. */
export function isOwnPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === `${SCHEME}:` && host === HOST && username === '' && password === '';
}

/** Answers requests of the scheme from `folder`. */
export function servePage(
  folder: string,
): (request: { readonly url: string; readonly method: string }) => Promise<Response> {
  return async (request) => {
    const path =
      request.method === 'GET' && isOwnPage(request.url) ? pathIn(folder, new URL(request.url).pathname) : null;
    const type = path === null ? undefined : TYPES[extname(path)];
    if (path === null || type === undefined)
      return new Response('There is nothing here.', { status: 404, headers: pageHeaders([]) });
    try {
      return new Response(await readFile(path), { headers: { ...pageHeaders([]), 'content-type': type } });
    } catch {
      return new Response('There is nothing here.', { status: 404, headers: pageHeaders([]) });
    }
  };
}

/** @returns null where the path leaves the folder or is not readable */
function pathIn(folder: string, pathname: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (decoded.includes('\0')) return null;
  const path = join(folder, decoded === '/' ? 'index.html' : decoded);
  return path.startsWith(folder + sep) ? path : null;
}
