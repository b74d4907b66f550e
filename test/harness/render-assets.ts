// Test harness: `node test/harness/render-assets.ts` renders the vector files of assets/ to pixels.
// A real browser draws icons for packages and the sheets of the tray. assets/rendered.json lists sources and
// results; a test compares them.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import {
  SHEET_BARS,
  SHEET_NUMBERS,
  SHEET_SIGNS,
  SHEET_SIZES,
  type TrayIconSpec,
} from '../../main/electron/tray-picture.ts';
import { findBrowser } from './browser.ts';
import { TOP } from './processes.ts';

export const ASSETS = join(TOP, 'assets');
/** Sizes of the icon; those up to 32 come from the simpler file. */
const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;
const SIMPLE_UP_TO = 32;
const LIGHT = '#e9eff1';
const DARK = '#12181b';
/** Colour of the number of alerts: that of High Risk. */
const BADGE = '#d62b50';

const sources = (): string[] =>
  ['icon.svg', 'icon-small.svg', ...readdirSync(join(ASSETS, 'glyphs')).map((name) => `glyphs/${name}`)].sort();
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
/** Names and digests of the files. */
export const digests = (paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, digest(readFileSync(join(ASSETS, path)))]));
export const vectorFiles = (): Record<string, string> => digests(sources());

async function draw(
  page: Page,
  width: number,
  height: number,
  svgs: readonly { svg: string; x: number; y: number; edge: number }[],
) {
  await page.setViewportSize({ width, height });
  const images = svgs.map(
    ({ svg, x, y, edge }) =>
      `<img style="position:absolute;left:${x}px;top:${y}px;width:${edge}px;height:${edge}px" src="data:image/svg+xml,${encodeURIComponent(svg)}">`,
  );
  await page.setContent(`<body style="margin:0;background:transparent">${images.join('')}`);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  return page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width, height } });
}

/** A sign of the tray. On a bar of unknown colour it is the one for dark bars, on a dark plate with an edge. */
function glyph(name: string, bar: TrayIconSpec['bar']): string {
  const svg = readFileSync(join(ASSETS, 'glyphs', `tray-${name}.svg`), 'utf8');
  if (bar !== 'unknown') return svg.replaceAll('currentColor', bar === 'dark' ? LIGHT : DARK);
  const plate = `<rect x=".5" y=".5" width="15" height="15" rx="3" fill="${DARK}" stroke="${LIGHT}" stroke-opacity=".4"/>`;
  const sign = svg
    .replaceAll('currentColor', LIGHT)
    .replace('<svg ', '<svg x="1.6" y="1.6" ')
    .replace(/"16"/g, '"12.8"');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${plate}${sign}</svg>`;
}

/** Draws the number into the lower right corner, as large as possible. */
const badge = (text: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16"><circle cx="11" cy="11" r="5" fill="${BADGE}"/>` +
  `<text x="11" y="${text.length > 1 ? 12.9 : 13.9}" text-anchor="middle" font-family="IBM Plex Sans,Arial,sans-serif" font-weight="700" font-size="${text.length > 1 ? 5.4 : 8.2}" fill="#fff">${text}</text></svg>`;

/** One PNG per size; Windows reads them since Vista. */
function ico(pictures: readonly { edge: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [index, { edge, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    head.writeUInt8(edge % 256, entry);
    head.writeUInt8(edge % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** Types of the entries that hold PNGs, by size. */
const ICNS: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

function icns(pictures: readonly { edge: number; png: Buffer }[]): Buffer {
  const entries = pictures.flatMap(({ edge, png }) =>
    (ICNS[edge] ?? []).map((type) => {
      const head = Buffer.alloc(8);
      head.write(type, 'latin1');
      head.writeUInt32BE(png.length + 8, 4);
      return Buffer.concat([head, png]);
    }),
  );
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(8 + entries.reduce((sum, entry) => sum + entry.length, 0), 4);
  return Buffer.concat([head, ...entries]);
}

async function render(): Promise<void> {
  const { launchOptions } = await findBrowser();
  const browser = await chromium.launch({ ...launchOptions, args: [...launchOptions.args, '--no-sandbox'] });
  const written: string[] = [];
  const write = (path: string, bytes: Buffer): void => {
    mkdirSync(dirname(join(ASSETS, path)), { recursive: true });
    writeFileSync(join(ASSETS, path), bytes);
    written.push(path);
  };
  try {
    const page = await browser.newPage();
    const icons: { edge: number; png: Buffer }[] = [];
    for (const edge of ICON_SIZES) {
      const svg = readFileSync(join(ASSETS, edge <= SIMPLE_UP_TO ? 'icon-small.svg' : 'icon.svg'), 'utf8');
      icons.push({ edge, png: await draw(page, edge, edge, [{ svg, x: 0, y: 0, edge }]) });
    }
    for (const { edge, png } of icons) if (edge <= 512) write(`icons/${edge}x${edge}.png`, png);
    write('icon.ico', ico(icons.filter(({ edge }) => edge <= 256)));
    write('icon.icns', icns(icons));
    for (const edge of SHEET_SIZES) {
      const signs = SHEET_BARS.flatMap((bar, row) =>
        SHEET_SIGNS.map(({ sign, sandbox }, column) => ({
          svg: glyph(sandbox ? `${sign}-sandbox` : sign, bar),
          x: column * edge,
          y: row * edge,
          edge,
        })),
      );
      const bottom = SHEET_BARS.length * edge;
      const numbers = SHEET_NUMBERS.map((text, column) => ({ svg: badge(text), x: column * edge, y: bottom, edge }));
      const width = SHEET_NUMBERS.length * edge;
      write(`tray/${edge}.png`, await draw(page, width, bottom + edge, [...signs, ...numbers]));
    }
  } finally {
    await browser.close();
  }
  writeFileSync(
    join(ASSETS, 'rendered.json'),
    `${JSON.stringify({ from: vectorFiles(), made: digests(written) }, null, 2)}\n`,
  );
}

if (import.meta.main) await render();
