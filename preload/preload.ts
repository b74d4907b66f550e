// Preload: the bridge between a sandboxed window and main: two functions, names from the channel table, nothing else.
// It is built into one file; the names are put in by the build, so that no schema and no library comes along.
import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_CALL, BRIDGE_NAME, BRIDGE_PUSH, type Bridge } from '../shared/channels/bridge.ts';

/** Names of the channel table, by kind: replaced by the build with what shared/channels/channels.ts declares. */
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
    // Wrapped, so that one listener given twice counts twice and each cancels its own.
    const own = (payload: unknown): void => listener(payload);
    named.add(own);
    return () => void named.delete(own);
  },
};

contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
