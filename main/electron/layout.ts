// Main, Electron shell: which windows stood where, kept from one run to the next in windows.json of the data folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../core/files/private-file.ts';
import { BoundsSchema } from './bounds.ts';

const WindowStateSchema = z.strictObject({ profile: z.string().max(64), bounds: BoundsSchema, maximized: z.boolean() });
/** A window as it stood. */
export type WindowState = z.infer<typeof WindowStateSchema>;
const LayoutSchema = z.strictObject({
  version: z.literal(1),
  /** Open when the app ended, the one that had the focus last in front. */
  open: z.array(WindowStateSchema).max(50),
  /** Of profiles without an open window: where their last one stood. */
  closed: z.array(WindowStateSchema).max(100),
});

export interface LayoutFile {
  /** What stood open when the app ended. */
  readonly open: readonly WindowState[];
  /** Where a new window of the profile stood last; null where it never had one. */
  last(profile: string): WindowState | null;
  save(open: readonly WindowState[]): void;
}

/** A file that cannot be read is no loss: windows open in the middle. */
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
        // A full disk, a screen of a strange size: the next windows open in the middle. Nothing else may suffer from it.
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
