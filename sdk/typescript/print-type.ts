// TypeScript SDK: a type as text, with every name in it written out.
// In what is answered a set of words or numbers stays open, for those that a newer service adds.
import ts from 'typescript';

/** @throws for what no record of the service is: functions, classes, types that contain themselves */
export function printed(
  checker: ts.TypeChecker,
  type: ts.Type,
  isOpen: boolean,
  within: readonly ts.Type[] = [],
): string {
  const inner = (one: ts.Type): string => printed(checker, one, isOpen, [...within, type]);
  if (within.includes(type)) throw new Error(`${checker.typeToString(type)} contains itself`);
  if (type.flags & (ts.TypeFlags.Boolean | ts.TypeFlags.Enum)) return checker.typeToString(type);
  if (isTimestamp(checker, type)) return TIMESTAMP;
  if (type.isUnion()) {
    const members = unionMembers(checker, type).map((one) => (typeof one === 'string' ? one : inner(one)));
    return [...members, ...(isOpen ? openMember(type) : [])].join(' | ');
  }
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return checker.typeToString(type);
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const members = checker.getTypeArguments(type as ts.TypeReference).map(inner);
    const isReadonly = checker.typeToString(type).startsWith('readonly ');
    return `${isReadonly ? 'readonly ' : ''}${checker.isTupleType(type) ? `[${members.join(', ')}]` : `(${members[0]})[]`}`;
  }
  if (type.getCallSignatures().length > 0) throw new Error(`${checker.typeToString(type)} is a function`);
  const properties = checker.getPropertiesOfType(type).map((symbol) => {
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const name = /^[A-Za-z_]\w*$/.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name);
    return `${name}${isOptional ? '?' : ''}: ${inner(checker.getTypeOfSymbol(symbol))};`;
  });
  const indexes = checker
    .getIndexInfosOfType(type)
    .map(({ keyType, type: value }) => `[key: ${checker.typeToString(keyType)}]: ${inner(value)};`);
  return `{ ${[...indexes, ...properties].join(' ')} }`;
}

/** The checker holds `boolean` in a union as true and false. */
function unionMembers(checker: ts.TypeChecker, { types }: ts.UnionType): (ts.Type | string)[] {
  const names = types.map((one) => checker.typeToString(one));
  if (!names.includes('true') || !names.includes('false')) return types;
  return [...types.filter((_, at) => names[at] !== 'true' && names[at] !== 'false'), 'boolean'];
}

/** As text, what `Timestamp` of shared/wire is: a string with a mark that the checker keeps. */
const TIMESTAMP = `\`\${string}T\${string}Z\``;
const isTimestamp = (checker: ts.TypeChecker, type: ts.Type): boolean =>
  type.isIntersection() && type.types.some((one) => checker.typeToString(one) === 'string');

/** The member that takes every other word, and leaves the known ones to be completed by editors. */
function openMember({ types }: ts.UnionType): string[] {
  const literals = types.filter(({ flags }) => flags & (ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral));
  if (literals.length < 2) return [];
  return literals[0]?.isStringLiteral() ? ['(string & {})'] : ['(number & {})'];
}
