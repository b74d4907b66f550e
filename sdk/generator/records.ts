// SDK generator: the records of an OpenAPI document, as every language needs them.
// An enumeration is a word: a type of its own that keeps the names that a newer service adds.
import { isSchema, pascal, type Schema } from './schemas.ts';

export type FieldType =
  | { readonly kind: 'text' | 'integer' | 'decimal' | 'boolean' | 'time' | 'state' }
  | { readonly kind: 'word' | 'record'; readonly name: string }
  | { readonly kind: 'list' | 'map'; readonly of: FieldType };

export interface Field {
  /** As on the wire. */
  readonly name: string;
  readonly type: FieldType;
  /** May be null, or be left out. */
  readonly isOptional: boolean;
  readonly description: string;
}

export interface RecordType {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

/** An enumeration. */
export interface Word {
  readonly name: string;
  readonly values: readonly string[];
}

export interface Model {
  readonly records: readonly RecordType[];
  readonly words: readonly Word[];
}

/** Where record and field do not make a good name together. */
const WORD_NAMES: Readonly<Record<string, string>> = {
  EventEvent: 'EventName',
  SubscriptionEvents: 'EventName',
  EventDataType: 'BriefingType',
  BriefingTextType: 'BriefingType',
  IssuedKeyStatus: 'KeyStatus',
  IssuedKeyScope: 'KeyScope',
  SubscribedStatus: 'SubscriptionStatus',
  SubscribedEvents: 'EventName',
  AccountPlan: 'Plan',
  UsagePlan: 'Plan',
  RootEnvironment: 'Environment',
  DimensionCode: 'FactorCode',
  FactorsReplyFactorsCode: 'FactorCode',
  PriceAnswerAnswer: 'PriceDecision',
  CountsAs: 'PriceDecision',
  DeskActAct: 'DeskActKind',
  NewsSentimentLabel: 'SentimentLabel',
};

export function modelOf(schemas: Readonly<Record<string, Schema>>): Model {
  const records = new Map<string, RecordType>();
  const words = new Map<string, readonly string[]>();

  const word = (owner: string, field: string, values: readonly string[]): FieldType => {
    if (values.length < 2) return { kind: 'text' };
    const own = field.includes('_') ? pascal(field) : owner + pascal(field);
    const name = WORD_NAMES[own] ?? own;
    const known = words.get(name) ?? [];
    words.set(name, known.length > values.length ? known : values);
    return { kind: 'word', name };
  };

  const typeOf = (owner: string, field: string, given: unknown): FieldType => {
    const schema = isSchema(given) ? given : {};
    const [only] = Array.isArray(schema.allOf) ? schema.allOf : [schema];
    const reference = isSchema(only) ? only.$ref : undefined;
    if (typeof reference === 'string') return { kind: 'record', name: reference.split('/').at(-1) ?? '' };
    if (Array.isArray(schema.enum)) return word(owner, field, schema.enum.map(String));
    if (schema.type === 'array') return { kind: 'list', of: typeOf(owner, field, schema.items) };
    if (isSchema(schema.additionalProperties))
      return { kind: 'map', of: typeOf(owner, field, schema.additionalProperties) };
    if (isSchema(schema.properties)) return { kind: 'record', name: record(owner + pascal(field), schema) };
    if (schema.format === 'date-time') return { kind: 'time' };
    if (schema.type === 'integer') return { kind: /(^|_)state$/.test(field) ? 'state' : 'integer' };
    return { kind: schema.type === 'number' ? 'decimal' : schema.type === 'boolean' ? 'boolean' : 'text' };
  };

  /** @returns the name */
  const record = (name: string, schema: Schema): string => {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const properties = Object.entries(isSchema(schema.properties) ? schema.properties : {});
    const fields = properties.map(([field, given]) => {
      const one = isSchema(given) ? given : {};
      return {
        name: field,
        type: typeOf(name, field, given),
        isOptional: one.nullable === true || !required.includes(field),
        description: descriptionOf(one),
      };
    });
    records.set(name, { name, description: descriptionOf(schema), fields });
    return name;
  };

  for (const [name, schema] of Object.entries(schemas)) record(name, schema);
  return {
    records: [...records.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    words: [...words].map(([name, values]) => ({ name, values })).sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

const descriptionOf = ({ description }: Schema): string => (typeof description === 'string' ? description : '');

/** The lines of a comment, each no longer than `width` with its prefix. */
export function comment(text: string, prefix: string, width = 100): string {
  const lines = [''];
  for (const part of text.trim().split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && prefix.length + line.length + 1 + part.length > width) lines.push(part);
    else lines[lines.length - 1] = line === '' ? part : `${line} ${part}`;
  }
  return lines.map((line) => `${prefix}${line}\n`.replace(/ +\n/, '\n')).join('');
}
