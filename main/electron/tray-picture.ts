// Main, Electron shell: the pictures of tray and task bar, cut out of sheets.
// test/harness/render-assets.ts draws the sheets from assets/glyphs: a row of signs for each kind of bar, and
// one of numbers that overlay a sign.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeImage, nativeImage } from 'electron';
import type { Sign } from '../core/views/tray-view.ts';

/** Rows of signs, by the bar behind them. A bar of unknown colour: the sign has a ground of its own. */
export const SHEET_BARS = ['dark', 'light', 'unknown'] as const;
/** Columns of these rows. The sandbox has the dashed foot. */
export const SHEET_SIGNS: readonly { readonly sign: Sign; readonly sandbox: boolean }[] = [
  { sign: 'normal', sandbox: false },
  { sign: 'elevated', sandbox: false },
  { sign: 'high-risk', sandbox: false },
  { sign: 'offline', sandbox: false },
  { sign: 'normal', sandbox: true },
  { sign: 'elevated', sandbox: true },
  { sign: 'high-risk', sandbox: true },
  { sign: 'offline', sandbox: true },
];
/** Columns of the last row. */
export const SHEET_NUMBERS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '9+'] as const;
/** Edge of one picture, pixels; each sheet is a file of that name. */
export const SHEET_SIZES = [16, 24, 32, 48] as const;

export interface TrayIconSpec {
  readonly sign: Sign;
  readonly sandbox: boolean;
  /** The bar behind the picture. */
  readonly bar: (typeof SHEET_BARS)[number];
  /** Number drawn over its corner; 0: none. */
  readonly count: number;
}

export interface TrayPictures {
  /** The picture for a tray, in two sizes: for normal and for dense screens. */
  sign(spec: TrayIconSpec): NativeImage;
  /** The number alone, for the task bar of Windows. */
  number(count: number): NativeImage;
}

/**
 * @param folder of the sheets
 * @param size of the smaller picture, pixels
 */
export function createTrayPictures(
  images: Pick<typeof nativeImage, 'createFromBuffer' | 'createEmpty'>,
  folder: string,
  size: 16 | 24,
): TrayPictures {
  const sheets = new Map<number, NativeImage>();
  const cell = (edge: number, column: number, row: number): Buffer => {
    const sheet = sheets.get(edge) ?? images.createFromBuffer(readFileSync(join(folder, `${edge}.png`)));
    sheets.set(edge, sheet);
    return sheet.crop({ x: column * edge, y: row * edge, width: edge, height: edge }).toBitmap();
  };
  const both = (draw: (edge: number) => Buffer): NativeImage => {
    const picture = images.createEmpty();
    for (const scaleFactor of [1, 2]) {
      const edge = size * scaleFactor;
      picture.addRepresentation({ scaleFactor, width: edge, height: edge, buffer: draw(edge) });
    }
    return picture;
  };
  const numberOf = (edge: number, count: number): Buffer =>
    cell(edge, Math.min(count, SHEET_NUMBERS.length) - 1, SHEET_BARS.length);
  return {
    sign({ sign, sandbox, bar, count }) {
      const column = SHEET_SIGNS.findIndex((one) => one.sign === sign && one.sandbox === sandbox);
      const row = SHEET_BARS.indexOf(bar);
      return both((edge) =>
        count === 0 ? cell(edge, column, row) : composite(cell(edge, column, row), numberOf(edge, count)),
      );
    },
    number: (count) => both((edge) => numberOf(edge, count)),
  };
}

/** Draws `top` over `ground`. Both have premultiplied pixels of four bytes, alpha last, as Chromium's. */
export function composite(ground: Buffer, top: Buffer): Buffer {
  const out = Buffer.from(ground);
  for (let at = 0; at < out.length; at += 4) {
    const through = 255 - (top[at + 3] ?? 0);
    for (let channel = at; channel < at + 4; channel++)
      out[channel] = Math.min(255, (top[channel] ?? 0) + Math.round(((ground[channel] ?? 0) * through) / 255));
  }
  return out;
}
