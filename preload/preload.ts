// Preload: bridges a sandboxed window and main with two functions over the names of the channel table.
// The build writes the names into one file, so that the preload carries no schema and no library.
import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_CALL, BRIDGE_NAME, BRIDGE_PUSH, type Bridge } from '../shared/channels/bridge.ts';

/** Names of the channel table, by kind. The build replaces them with those of shared/channels/channels.ts. */
declare const CALL_NAMES: readonly string[];
declare const PUSH_NAMES: readonly string[];

const calls = new Set(CALL_NAMES);
const listeners = new Map<string, Set<(payload: unknown) => void>>(PUSH_NAMES.map((name) => [name, new Set()]));

ipcRenderer.on(BRIDGE_PUSH, (_event, name: unknown, payload: unknown) => {
  for (const listener of typeof name === 'string' ? (listeners.get(name) ?? []) : []) listener(payload);
});

const bridge: Bridge = {
  async call(name, payload) {
    if (!calls.has(name)) throw new Error(`There is no call named "${String(name).slice(0, 80)}".`);
    return ipcRenderer.invoke(BRIDGE_CALL, name, payload);
  },
  subscribe(name, listener) {
    const named = listeners.get(name);
    if (named === undefined) throw new Error(`There is no push named "${String(name).slice(0, 80)}".`);
    // Wrapped, so that a listener that subscribes twice counts twice, and each subscription cancels itself.
    const own = (payload: unknown): void => listener(payload);
    named.add(own);
    return () => void named.delete(own);
  },
};

contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
