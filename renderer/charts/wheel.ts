// Renderer: the wheel over a chart scrolls a scrollable page, and else zooms the chart.
// The wheel with Ctrl or Meta always zooms.

/** The properties of an element that decide whether it scrolls. */
interface Box {
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly parentElement: Box | null;
}

/** Whether an ancestor has overflow to scroll. @param clips the ancestor clips its overflow */
export function scrollsAround<Element extends Box>(element: Element, clips: (element: Element) => boolean): boolean {
  for (let box = element.parentElement as Element | null; box !== null; box = box.parentElement as Element | null)
    if (box.scrollHeight - box.clientHeight > 1 && !clips(box)) return true;
  return false;
}

/** Keeps the wheel from the drawing while it scrolls the page. @returns removes the listener */
export function letPageScroll(element: HTMLElement): () => void {
  const clips = (box: HTMLElement): boolean => !/auto|scroll/.test(getComputedStyle(box).overflowY);
  const onWheel = (event: WheelEvent): void => {
    const zooms = event.ctrlKey || event.metaKey;
    // Horizontal wheel events always move the chart through time.
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!zooms && !isSideways && scrollsAround(element, clips)) event.stopPropagation();
  };
  element.addEventListener('wheel', onWheel, { capture: true, passive: true });
  return () => element.removeEventListener('wheel', onWheel, { capture: true });
}
