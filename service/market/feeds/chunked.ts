// Service, market feeds: splits a list into chunks of limited size, for a vendor's requests.

export function chunked<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
