// SDK generator: the schemas of an OpenAPI document, and the names that are made of theirs.
export type Schema = { readonly [name: string]: unknown };

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** alertTransitions, alert-transitions, alert_transitions: AlertTransitions. */
export const pascal = (name: string): string =>
  name.replaceAll(/(^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, __, letter: string) => letter.toUpperCase());

/** asOf, as-of: as_of. */
export const snake = (name: string): string =>
  name
    .replaceAll(/[A-Z]+/g, (letters, at: number) => `${at === 0 ? '' : '_'}${letters.toLowerCase()}`)
    .replaceAll(/\W+/g, '_')
    .replaceAll(/_+/g, '_');
