// Pure: splits a list into parts of limited length.

/** The items in their order, `size` in each part; the last part may have fewer. */
export function chunked<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
