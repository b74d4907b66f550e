// Service, proxy: which requests the dashboard passes on: those of the table of routes, to the letter.
import type { Environment } from '../../shared/wire/keys.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { DOCUMENT_PATHS } from '../docs/openapi.ts';

/** What a path answers that can be read, streams apart. */
const SAFE_METHODS = ['GET', 'HEAD'];

/** @returns the methods that are passed on for this path (as it stands in the request, without its query); none for a path that is not */
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

/** No segment that becomes another path once it is decoded, and none that cannot be. */
function isPlain(segment: string): boolean {
  try {
    // A URL parser drops blanks at the end of a path before it resolves dots.
    const text = decodeURIComponent(segment).trim();
    return !/^\.{1,2}$/.test(text) && !/[/\\\0]/.test(text);
  } catch {
    return false;
  }
}
