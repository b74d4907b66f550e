// Service, routes: turns the issues of a schema into one sentence that names the parameter.
import type { z } from 'zod';

const MOST = 3;

/** "limit: must be a whole number from 1 to 100; from: must be ..." */
export function sentenceOf(error: z.ZodError): string {
  const messages = error.issues.slice(0, MOST).map((issue) => {
    const path = issue.path.join('.');
    const message = issue.message.replace(/^Invalid input: /, '');
    return path === '' ? message : `${path}: ${message}`;
  });
  const more = error.issues.length - messages.length;
  return more > 0 ? `${messages.join('; ')}; and ${more} more` : messages.join('; ');
}
