// Service, routes: turns the issues of a schema into one sentence that names the parameter.
import type { z } from 'zod';

const MOST = 3;

/** "limit: must be a whole number from 1 to 100; from: must be ..." */
export function sentenceOf(error: z.ZodError): string {
  const messages = error.issues.slice(0, MOST).map(({ path, message }) => {
    const name = path.join('.');
    return name === '' ? message : `${name}: ${message}`;
  });
  const more = error.issues.length - messages.length;
  return more > 0 ? `${messages.join('; ')}; and ${more} more` : messages.join('; ');
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const FORMS: Readonly<Record<string, string>> = {
  url: 'must be a web address',
  email: 'must be a mail address',
  datetime: 'must be a date and time like 2026-03-02T14:30:00Z',
  date: 'must be a date like 2026-03-02',
};

/** The text of an issue whose schema has none of its own; given to `safeParse`. */
export function issueText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be ${listed(issue.values.map(String))}`;
    case 'too_small':
      return boundText(issue.origin, issue.minimum, issue.inclusive ? 'at least' : 'more than');
    case 'too_big':
      return boundText(issue.origin, issue.maximum, issue.inclusive ? 'at most' : 'less than');
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has ${issue.keys.join(', ')}, which is not known here`;
    case 'invalid_format':
      return FORMS[issue.format] ?? 'does not have the right form';
    default:
      return 'cannot be used';
  }
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
};

function boundText(origin: string, bound: number | bigint, relation: string): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${relation} ${bound}`;
  return `must have ${relation} ${bound} ${unit[Number(bound) === 1 ? 0 : 1]}`;
}
