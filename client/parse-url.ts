// Client: parses a web address; null for anything else.
// URL.parse is missing in Node 20 and in browsers before 2024.

export const parseUrl = (text: string, base?: string): URL | null =>
  URL.canParse(text, base) ? new URL(text, base) : null;
