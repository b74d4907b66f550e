// Main, Electron shell: the allow-list of addresses for the user's browser.
// It has the interface's own links, and hosts that a service named as a source of news, or the program as that of
// its update, in an answer to a window. A page cannot invent a host.
import type { Channels } from '../../shared/channels/channels.ts';

/** Hosts of the interface's own links. */
const OWN = ['www.tradingview.com'];
/** Names of fields with such addresses. */
const FIELDS = new Set(['url', 'link']);
/** Channels whose answers and pushes are searched for such addresses. */
const CHANNELS: ReadonlySet<string> = new Set<keyof Channels>(['news.list', 'shell.read', 'shell.changed']);
const MAX_HOSTS = 1_000;
const DEEPEST = 8;

export interface ExternalLinks {
  /** Reads an answer or a push to a window. */
  learn(channel: string, value: unknown): void;
  isAllowed(url: string): boolean;
}

export function createExternalLinks(): ExternalLinks {
  const hosts = new Set(OWN);
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') walk(inner, depth + 1);
      else if (FIELDS.has(name) && hosts.size < MAX_HOSTS) {
        const host = hostOf(inner);
        if (host !== null) hosts.add(host);
      }
    }
  };
  return {
    learn(channel, value) {
      if (CHANNELS.has(channel)) walk(value, 0);
    },
    isAllowed(url) {
      const host = hostOf(url);
      return host !== null && hosts.has(host);
    },
  };
}

/** @returns null unless it is https without credentials */
function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? host : null;
}
