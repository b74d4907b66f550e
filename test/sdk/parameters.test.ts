// Test of the SDK generator: what the document has as true or false is no text in any language.
import { expect, test } from 'vitest';
import { goCalls } from '../../sdk/generator/go.ts';
import { operationsOf } from '../../sdk/generator/operations.ts';
import { pythonCalls } from '../../sdk/generator/python.ts';
import { rustCalls } from '../../sdk/generator/rust.ts';
import { openapiDocument } from '../../service/docs/openapi.ts';

const body = {
  type: 'object',
  required: ['sure'],
  properties: { sure: { type: 'boolean' }, perhaps: { type: 'boolean' } },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const { operations } = operationsOf({
  paths: {
    '/switch': { post: { operationId: 'flip', requestBody: json(body), responses: { 200: json({ type: 'object' }) } } },
  },
});

test.each([
  ['Go', goCalls, ['\tSure bool\n', '\tPerhaps *bool\n']],
  ['Rust', rustCalls, ['pub sure: bool,', 'pub perhaps: Option<bool>,']],
  ['Python', pythonCalls, ['sure: bool,', 'perhaps: Optional[bool] = None,']],
])('a boolean is one in %s, and may be left out where it is not required', (_, calls, wanted) => {
  const text = calls(operations);
  for (const one of wanted) expect(text).toContain(one);
});

test('of the service, the hard cap and the stop of a history are booleans', () => {
  const document = openapiDocument({ environment: 'sandbox', version: '0', publicUrl: 'https://service.example' });
  const types = operationsOf(document).operations.flatMap(({ name, parameters }) =>
    parameters.filter(({ type }) => type === 'boolean').map((one) => `${name} ${one.name}`),
  );
  expect(types).toEqual(['setHardCap hard_cap', 'setFeedHistory stopped']);
});
