// Service, docs: schemas without unions and numeric names, for generators of clients. Pure.
// Python, Go and Ruby make a class of each member of a union, and often one that does not compile.

export interface Json {
  readonly [name: string]: unknown;
}

/** What distinguishes one string from another; a union of strings is any of them. */
const OF_STRINGS = ['format', 'pattern', 'minLength', 'maxLength', 'enum'];

/**
 * The same schema or a wider one: a union of objects is one object with the fields of all, a union of strings a
 * string, and a few integers are a range.
 * @param resolve returns the schema behind a reference
 * @param exampleOf returns the example of a schema
 */
export function plain(schema: Json, resolve: (reference: string) => Json, exampleOf: (schema: Json) => unknown): Json {
  const simplify = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(simplify);
    if (typeof given !== 'object' || given === null) return given;
    const { example, ...form } = given as Json;
    const own: Json = {
      ...Object.fromEntries(Object.entries(form).map(([name, value]) => [name, simplify(value)])),
      ...(example === undefined ? {} : { example }),
    };
    const { anyOf, oneOf, ...rest } = own;
    const members = (anyOf ?? oneOf) as Json[] | undefined;
    if (members === undefined) return plainValue(own);
    const found = (one: Json): Json => (typeof one.$ref === 'string' ? (simplify(resolve(one.$ref)) as Json) : one);
    const resolved = members.map(found);
    if (resolved.every(({ type }) => type === 'string')) return { type: 'string', ...rest };
    if (!resolved.every(({ type }) => type === 'object')) return own;
    const [first] = (form.anyOf ?? form.oneOf) as Json[];
    const sample = example ?? (first === undefined ? undefined : exampleOf(first));
    return { ...mergedObject(resolved, found), ...rest, ...(sample === undefined ? {} : { example: sample }) };
  };
  return simplify(schema) as Json;
}

type Find = (schema: Json) => Json;

function mergedObject(members: readonly Json[], found: Find): Json {
  const names = new Set(members.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const fields = Object.fromEntries(
    [...names].map((name) => [
      name,
      members
        .map((one) => (one.properties as Record<string, Json> | undefined)?.[name])
        .filter((field) => field !== undefined)
        .reduce((field, next) => mergedField(field, next, found)),
    ]),
  );
  const lists = members.map(({ required }) => (required as string[] | undefined) ?? []);
  const common = (lists[0] ?? []).filter((name) => lists.every((list) => list.includes(name)));
  const fewest = Math.min(...lists.map(({ length }) => length));
  return {
    type: 'object',
    properties: fields,
    ...(common.length === 0 ? {} : { required: common }),
    // It still refuses an object that is none of them.
    ...(fewest > common.length ? { minProperties: fewest } : {}),
  };
}

/** A field of two members: what both say, and as wide as both. */
function mergedField(one: Json, other: Json, found: Find): Json {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const [field, next] = [found(one), found(other)];
  const said = {
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(field.nullable === true || next.nullable === true ? { nullable: true } : {}),
    ...(field.example === undefined ? {} : { example: field.example }),
  };
  if (field.type !== next.type || field.type === undefined) return said;
  if (field.type === 'object') return { ...mergedObject([field, next], found), ...said };
  const enums = [field.enum, next.enum].map((one) => one as unknown[] | undefined);
  const own = Object.fromEntries(
    Object.entries(field).filter(
      ([name, value]) => !OF_STRINGS.includes(name) && JSON.stringify(value) === JSON.stringify(next[name]),
    ),
  );
  return {
    ...own,
    ...said,
    type: field.type,
    ...(enums[0] === undefined || enums[1] === undefined ? {} : { enum: [...new Set([...enums[0], ...enums[1]])] }),
  };
}

/** A generator that names its constants by their values has no name for a number; 53 bits are 64. */
function plainValue(schema: Json): Json {
  const { enum: values, maximum, ...rest } = schema;
  // Without a format many generators take 32 bits.
  if (schema.type === 'integer' && maximum === Number.MAX_SAFE_INTEGER) return { ...rest, format: 'int64' };
  if (schema.type === 'boolean' && Array.isArray(values)) return { example: values[0], ...rest };
  if (schema.type !== 'integer' || !Array.isArray(values)) return schema;
  const numbers = (values as number[]).toSorted((a, b) => a - b);
  const [least = 0] = numbers;
  const most = numbers.at(-1) ?? least;
  if (most - least !== numbers.length - 1) return schema;
  return { example: values[0], ...rest, minimum: least, maximum: most };
}
