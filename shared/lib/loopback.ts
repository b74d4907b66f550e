// Pure: whether a name or address is this computer's own, without asking a resolver.

/** A host in a URL, or by itself: localhost, ::1, or 127.x.x.x. Other spellings of them count as elsewhere. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
