// TypeScript SDK: the declarations of the package.
// Those of the client come from the compiler. The records, which zod infers, are written out as plain types,
// so that the package needs no zod.
import { join, posix, relative } from 'node:path';
import ts from 'typescript';
import { printed } from './print-type.ts';

/** Modules whose types are inferred from schemas. */
const INFERRED = 'shared/wire/';

/** What the table of routes becomes: types by the name of the route; no value of that form exists. */
const ROUTE = `export type RouteRequest<Route extends { request: unknown }> = Route['request'];
export type RouteReply<Route extends { reply: unknown }> = Route['reply'];
export interface AnyRoute { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; }
`;

/** @returns texts by path, both relative to `top`, of `entry` and of everything that it needs */
export function declarations(entry: string, top: string): ReadonlyMap<string, string> {
  const { config } = ts.readConfigFile(join(top, 'client', 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, join(top, 'client'));
  Object.assign(options, { noEmit: false, declaration: true, emitDeclarationOnly: true, incremental: false });
  delete options.tsBuildInfoFile;
  const program = ts.createProgram([entry], { ...options, rootDir: top, outDir: top });
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  if (problems.length > 0) throw new Error(`The client does not compile: ${JSON.stringify(problems)}`);
  const emitted = new Map<string, string>();
  program.emit(undefined, (name, text) => emitted.set(relative(top, name), text));

  const written = new Map<string, string>();
  /** Names that are used of each inferred module. */
  const used = new Map<string, Set<string>>();
  const waiting = [relative(top, entry).replace(/\.ts$/, '.d.ts')];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = emitted.get(path);
    if (text === undefined || written.has(path)) continue;
    written.set(path, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
    for (const [, names = '', from = ''] of text.matchAll(
      /(?:import|export)\s+(?:type\s+)?([^;']*?)\s+from '([^']+)'/g,
    )) {
      const target = posix.join(posix.dirname(path), from.replace(/\.ts$/, '.d.ts'));
      if (!target.startsWith(INFERRED)) waiting.push(target);
      else
        for (const [name] of names.replaceAll(/\btype\b/g, '').matchAll(/\w+/g))
          used.set(target, (used.get(target) ?? new Set()).add(name));
    }
  }
  for (const [path, names] of used)
    written.set(
      path,
      path === 'shared/wire/route.d.ts'
        ? ROUTE
        : inferred(program, join(top, path.replace(/\.d\.ts$/, '.ts')), names, emitted.get(path) ?? ''),
    );
  return written;
}

/** The declarations of `names` in a module, written out. */
function inferred(program: ts.Program, file: string, names: ReadonlySet<string>, emitted: string): string {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module of the client`);
  const exported = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  const lines = [...names].sort().map((name) => {
    const symbol = exported.get(name);
    if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
    if (name === 'routes')
      return `export declare const routes: ${routeTypes(checker, checker.getTypeOfSymbol(symbol))};`;
    if (name === 'List')
      return 'export type List<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null };';
    // As the compiler has it: by the names of the types that it takes.
    if (symbol.flags & ts.SymbolFlags.Value)
      return new RegExp(`^export declare (const|function) ${name}\\b.*$`, 'm').exec(emitted)?.[0] ?? '';
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    // A set of names that a program gives is closed; one in an answer is open.
    const isGiven = type.isUnion() && type.types.every((one) => one.isStringLiteral());
    return `export type ${name} = ${printed(checker, type, !isGiven)};`;
  });
  return `${lines.join('\n')}\n`;
}

/** The table of routes as types: what a caller passes, and what is answered. */
function routeTypes(checker: ts.TypeChecker, table: ts.Type): string {
  const at = (type: ts.Type, ...path: string[]): ts.Type =>
    path.reduce((inner, name) => {
      const property = checker.getPropertyOfType(inner, name);
      if (property === undefined) throw new Error(`A route has no ${name}`);
      return checker.getTypeOfSymbol(property);
    }, type);
  const input = (route: ts.Type, part: string): string => {
    const schema = at(route, part);
    return checker.getPropertyOfType(schema, '_zod') === undefined
      ? 'undefined'
      : printed(checker, at(schema, '_zod', 'input'), false);
  };
  const rows = checker.getPropertiesOfType(table).map((symbol) => {
    const route = checker.getTypeOfSymbol(symbol);
    const request = ['params', 'query', 'body'].map((part) => `${part}: ${input(route, part)};`).join(' ');
    return `  ${symbol.name}: { request: { ${request} }; reply: ${printed(checker, at(route, 'reply', '_zod', 'output'), true)} };`;
  });
  return `{\n${rows.join('\n')}\n}`;
}
