// Service, docs, test: schemas without what generators of clients stumble over.
import { expect, test } from 'vitest';
import { type Json, plain } from './plain.ts';

const known: Record<string, Json> = {
  Price: {
    type: 'object',
    properties: { at: { type: 'string' }, price: { type: 'number' } },
    required: ['at', 'price'],
  },
};
const of = (schema: Json): Json =>
  plain(
    schema,
    (reference) => known[reference] ?? {},
    () => 'an example',
  );

test('a union of objects is one object: fields of all, what all require, and as many as one needs', () => {
  const rate = { type: 'object', properties: { at: { type: 'string' }, rate: { type: 'number' } }, required: ['rate'] };
  expect(of({ anyOf: [{ $ref: 'Price' }, rate], description: 'Either.' })).toEqual({
    type: 'object',
    properties: { at: { type: 'string' }, price: { type: 'number' }, rate: { type: 'number' } },
    minProperties: 1,
    description: 'Either.',
    example: 'an example',
  });
});

test('a field that differs is as wide as both', () => {
  const one = (data: Json, name: string) => ({
    type: 'object',
    properties: { data, name: { type: 'string', enum: [name], description: 'Name.' } },
    required: ['data', 'name'],
  });
  const inner = { type: 'object', properties: { price: { type: 'number', nullable: true } } };
  expect(of({ oneOf: [one({ $ref: 'Price' }, 'a'), one(inner, 'b')] })).toMatchObject({
    properties: {
      data: { type: 'object', properties: { at: { type: 'string' }, price: { type: 'number', nullable: true } } },
      name: { type: 'string', enum: ['a', 'b'], description: 'Name.' },
    },
    required: ['data', 'name'],
  });
});

test('a union of strings is a string, a few integers a range, 53 bits are 64', () => {
  expect(of({ anyOf: [{ type: 'string', format: 'date' }, { type: 'string' }], description: 'When.' })).toEqual({
    type: 'string',
    description: 'When.',
  });
  expect(of({ type: 'integer', enum: [2, 0, 1] })).toEqual({ type: 'integer', minimum: 0, maximum: 2, example: 2 });
  expect(of({ type: 'boolean', enum: [true] })).toEqual({ type: 'boolean', example: true });
  expect(of({ type: 'integer', enum: [1, 5] })).toEqual({ type: 'integer', enum: [1, 5] });
  expect(of({ type: 'integer', maximum: Number.MAX_SAFE_INTEGER })).toEqual({ type: 'integer', format: 'int64' });
});

test('what is plain stays', () => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { $ref: 'Price' } } } };
  expect(of(schema)).toEqual(schema);
});
