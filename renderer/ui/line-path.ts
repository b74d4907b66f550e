// Renderer, pure: the path of a line in SVG.

/** @param points null: the line has a gap there */
export function linePath(points: readonly (readonly [x: number, y: number] | null)[]): string {
  let pen = 'M';
  let path = '';
  for (const point of points) {
    if (point !== null) path += `${pen}${point.map((value) => Number(value.toFixed(3))).join(',')}`;
    pen = point === null ? 'M' : 'L';
  }
  return path;
}
