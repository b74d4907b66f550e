// Pure: makes the id of a new item from its name. The id stays when the name changes.

/** @param otherwise the id of an item whose name has no letter that an id may have */
export function freshId(name: string, taken: readonly string[], otherwise: string): string {
  const stem =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 34)
      .replace(/-+$/, '') || otherwise;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.includes(id)) return id;
  }
}
