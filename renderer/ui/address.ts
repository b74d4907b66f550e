// Renderer, pure: which addresses from outside may be opened, and how they are shown.

/** Characters of an address that are shown. */
const SHOWN = 80;

/** @returns null unless it is a full https address without a user name */
export function httpsAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null;
}

/** The address, shortened if it is long. */
export const shortAddress = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
