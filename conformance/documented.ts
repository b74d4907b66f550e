// Conformance: promises of a service's OpenAPI document beyond the specification.
import type { Probe } from './probe.ts';
import { arrayOf, type Fields, fieldsOf, objectsIn } from './shapes.ts';

const document = async (probe: Probe): Promise<Fields | null> => fieldsOf((await probe.get('/openapi.json')).body);

const parameterNames = (given: unknown, root: Fields | null): string[] =>
  objectsIn(arrayOf(given) ?? []).flatMap(({ name, $ref }) => {
    if (typeof name === 'string') return [name];
    const shared = fieldsOf(fieldsOf(root?.components)?.parameters);
    const named = fieldsOf(shared?.[String($ref).split('/').at(-1) ?? ''])?.name;
    return typeof named === 'string' ? [named] : [];
  });

/** Paths of its operations: "GET /events". */
export async function documentedOperations(probe: Probe): Promise<readonly string[]> {
  const paths = fieldsOf((await document(probe))?.paths) ?? {};
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(fieldsOf(operations) ?? {}).flatMap((method) =>
      /^(get|put|post|delete|patch)$/.test(method) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
}

/** Names of the parameters of a GET. @param path without a query, with {symbol} for a symbol */
export async function documentedParameters(probe: Probe, path: string): Promise<ReadonlySet<string>> {
  const root = await document(probe);
  const operations = fieldsOf(fieldsOf(root?.paths)?.[path]);
  return new Set([
    ...parameterNames(operations?.parameters, root),
    ...parameterNames(fieldsOf(operations?.get)?.parameters, root),
  ]);
}

/** The first unresolvable reference within the document, or null. */
export function lostReference(part: unknown, root: unknown): string | null {
  for (const [name, value] of Object.entries(part !== null && typeof part === 'object' ? part : {})) {
    const isLost = name === '$ref' && typeof value === 'string' && value.startsWith('#/') && !isIn(root, value);
    const lost = isLost ? value : lostReference(value, root);
    if (lost !== null) return lost;
  }
  return null;
}

/** @param pointer "#/components/schemas/Error" */
function isIn(root: unknown, pointer: string): boolean {
  let part = root;
  for (const name of pointer.slice(2).split('/')) {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    if (part === null || typeof part !== 'object' || !(key in part)) return false;
    part = (part as Fields)[key];
  }
  return true;
}
