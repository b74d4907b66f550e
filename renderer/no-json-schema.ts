// Renderer: stands in for zod's writers of JSON Schema, which no window calls and every schema would bring (vite.config.ts).

export const createToJSONSchemaMethod = (): undefined => undefined;
export const createStandardJSONSchemaMethod = (): undefined => undefined;
export const toJSONSchema = undefined;
