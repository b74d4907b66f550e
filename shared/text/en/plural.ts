// Pure: the singular or the plural of an English noun or verb.

/** @param one for a count of 1 */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);
