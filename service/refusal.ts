// Service: the error of a refused request, a row of the error table.
import { ERRORS, type ErrorBody, type ErrorKind } from '../shared/wire/errors.ts';

/**
 * Thrown to refuse a request; the app answers it as JSON. `message` names the problem and its fix.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: ErrorKind;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.kind = kind;
    this.headers = headers;
  }
}

/** The refusal for an error of SQLite or the cluster journal; null for any other error. */
export function refusalOfStore(error: unknown): Refusal | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !/^(SQLITE_|JOURNAL_)/.test(code)) return null;
  return new Refusal('temporarily_unavailable', 'The service cannot write to its store at the moment.', {
    'retry-after': '5',
  });
}

export type Spelling = 'lower' | 'capital';

/** Id of the section of /docs that explains a kind. */
export const sectionOf = (kind: ErrorKind): string => kind.replaceAll('_', '-');

/** Body of an error answer. doc_url names the section of /docs that explains the kind. */
export const errorBody = (kind: ErrorKind, spelling: Spelling, message: string, publicUrl: string): ErrorBody => ({
  code: spelling === 'capital' ? ERRORS[kind].capital : ERRORS[kind].code,
  message,
  doc_url: `${publicUrl}/docs#${sectionOf(kind)}`,
});

export const PROBLEM_TYPE = 'application/problem+json';

/** The same in the form of RFC 9457, for clients that accept it. */
export const problemBody = (kind: ErrorKind, body: ErrorBody, instance: string) => ({
  type: body.doc_url,
  title: kind.replaceAll('_', ' '),
  status: ERRORS[kind].status,
  detail: body.message,
  instance,
  ...body,
});
