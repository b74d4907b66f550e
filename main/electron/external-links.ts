// Main, Electron shell: the allow-list of addresses for the user's browser.
// It has the interface's own links, and hosts that an answer to a window named: a source of news, a link in
// the text of a briefing, an update of the program. A page cannot invent a host.
import type { Channels } from '../../shared/channels/channels.ts';

/** Hosts of the interface's own links. */
const OWN = ['www.tradingview.com'];
/** Names of fields with an address. */
const FIELDS = new Set(['url', 'link']);
/** Channels whose answers and pushes are searched for addresses. */
const CHANNELS: ReadonlySet<string> = new Set<keyof Channels>(['news.list', 'shell.read', 'shell.changed']);
/** The channel and the field of a text that may link to addresses. */
const TEXT: { readonly channel: keyof Channels; readonly field: string } = {
  channel: 'briefings.read',
  field: 'body',
};
/**
 * The beginning of an address within Markdown, HTML or plain text, up to its path; no punctuation at its end.
 */
const ADDRESS = /https:\/\/[^\s<>"'()[\]\\/?#,;|]*[^\s<>"'()[\]\\/?#.,;:!*_~|]/gi;
const MAX_HOSTS = 1_000;
const DEEPEST = 8;

export interface ExternalLinks {
  /** Reads an answer or a push to a window. */
  learn(channel: string, value: unknown): void;
  isAllowed(url: string): boolean;
}

export function createExternalLinks(): ExternalLinks {
  const hosts = new Set(OWN);
  const add = (address: string): void => {
    const host = hostOf(address);
    if (host !== null && hosts.size < MAX_HOSTS) hosts.add(host);
  };
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') walk(inner, depth + 1);
      else if (FIELDS.has(name)) add(inner);
    }
  };
  return {
    learn(channel, value) {
      if (CHANNELS.has(channel)) walk(value, 0);
      if (channel === TEXT.channel) for (const [address] of textOf(value).matchAll(ADDRESS)) add(address);
    },
    isAllowed(url) {
      const host = hostOf(url);
      return host !== null && hosts.has(host);
    },
  };
}

function textOf(answer: unknown): string {
  const text = typeof answer === 'object' && answer !== null ? Reflect.get(answer, TEXT.field) : null;
  return typeof text === 'string' ? text : '';
}

/** @returns null unless it is https without credentials */
function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '' ? host : null;
}
