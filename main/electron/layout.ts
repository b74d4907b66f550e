// Main, Electron shell: windows.json of the data folder: positions of windows between runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../core/files/private-file.ts';
import { BoundsSchema } from './bounds.ts';

const WindowStateSchema = z.strictObject({ profile: z.string().max(64), bounds: BoundsSchema, maximized: z.boolean() });
/** Position of a window. */
export type WindowState = z.infer<typeof WindowStateSchema>;
const LayoutSchema = z.strictObject({
  version: z.literal(1),
  /** Open when the app ended, the last focused one in front. */
  open: z.array(WindowStateSchema).max(50),
  /** The last position of profiles without an open window. */
  closed: z.array(WindowStateSchema).max(100),
});

export interface LayoutFile {
  /** Windows that were open when the app ended. */
  readonly open: readonly WindowState[];
  /** The last position of a window of the profile; null without any. */
  last(profile: string): WindowState | null;
  save(open: readonly WindowState[]): void;
}

/** An unreadable file does no harm: windows open in the middle. */
export function openLayoutFile(dataFolder: string): LayoutFile {
  const path = join(dataFolder, 'windows.json');
  const saved = readLayout(path);
  const closed = new Map([...saved.closed, ...saved.open].map((one) => [one.profile, one]));
  return {
    open: saved.open,
    last: (profile) => closed.get(profile) ?? null,
    save(open) {
      for (const one of open) closed.set(one.profile, one);
      const names = new Set(open.map(({ profile }) => profile));
      const layout = {
        version: 1 as const,
        open: [...open],
        closed: [...closed.values()].filter(({ profile }) => !names.has(profile)),
      };
      try {
        replaceFile(path, `${JSON.stringify(LayoutSchema.parse(layout), null, 2)}\n`);
      } catch {
        // Without the file, as on a full disk, the next windows open in the middle; nothing else may fail.
      }
    },
  };
}

function readLayout(path: string): z.infer<typeof LayoutSchema> {
  try {
    return LayoutSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return { version: 1, open: [], closed: [] };
  }
}
