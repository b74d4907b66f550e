// Renderer: the hatches of tokens.css and of the regime ribbon as canvas patterns.
// A pattern distinguishes a state without its colour.

export type PatternName = 'elevated' | 'gap' | 'dots' | 'falling' | 'falling_dots' | 'cross';

interface Tile {
  /** Side, CSS pixels. */
  readonly size: number;
  /** Angle, degrees. */
  readonly angle: number;
  draw(context: CanvasRenderingContext2D): void;
}

const dot = (context: CanvasRenderingContext2D, x: number, y: number, radius: number): void => {
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fill();
};
const falling = (context: CanvasRenderingContext2D): void => {
  context.lineWidth = 0.8;
  context.beginPath();
  for (const [x, y] of [
    [0, 0],
    [-6, 0],
    [0, -6],
    [6, 0],
    [0, 6],
  ] as const) {
    context.moveTo(x, y);
    context.lineTo(x + 6, y + 6);
  }
  context.stroke();
};

const TILES: Readonly<Record<PatternName, Tile>> = {
  elevated: { size: 5, angle: 45, draw: (context) => context.fillRect(0, 0, 2.2, 5) },
  gap: { size: 6, angle: -45, draw: (context) => context.fillRect(0, 0, 1.5, 6) },
  dots: {
    size: 4,
    angle: 0,
    draw(context) {
      context.globalAlpha = 0.55;
      dot(context, 1, 1, 0.65);
    },
  },
  falling: {
    size: 6,
    angle: 0,
    draw(context) {
      context.globalAlpha = 0.7;
      falling(context);
    },
  },
  falling_dots: {
    size: 6,
    angle: 0,
    draw(context) {
      context.globalAlpha = 0.7;
      falling(context);
      context.globalAlpha = 1;
      dot(context, 4.5, 1.5, 0.8);
      dot(context, 1.5, 4.5, 0.8);
    },
  },
  cross: {
    size: 5,
    angle: 45,
    draw(context) {
      context.globalAlpha = 0.75;
      context.lineWidth = 0.8;
      context.beginPath();
      context.moveTo(0, 0.5);
      context.lineTo(5, 0.5);
      context.moveTo(0.5, 0);
      context.lineTo(0.5, 5);
      context.stroke();
    },
  },
};

/** Patterns belong to no canvas, and a chart needs the same few for every frame. */
const made = new Map<string, CanvasPattern>();

/** A pattern in `color`, sharp at the pixel ratio of the context's current scale. */
export function hatch(context: CanvasRenderingContext2D, name: PatternName, color: string): CanvasPattern | string {
  const tile = TILES[name];
  const ratio = context.getTransform().a;
  const side = Math.max(1, Math.round(tile.size * ratio));
  const key = `${name} ${color} ${side}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const drawing = canvas.getContext('2d');
  if (drawing === null) return color;
  drawing.scale(side / tile.size, side / tile.size);
  drawing.fillStyle = color;
  drawing.strokeStyle = color;
  tile.draw(drawing);
  const pattern = context.createPattern(canvas, 'repeat');
  if (pattern === null) return color;
  pattern.setTransform(new DOMMatrix().rotate(tile.angle).scale(tile.size / side));
  made.set(key, pattern);
  return pattern;
}
