// Client: a method for every route, so that no route is named by a text.
import type { Result } from '../shared/lib/result.ts';
import type { AnyRoute, RouteReply, RouteRequest } from '../shared/wire/route.ts';
import { type RouteName, routes } from '../shared/wire/routes.ts';
import type { CallInput, ClientResponse, ListName, ObjectName, Row } from './client.ts';
import { ServiceError, type ServiceProblem } from './problem.ts';

type Routes = typeof routes;
type Part<Given> = Given extends undefined | Record<string, never> ? unknown : Given;
/** Parameters of the path, the query and the body together: no name is in two of them. */
export type MethodInput<Name extends RouteName> = Part<RouteRequest<Routes[Name]>['params']> &
  Part<RouteRequest<Routes[Name]>['query']> &
  Part<RouteRequest<Routes[Name]>['body']>;
export type MethodOptions = { readonly headers?: Readonly<Record<string, string>> };
type Arguments<Name extends RouteName> =
  Partial<MethodInput<Name>> extends MethodInput<Name>
    ? [input?: MethodInput<Name>, options?: MethodOptions]
    : [input: MethodInput<Name>, options?: MethodOptions];
/** `events` is the stream. */
type MethodName<Name extends string> = Name extends 'events' ? 'eventLog' : Name;

/**
 * Methods of objects resolve to what is answered, those of lists go through every row, page by page.
 * @throws ServiceError
 */
export type Methods = {
  readonly [Name in ObjectName as MethodName<Name>]: (...given: Arguments<Name>) => Promise<RouteReply<Routes[Name]>>;
} & {
  readonly [Name in ListName as MethodName<Name>]: (...given: Arguments<Name>) => AsyncGenerator<Row<Name>, void>;
};

export function createMethods(
  call: (name: ObjectName, ask: object) => Promise<Result<ClientResponse<unknown>, ServiceProblem>>,
  rows: (name: ListName, ask: object) => AsyncGenerator<unknown, void>,
): Methods {
  const named = Object.entries(routes).filter(([, { content }]) => content === 'json');
  const methods = named.map(([name, route]) => [
    name === 'events' ? 'eventLog' : name,
    isList(route)
      ? (input: Fields, options: MethodOptions) => rows(name as ListName, requestOf(route, input, options))
      : async (input: Fields, options: MethodOptions) => {
          const answer = await call(name as ObjectName, requestOf(route, input, options));
          if (!answer.ok) throw new ServiceError(answer.error);
          return answer.value.value;
        },
  ]);
  return Object.fromEntries(methods) as Methods;
}

type Fields = Readonly<Record<string, unknown>>;

function requestOf(route: AnyRoute, input: Fields = {}, options: MethodOptions = {}): CallInput<RouteName> {
  const inPath = new Set(Array.from(route.path.matchAll(/:(\w+)/g), ([, name]) => name));
  const entries = Object.entries(input);
  const others = Object.fromEntries(entries.filter(([name]) => !inPath.has(name)));
  const params = Object.fromEntries(entries.filter(([name]) => inPath.has(name)));
  return {
    ...options,
    params,
    ...(route.body === null ? { query: others } : { body: others }),
  } as CallInput<RouteName>;
}

const isList = ({ reply }: AnyRoute): boolean => 'shape' in reply && 'next_cursor' in (reply.shape as Fields);
