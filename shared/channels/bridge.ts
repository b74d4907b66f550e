// Pure: what the preload exposes to a window of the desktop shell.
// No schema here: the preload passes names and payloads and parses nothing.

/** The API that the preload exposes on the window. It refuses a name that is not in the channel table. */
export interface Bridge {
  call(name: string, payload: unknown): Promise<unknown>;
  subscribe(name: string, listener: (payload: unknown) => void): () => void;
}

/** Property of the window that holds the bridge. */
export const BRIDGE_NAME = 'barograph';
/** The two Electron channels that carry everything. */
export const BRIDGE_CALL = 'barograph:call';
export const BRIDGE_PUSH = 'barograph:push';
