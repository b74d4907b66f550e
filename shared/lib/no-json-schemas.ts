// Pure: options of Fastify for an app whose routes have no JSON schema. It loads the compilers of schemas
// otherwise, 110 files in each thread; routes are checked by zod.

const refuse = (): never => {
  throw new Error('a route has a JSON schema, for which no compiler is loaded; check it by zod');
};

export const NO_JSON_SCHEMAS = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
} as const;
