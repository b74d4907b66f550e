// TypeScript SDK: a type as text, with every name in it written out.
import ts from 'typescript';

/** @throws for what no record of the service is: functions, classes, types that contain themselves */
export function printed(checker: ts.TypeChecker, type: ts.Type, within: readonly ts.Type[] = []): string {
  const inner = (one: ts.Type): string => printed(checker, one, [...within, type]);
  if (within.includes(type)) throw new Error(`${checker.typeToString(type)} contains itself`);
  if (type.flags & (ts.TypeFlags.Boolean | ts.TypeFlags.Enum)) return checker.typeToString(type);
  if (type.isUnion())
    return unionMembers(checker, type)
      .map((one) => (typeof one === 'string' ? one : inner(one)))
      .join(' | ');
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
