// Renderer, profiles: removes a pasted key from the clipboard, if the browser permits reading.

/** Prefix, ending and length of a sent key: enough to recognize it in the clipboard. */
export interface KeyTrace {
  readonly prefix: string;
  readonly ending: string;
  readonly length: number;
}

/** cleared: it held the key. other: it held something else. ask: needs a click. cannot: no permission. */
export type ClipboardOutcome = 'cleared' | 'other' | 'ask' | 'cannot';

interface ClipboardPort {
  readonly permission: () => Promise<PermissionState>;
  readonly read: () => Promise<string>;
  readonly write: (text: string) => Promise<void>;
}

export const pageClipboard: ClipboardPort = {
  permission: async () => (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
  read: () => navigator.clipboard.readText(),
  write: (text) => navigator.clipboard.writeText(text),
};

/** @param asked the user clicked: the browser may ask for permission */
export async function clearClipboard(
  { prefix, ending, length }: KeyTrace,
  isUserClick: boolean,
  clipboard = pageClipboard,
): Promise<ClipboardOutcome> {
  try {
    const leave = await clipboard.permission();
    if (leave === 'denied') return 'cannot';
    if (leave === 'prompt' && !isUserClick) return 'ask';
    const text = (await clipboard.read()).trim();
    if (text.length !== length || !text.startsWith(prefix) || !text.endsWith(ending)) return 'other';
    await clipboard.write('');
    return 'cleared';
  } catch {
    return 'cannot';
  }
}
