// Test: slices of the view state.
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createViewSlice } from './view-state.ts';

test('a slice keeps its parts, and renders only components whose selection changed', () => {
  const slice = createViewSlice('test filters', { text: '', open: false });
  const other = createViewSlice('test other', { count: 0 });
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return slice.use(({ text }) => text);
  });
  act(() => slice.set({ open: true }));
  act(() => other.set(({ count }) => ({ count: count + 1 })));
  expect([renders, slice.get(), other.get()]).toEqual([1, { text: '', open: true }, { count: 1 }]);
  act(() => slice.set({ text: 'fed' }));
  expect([renders, result.current]).toEqual([2, 'fed']);
});

test('a name can be used once', () => {
  createViewSlice('test twice', {});
  expect(() => createViewSlice('test twice', {})).toThrow('Two slices of the view state are named "test twice".');
});
