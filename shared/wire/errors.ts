// Pure: the table of errors. Every 4xx and 5xx answer of the service is a row of it.
import { z } from 'zod';

export const ErrorBodySchema = z
  .object({
    code: z.string().meta({ description: 'What kind of error it is, for programs.' }),
    message: z.string().meta({ description: 'What is wrong, where, and how to correct it, for people.' }),
    doc_url: z.string().meta({ description: 'Link to the section of the documentation that explains the error.' }),
  })
  .meta({ id: 'Error', description: 'Every answer of 4xx and 5xx.' });
export type ErrorBody = z.infer<typeof ErrorBodySchema>;

/** `capital` is the code at endpoints that spell codes in capitals; the description says how to recover. */
export const ERRORS = {
  invalid_request: {
    status: 400,
    code: 'invalid_request',
    capital: 'invalid_request',
    description:
      'The request cannot be understood: a parameter, a header or the body is wrong. The message says which, and what would be right.',
  },
  invalid_symbol: {
    status: 400,
    code: 'INVALID_SYMBOL',
    capital: 'INVALID_SYMBOL',
    description: 'The symbol is malformed. A symbol has 1 to 15 letters, digits or . ^ = -.',
  },
  unauthorized: {
    status: 401,
    code: 'unauthorized',
    capital: 'UNAUTHORIZED',
    description:
      'The key is missing, or not valid in this environment. Send a valid key of this environment in X-API-Key, or as Authorization: Bearer.',
  },
  forbidden: {
    status: 403,
    code: 'forbidden',
    capital: 'forbidden',
    description:
      'The key is valid, but not for this request: its scope or its plan does not cover it, or the request came from a page of another origin.',
  },
  not_found: {
    status: 404,
    code: 'not_found',
    capital: 'not_found',
    description: 'There is nothing at this path, or nothing with this id in your account.',
  },
  symbol_not_covered: {
    status: 404,
    code: 'symbol_not_covered',
    capital: 'symbol_not_covered',
    description: 'The symbol is well formed, but this service does not cover it. GET /snapshot lists what it covers.',
  },
  method_not_allowed: {
    status: 405,
    code: 'invalid_request',
    capital: 'invalid_request',
    description: 'The path exists, but not with this method. The header Allow lists its methods.',
  },
  request_timeout: {
    status: 408,
    code: 'invalid_request',
    capital: 'invalid_request',
    description: 'The request did not arrive completely in time. Send it again without pauses.',
  },
  too_large: {
    status: 413,
    code: 'invalid_request',
    capital: 'invalid_request',
    description: 'The body is larger than 65536 bytes. Send a smaller one.',
  },
  unsupported_media_type: {
    status: 415,
    code: 'invalid_request',
    capital: 'invalid_request',
    description: 'The body is not JSON. Send JSON with Content-Type: application/json.',
  },
  headers_too_large: {
    status: 431,
    code: 'invalid_request',
    capital: 'invalid_request',
    description: 'The headers are larger than 16384 bytes. Send smaller ones, or a shorter path.',
  },
  rate_limited: {
    status: 429,
    code: 'rate_limited',
    capital: 'RATE_LIMITED',
    description: 'A limit is reached. Wait the number of seconds in Retry-After, then try again.',
  },
  internal: {
    status: 500,
    code: 'INTERNAL_ERROR',
    capital: 'INTERNAL_ERROR',
    description:
      'Something failed inside the service. Try again later; X-Request-Id identifies the request in the log of the service.',
  },
  backend_unavailable: {
    status: 502,
    code: 'BACKEND_UNAVAILABLE',
    capital: 'BACKEND_UNAVAILABLE',
    description: 'The data that this endpoint computes from cannot be reached. Try again in a moment.',
  },
  temporarily_unavailable: {
    status: 503,
    code: 'temporarily_unavailable',
    capital: 'temporarily_unavailable',
    description:
      'The service is starting or cannot write at the moment. Wait the number of seconds in Retry-After, then try again.',
  },
} as const;
export type ErrorKind = keyof typeof ERRORS;
