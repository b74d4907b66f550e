// Test: the packager's own tools for archives and fuses, from `tools/`.
import { requireTool } from '../harness/tools.ts';

interface Asar {
  createPackage(folder: string, archive: string): Promise<void>;
  extractAll(archive: string, folder: string): void;
  extractFile(archive: string, name: string): Buffer;
  listPackage(archive: string, options: { readonly isPack: boolean }): string[];
  statFile(archive: string, name: string): { readonly size?: number; readonly unpacked?: boolean };
}

interface Fuses {
  /** Names with their numbers, and numbers with their names. */
  readonly FuseV1Options: Readonly<Record<string, number | string>>;
  readonly FuseState: { readonly ENABLE: number };
  getCurrentFuseWire(binary: string): Promise<Readonly<Record<number, number>>>;
}

export const asar = (): Asar => requireTool('@electron/asar');
export const fuses = (): Fuses => requireTool('@electron/fuses');
