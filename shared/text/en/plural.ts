// Pure: the singular or the plural of an English noun or verb.

/** @param one for a count of 1 */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

/** The first of many names. */
export const firstOf = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
