// Service, proxy: the requests that the dashboard forwards, and their scopes.
// All of the table of routes but the proof.
import type { DashboardScope } from '../../shared/wire/dashboard.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { DOCUMENT_PATHS } from '../docs/openapi.ts';
import type { Spelling } from '../refusal.ts';

/** Methods of a readable path, except streams. */
const SAFE_METHODS = ['GET', 'HEAD'];

/** open: needs neither key nor session. */
type Needed = DashboardScope | 'open';

/** A method that is forwarded to a path. */
interface ForwardedMethod {
  readonly scope: Needed;
  /** How the endpoint spells the codes of its errors. */
  readonly spelling: Spelling;
}

const OF_KEY_SCOPE = { webhooks: 'subscriptions', account: 'account' } as const;
const scopeOf = ({ access, path }: AnyRoute): Needed =>
  access === 'open'
    ? 'open'
    : access !== 'read'
      ? OF_KEY_SCOPE[access]
      : path === routes.trigger.path
        ? 'trigger'
        : 'read';

/**
 * @returns the methods forwarded for this path (as in the request, without its query), none for other paths
 */
export function createAllowed(environment: Environment): (path: string) => ReadonlyMap<string, ForwardedMethod> {
  const table: readonly AnyRoute[] = Object.values(routes);
  const rows = [
    ...table
      // A proof is of the service's own address; through the dashboard anybody could pass the question on.
      .filter(({ only, path }) => (only === undefined || only === environment) && path !== routes.proof.path)
      .map((route) => ({
        path: route.path,
        methods: route.method === 'GET' && route.content !== 'stream' ? SAFE_METHODS : [route.method],
        scope: scopeOf(route),
        spelling: route.spelling,
      })),
    ...Object.values(DOCUMENT_PATHS).map((path) => ({
      path,
      methods: SAFE_METHODS,
      scope: 'open' as const,
      spelling: 'lower' as const,
    })),
  ].map(({ path, ...row }) => ({ ...row, segments: path.split('/') }));

  return (path) => {
    const segments = path.split('/');
    if (!segments.every(isPlain)) return new Map();
    const fits = (pattern: readonly string[]): boolean =>
      pattern.length === segments.length &&
      pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]));
    return new Map(
      rows
        .filter((row) => fits(row.segments))
        .flatMap(({ methods, scope, spelling }) => methods.map((method) => [method, { scope, spelling }] as const)),
    );
  };
}

/** Refuses segments that decode to another path, and those that do not decode. */
function isPlain(segment: string): boolean {
  // No path has a fragment; the part before it could be parsed differently with it.
  if (segment.includes('#')) return false;
  try {
    // A URL parser drops blanks at the end of a path before it resolves dots.
    const text = decodeURIComponent(segment).trim();
    return !/^\.{1,2}$/.test(text) && !/[/\\\0]/.test(text);
  } catch {
    return false;
  }
}
