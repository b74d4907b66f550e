// Service, proxy: the requests that the dashboard forwards: exactly those of the table of routes.
import type { Environment } from '../../shared/wire/keys.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { DOCUMENT_PATHS } from '../docs/openapi.ts';

/** Methods of a readable path, except streams. */
const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * @returns the methods forwarded for this path (as in the request, without its query); none for other paths
 */
export function createAllowed(environment: Environment): (path: string) => readonly string[] {
  const table: readonly AnyRoute[] = Object.values(routes);
  const rows = [
    ...table
      .filter(({ only }) => only === undefined || only === environment)
      .map(({ path, method, content }) => ({
        path,
        methods: method === 'GET' && content !== 'stream' ? SAFE_METHODS : [method],
      })),
    ...Object.values(DOCUMENT_PATHS).map((path) => ({ path, methods: SAFE_METHODS })),
  ].map(({ path, methods }) => ({ methods, segments: path.split('/') }));

  return (path) => {
    const segments = path.split('/');
    if (!segments.every(isPlain)) return [];
    const fits = (pattern: readonly string[]): boolean =>
      pattern.length === segments.length &&
      pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]));
    return rows.filter((row) => fits(row.segments)).flatMap(({ methods }) => methods);
  };
}

/** Refuses segments that decode to another path, and those that do not decode. */
function isPlain(segment: string): boolean {
  try {
    // A URL parser drops blanks at the end of a path before it resolves dots.
    const text = decodeURIComponent(segment).trim();
    return !/^\.{1,2}$/.test(text) && !/[/\\\0]/.test(text);
  } catch {
    return false;
  }
}
