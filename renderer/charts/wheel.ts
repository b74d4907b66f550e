// Renderer: the wheel over a chart. Where the page around it scrolls, the wheel scrolls it as everywhere else, and zooms with Ctrl; else it zooms.

/** What is asked of an element: its place among others and whether it scrolls. */
interface Box {
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly parentElement: Box | null;
}

/** Whether something around it has more than it shows. @param clips what it has more is cut off, not scrolled to */
export function scrollsAround<Element extends Box>(element: Element, clips: (element: Element) => boolean): boolean {
  for (let box = element.parentElement as Element | null; box !== null; box = box.parentElement as Element | null)
    if (box.scrollHeight - box.clientHeight > 1 && !clips(box)) return true;
  return false;
}

/** Keeps the wheel from what is drawn inside while it belongs to the page. @returns takes it off again */
export function letPageScroll(element: HTMLElement): () => void {
  const clips = (box: HTMLElement): boolean => !/auto|scroll/.test(getComputedStyle(box).overflowY);
  const onWheel = (event: WheelEvent): void => {
    const zooms = event.ctrlKey || event.metaKey;
    // Sideways it moves the chart through time, whatever the page does.
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!zooms && !isSideways && scrollsAround(element, clips)) event.stopPropagation();
  };
  element.addEventListener('wheel', onWheel, { capture: true, passive: true });
  return () => element.removeEventListener('wheel', onWheel, { capture: true });
}
