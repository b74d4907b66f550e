// Pure: the result of an operation that may be refused; refusals cross processes as data.

export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Problem };

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value });
export const err = <Problem>(error: Problem): { readonly ok: false; readonly error: Problem } => ({ ok: false, error });

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return `${error.message}${cause}`;
  }
  return String(error);
}
