// Pure: the one table of errors (specification, section 7). Every 4xx and 5xx of the service is a row of it.
import { z } from 'zod';

export const ErrorBodySchema = z.object({ code: z.string(), message: z.string(), doc_url: z.string() });
export type ErrorBody = z.infer<typeof ErrorBodySchema>;

/** Kind of failure -> status, code, and the code where the endpoint spells codes in capitals (sections 4.4 and 4.5, CONTRACT 20). */
export const ERRORS = {
  invalid_request: { status: 400, code: 'invalid_request', capital: 'invalid_request' },
  invalid_symbol: { status: 400, code: 'INVALID_SYMBOL', capital: 'INVALID_SYMBOL' },
  unauthorized: { status: 401, code: 'unauthorized', capital: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'forbidden', capital: 'forbidden' },
  not_found: { status: 404, code: 'not_found', capital: 'not_found' },
  symbol_not_covered: { status: 404, code: 'symbol_not_covered', capital: 'symbol_not_covered' },
  method_not_allowed: { status: 405, code: 'invalid_request', capital: 'invalid_request' },
  request_timeout: { status: 408, code: 'invalid_request', capital: 'invalid_request' },
  too_large: { status: 413, code: 'invalid_request', capital: 'invalid_request' },
  unsupported_media_type: { status: 415, code: 'invalid_request', capital: 'invalid_request' },
  headers_too_large: { status: 431, code: 'invalid_request', capital: 'invalid_request' },
  rate_limited: { status: 429, code: 'rate_limited', capital: 'RATE_LIMITED' },
  internal: { status: 500, code: 'INTERNAL_ERROR', capital: 'INTERNAL_ERROR' },
  backend_unavailable: { status: 502, code: 'BACKEND_UNAVAILABLE', capital: 'BACKEND_UNAVAILABLE' },
  temporarily_unavailable: { status: 503, code: 'temporarily_unavailable', capital: 'temporarily_unavailable' },
} as const;
export type ErrorKind = keyof typeof ERRORS;
