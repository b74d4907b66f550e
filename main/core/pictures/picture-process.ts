// Main, picture process: draws one SVG as PNG, and ends. A process, because the renderer and its font take 60 MB,
// of which a thread would leave 50 MB in the app. It imports little: it starts anew for every picture.
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';

/** Pixels for each unit of the drawing: 1,200 by 630, sharp on a phone. */
const ZOOM = 1.5;

const file = (url: string): Promise<Buffer> => readFile(new URL(url));

/** @returns base64, as both kinds of processes can send it */
async function draw(svg: string): Promise<string> {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  await initWasm(file(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  // The subset that the windows have, regular and bold: no text of the picture needs another.
  const fontBuffers = await Promise.all([
    file(import.meta.resolve('@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff2')),
    file(import.meta.resolve('@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff2')),
  ]);
  const drawn = new Resvg(svg, { fitTo: { mode: 'zoom', value: ZOOM }, font: { fontBuffers } }).render();
  return Buffer.from(drawn.asPng()).toString('base64');
}

const answer = async (svg: unknown): Promise<object> => {
  try {
    return { png: await draw(String(svg)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

// The next alert must not wait for a picture of the last one.
setPriority(constants.priority.PRIORITY_LOW);

interface ParentPort {
  once(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/** Set in a utility process of Electron; a forked Node has `process.send` instead. */
const parentPort = (process as { parentPort?: ParentPort }).parentPort;
if (parentPort === undefined) {
  process.once('disconnect', () => process.exit());
  process.once('message', async (svg) => process.send?.(await answer(svg)));
} else parentPort.once('message', async ({ data }) => parentPort.postMessage(await answer(data)));
