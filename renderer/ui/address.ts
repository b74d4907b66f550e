// Renderer, pure: addresses that come from outside: which of them may be opened, and how they are shown.

/** How much of an address is shown. */
const SHOWN = 80;

/** @returns null unless it is a whole https address without a user's name in it */
export function httpsAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null;
}

/** The address, cut where it is long. */
export const shortAddress = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
