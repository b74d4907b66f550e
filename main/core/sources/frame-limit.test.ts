// Test: frames of any size and line ends, in chunks of any size.
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameLimit, cutDataOf } from './frame-limit.ts';

const MOST = 64;

interface Read {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

function read(text: string, sizes: readonly number[]): Read[] {
  const found: Read[] = [];
  const parser = createParser({ onEvent: ({ id, event, data }) => found.push({ id, event, data }) });
  const limit = createFrameLimit(MOST);
  const decoder = new TextDecoder();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    parser.feed(decoder.decode(limit(bytes.subarray(at, at + size)), { stream: true }));
    at += size;
  }
  return found;
}

const frame = fc.record({
  id: fc.stringMatching(/^[a-z]{1,5}$/),
  length: fc.integer({ min: 0, max: 300 }),
  order: fc.constantFrom('id first', 'id last'),
  comment: fc.boolean(),
});
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

test('a small frame passes unchanged; a large frame keeps its beginning, id, name and size', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 6 }),
      lineEnd,
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
      (frames, end, sizes) => {
        const text = frames
          .map(({ id, length, order, comment }) => {
            const data = `data: ${'x'.repeat(length)}`;
            const names = [`id: ${id}`, 'event: signal.high_risk'];
            const lines = order === 'id first' ? [...names, data] : [data, ...names];
            return [...(comment ? [`: ${'c'.repeat(length)}`, ''] : []), ...lines, '', ''].join(end);
          })
          .join('');
        const found = read(`${text}${end}`, sizes);
        expect(found.map(({ id, event }) => [id, event])).toEqual(frames.map(({ id }) => [id, 'signal.high_risk']));
        for (const [index, { data }] of found.entries()) {
          const { length = 0, id = '' } = frames[index] ?? {};
          const size = `id: ${id}event: signal.high_riskdata: `.length + length;
          const cut = cutDataOf(data);
          // Ids and names after the limit are kept.
          if (cut === null) expect([data, size <= MOST + 40]).toEqual(['x'.repeat(length), true]);
          else expect([cut.size > MOST, cut.size, 'x'.repeat(length).startsWith(cut.data)]).toEqual([true, size, true]);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('a large comment is no message', () => {
  expect(read(`: ${'c'.repeat(500)}\n\ndata: 1\n\n`, [7])).toEqual([{ id: undefined, event: undefined, data: '1' }]);
});

test('many lines of data count together', () => {
  const found = read(`${'data: 0123456789\n'.repeat(20)}id: a\n\ndata: 2\n\n`, [11]);
  expect(found.map(({ id }) => id)).toEqual(['a', undefined]);
  expect(cutDataOf(found[0]?.data ?? '')?.size).toBe(20 * 16 + 5);
});
