// Pure: what the preload exposes to a window of the desktop shell. No schema in here: the preload carries names and payloads and parses nothing.

/** What the preload exposes on the window. A name that is not in the channel table is refused by it. */
export interface Bridge {
  call(name: string, payload: unknown): Promise<unknown>;
  subscribe(name: string, listener: (payload: unknown) => void): () => void;
}

/** Where the bridge is on the window. */
export const BRIDGE_NAME = 'barograph';
/** The two Electron channels that everything travels on. */
export const BRIDGE_CALL = 'barograph:call';
export const BRIDGE_PUSH = 'barograph:push';
