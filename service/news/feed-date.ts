// Service, news: parses the dates of feeds, with or without a zone. Pure.

/** The names that feeds use, as offsets: those of RFC 822, and the common ones of Europe. */
const OFFSETS: Readonly<Record<string, string>> = {
  GMT: '+0000',
  UT: '+0000',
  UTC: '+0000',
  EST: '-0500',
  EDT: '-0400',
  CST: '-0600',
  CDT: '-0500',
  MST: '-0700',
  MDT: '-0600',
  PST: '-0800',
  PDT: '-0700',
  BST: '+0100',
  CET: '+0100',
  CEST: '+0200',
};

/** `Date.parse` takes a zone after a space only from a date that has no T. */
const inZone = (text: string, zone: string): number =>
  Date.parse(`${text.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ')} ${zone}`);

/**
 * Parses a date; without a zone it is UTC, never the zone of this computer.
 * @returns ms; NaN when it is no date
 */
export function feedDate(given: string): number {
  const text = given.replace(/\s*\([^)]*\)\s*$/, '').trim();
  const [whole = '', name = ''] = /(?<=\d.*)\s*\b([a-z]+)$/i.exec(text) ?? [];
  const offset = OFFSETS[name.toUpperCase()];
  if (offset !== undefined) return inZone(text.slice(0, -whole.length), offset);
  const at = Date.parse(text);
  const hasOffset = /:\d.*[+-]\d{1,2}(:?\d\d)?$/.test(text) || /\dZ$/i.test(text);
  return Number.isNaN(at) || hasOffset ? at : inZone(text, 'UTC');
}
