// Renderer: exports a chart as a picture, with a caption, and SANDBOX for a simulated market.
import { readColors } from './colors.ts';

const LINE = 28;

/** @param sandbox the label of a simulated market; null on a real one */
export function withCaption(
  chart: HTMLCanvasElement,
  caption: string,
  sandbox: string | null,
  element: Element,
): Promise<Blob | null> {
  const colors = readColors(element);
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width;
  canvas.height = chart.height + LINE * ratio;
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  context.fillStyle = colors.s1;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, 0, LINE * ratio);
  context.scale(ratio, ratio);
  context.textBaseline = 'middle';
  context.font = `500 13px ${colors.font}`;
  context.fillStyle = colors.t1;
  context.fillText(caption, 12, LINE / 2);
  if (sandbox !== null) {
    context.textAlign = 'right';
    context.font = `600 13px ${colors.font}`;
    context.fillStyle = colors.sandbox;
    context.fillText(sandbox, canvas.width / ratio - 12, LINE / 2);
  }
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}
