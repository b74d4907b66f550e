// Test: the clipboard is cleared only if it holds the key and the page may read it.
import { expect, it } from 'vitest';
import { clearClipboard } from './clipboard.ts';

const KEY = 'svc_live_plantedplantedplanted0031';
const trace = { prefix: 'svc_live_', ending: '0031', length: KEY.length };
function clipboardOf(text: string, leave: PermissionState | Error) {
  const retained = { text };
  return {
    retained,
    port: {
      permission: async () => {
        if (leave instanceof Error) throw leave;
        return leave;
      },
      read: async () => retained.text,
      write: async (next: string) => {
        retained.text = next;
      },
    },
  };
}

it.each([
  ['the key', ` ${KEY}\n`, 'granted', false, 'cleared', ''],
  ['another text', 'lunch at one', 'granted', false, 'other', 'lunch at one'],
  [
    'another key',
    'svc_live_plantedplantedplanted0032',
    'granted',
    false,
    'other',
    'svc_live_plantedplantedplanted0032',
  ],
  ['the key, before the user allowed to look', KEY, 'prompt', false, 'ask', KEY],
  ['the key, when the user clicked', KEY, 'prompt', true, 'cleared', ''],
  ['the key, where looking is forbidden', KEY, 'denied', true, 'cannot', KEY],
  ['the key, in a browser that knows no such leave', KEY, new TypeError('no such permission'), true, 'cannot', KEY],
] as const)('%s', async (_, text, leave, isUserClick, outcome, left) => {
  const { retained, port } = clipboardOf(text, leave);
  expect(await clearClipboard(trace, isUserClick, port)).toBe(outcome);
  expect(retained.text).toBe(left);
});
