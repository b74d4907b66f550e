// Service, what is due: the events of an iCalendar file (RFC 5545), as far as a list of dates needs it.
// ical.js would read recurrence and the rules of zones besides; a list of dates has neither.
import type { EventFields } from './event-fields.ts';

export interface IcsEvent {
  /** Of BEGIN:VEVENT. */
  readonly line: number;
  /** The fields, or why it is not read. */
  readonly fields: EventFields | string;
}

interface Property {
  readonly value: string;
  readonly parameters: string;
}

/** NAME;PARAMETER="a:b":value */
const PROPERTY = /^([A-Za-z0-9-]+)((?:;[^=:;]+=(?:"[^"]*"|[^":;]*)(?:,(?:"[^"]*"|[^":;,]*))*)*):(.*)$/;

/** @returns the events, and the name of the calendar */
export function readIcs(text: string): { readonly events: readonly IcsEvent[]; readonly name: string } {
  const events: IcsEvent[] = [];
  let [name, calendarZone, open, depth]: [string, string, number, number] = ['', '', 0, 0];
  let properties = new Map<string, Property>();
  for (const { line, text: unfolded } of linesOf(text)) {
    const [, given = '', parameters = '', value = ''] = PROPERTY.exec(unfolded) ?? [];
    const property = given.toUpperCase();
    const component = value.trim().toUpperCase();
    if (property === 'BEGIN' && component === 'VEVENT') [open, depth, properties] = [line, 0, new Map()];
    else if (property === 'END' && component === 'VEVENT') {
      if (open > 0 && properties.get('STATUS')?.value.trim().toUpperCase() !== 'CANCELLED')
        events.push({ line: open, fields: fieldsOf(properties, calendarZone) });
      open = 0;
    } else if (open > 0 && property === 'BEGIN') depth += 1;
    else if (open > 0 && property === 'END') depth -= 1;
    else if (open > 0 && depth === 0) properties.set(property, { value, parameters });
    else if (property === 'X-WR-CALNAME') name = unescaped(value);
    else if (property === 'X-WR-TIMEZONE') calendarZone = value.trim();
  }
  return { events, name };
}

/** A line that begins with a blank continues the one before. */
function linesOf(text: string): { line: number; text: string }[] {
  const lines: { line: number; text: string }[] = [];
  for (const [index, one] of text.split(/\r\n|\r|\n/).entries()) {
    const last = lines.at(-1);
    if (/^[ \t]/.test(one) && last !== undefined) last.text += one.slice(1);
    else lines.push({ line: index + 1, text: one });
  }
  return lines;
}

function fieldsOf(properties: ReadonlyMap<string, Property>, calendarZone: string): EventFields | string {
  const value = (name: string): string => unescaped(properties.get(name)?.value ?? '');
  const start = properties.get('DTSTART');
  if (start === undefined) return 'it has no DTSTART';
  if (properties.has('RRULE')) return 'it repeats (RRULE); list each date, as a rule may go on where the dates do not';
  const [, zone = calendarZone] = /;TZID="?([^";:]+)"?/i.exec(start.parameters) ?? [];
  return {
    symbol: value('X-SYMBOL'),
    date: start.value.trim(),
    time: '',
    // "/freeassociation.sourceforge.net/Europe/Berlin" names the zone at its end.
    zone: /Z$/i.test(start.value.trim()) ? '' : (/[A-Za-z_]+\/[A-Za-z_]+$/.exec(zone)?.[0] ?? zone),
    kind: value('CATEGORIES'),
    title: value('SUMMARY'),
  };
}

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\[nN]/g, ' ')
    .replaceAll(/\\(.)/g, '$1')
    .trim();
