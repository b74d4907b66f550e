// Test harness: an answer's schema of the OpenAPI document, as zod reads it.
import { z } from 'zod';

interface Schemas {
  readonly components: { readonly schemas: object };
}

export function documentedAnswer({ components: { schemas } }: Schemas, schema: object): z.ZodType {
  const whole = JSON.stringify({ allOf: [schema], definitions: schemas });
  const local = JSON.parse(whole.replaceAll('#/components/schemas/', '#/definitions/'));
  return z.fromJSONSchema(local, { defaultTarget: 'openapi-3.0' });
}
