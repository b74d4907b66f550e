// Main, Electron shell: the allow-list of addresses for the user's browser.
// It has the interface's own links, and hosts that a service named as a source (news, documentation of an
// error) in an answer to a window. A page cannot invent a host.

/** Hosts of the interface's own links. */
const OWN = ['www.tradingview.com'];
/** Names of fields with such addresses. */
const FIELDS = new Set(['url', 'doc_url', 'source_url', 'link']);
/** Channels whose answers are searched for links. */
const CHANNELS = /^(news|archive|connection|shell)\./;
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
      if (CHANNELS.test(channel)) walk(value, 0);
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
