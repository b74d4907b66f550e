// Test: finding a query in a text of several segments.
import { describe, expect, it } from 'vitest';
import { findIn, MAX_MATCHES } from './find-bar.tsx';

const at = (segment: number, offset: number) => ({ segment, offset });

describe('find in a text', () => {
  it('finds every match, without case', () => {
    expect(findIn(['Speed and SPEED.'], 'speed')).toEqual([
      { from: at(0, 0), to: at(0, 5) },
      { from: at(0, 10), to: at(0, 15) },
    ]);
  });
  it('finds a match that begins in one segment and ends in another', () => {
    expect(findIn(['the ', 'tape', ' runs'], 'the tape')).toEqual([{ from: at(0, 0), to: at(1, 4) }]);
    expect(findIn(['the ', 'tape', ' runs'], 'tape')).toEqual([{ from: at(1, 0), to: at(1, 4) }]);
    expect(findIn(['the', '', 'tape'], 'tape')).toEqual([{ from: at(2, 0), to: at(2, 4) }]);
  });
  it('treats all white space alike, and special characters as text', () => {
    expect(findIn(['1.2\u00a0% a+b'], '1.2 %')).toHaveLength(1);
    expect(findIn(['1x2 %'], '1.2 %')).toHaveLength(0);
    expect(findIn(['a+b (c) [d] \\ / - {e}'], '(c) [d] \\ / - {e}')).toHaveLength(1);
  });
  it('finds nothing for an empty query, and at most MAX_MATCHES', () => {
    expect(findIn(['a'], '  ')).toEqual([]);
    expect(findIn(['a'.repeat(5000)], 'a')).toHaveLength(MAX_MATCHES);
  });
});
