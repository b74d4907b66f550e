// Service: binary search.

/** Number of matching items; all matching items must come first. */
export function countLeading<Item>(
  items: { readonly length: number; at(index: number): Item | undefined },
  matches: (item: Item) => boolean,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches(items.at(middle) as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
