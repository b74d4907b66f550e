// Renderer: the colours of tokens.css, for a canvas, which CSS does not reach.

/** Reads the tokens as they apply to `element`: call it after the theme was set. */
export function readColors(element: Element) {
  // Read from an element, so that forced colours arrive as colours that a canvas understands.
  const probe = document.createElement('i');
  probe.style.forcedColorAdjust = 'none';
  element.append(probe);
  const style = getComputedStyle(probe);
  const token = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const colors = {
    s1: token('s1'),
    s3: token('s3'),
    t1: token('t1'),
    t2: token('t2'),
    t3: token('t3'),
    ink: token('ink'),
    grid: token('grid'),
    line: token('line-2'),
    edge: token('edge'),
    accent: token('accent'),
    normal: token('normal'),
    elevated: token('elevated'),
    high: token('high'),
    highText: token('high-t'),
    onHigh: token('on-high'),
    gap: token('gap'),
    sandbox: token('sandbox'),
    regime1: token('regime-1'),
    regime2: token('regime-2'),
    regime3: token('regime-3'),
    font: style.getPropertyValue('--cond').trim(),
  } as const;
  probe.remove();
  return colors;
}
export type ChartColors = ReturnType<typeof readColors>;
export type ColorName = keyof ChartColors;
