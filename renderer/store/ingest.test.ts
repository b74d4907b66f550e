// Test: batching of actions in visible and hidden windows.
import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createIngest, type Frames } from './ingest.ts';
import { type AppState, EMPTY_STATE } from './state.ts';

function page() {
  const jobs: (() => void)[] = [];
  const later: (() => void)[] = [];
  let hidden = false;
  let shown: () => void = () => undefined;
  const frames: Frames = {
    request: (job) => jobs.push(job),
    hidden: () => hidden,
    after: (_ms, job) => later.push(job),
    watch: (listener) => {
      shown = listener;
    },
  };
  return {
    frames,
    jobs,
    frame() {
      for (const job of jobs.splice(0)) job();
    },
    hide() {
      hidden = true;
      shown();
    },
    show() {
      hidden = false;
      shown();
    },
    pauseIsOver() {
      for (const job of later.splice(0)) job();
    },
  };
}

function rig() {
  const store = createStore<AppState>(() => EMPTY_STATE);
  let writes = 0;
  store.subscribe(() => {
    writes += 1;
  });
  const window = page();
  return { store, window, ingest: createIngest(store, window.frames), writes: () => writes };
}

describe('the ingest', () => {
  it('writes the actions of a frame once, in order', () => {
    const { store, window, ingest, writes } = rig();
    ingest({ kind: 'problem', message: 'first' });
    ingest({ kind: 'problem', message: 'second' });
    expect([store.getState().problem, window.jobs.length]).toEqual([null, 1]);
    window.frame();
    expect([store.getState().problem, writes()]).toEqual(['second', 1]);
    ingest({ kind: 'problem', message: 'third' });
    window.frame();
    expect(store.getState().problem).toBe('third');
  });
  it('writes at once while the window is hidden, including what waited for a frame', () => {
    const { store, window, ingest } = rig();
    ingest({ kind: 'problem', message: 'waiting' });
    window.hide();
    expect(store.getState().problem).toBe('waiting');
    ingest({ kind: 'problem', message: 'hidden' });
    expect(store.getState().problem).toBe('hidden');
    window.frame();
    expect(store.getState().problem).toBe('hidden');
  });
  it('in a flood writes the first at once in a hidden window, and the following together', () => {
    const { store, window, ingest, writes } = rig();
    window.hide();
    for (let turn = 0; turn < 50; turn += 1) ingest({ kind: 'problem', message: String(turn) });
    expect([store.getState().problem, writes()]).toEqual(['0', 1]);
    window.pauseIsOver();
    expect([store.getState().problem, writes()]).toEqual(['49', 2]);
    ingest({ kind: 'problem', message: 'soon after' });
    expect(writes()).toBe(2);
    window.pauseIsOver();
    window.pauseIsOver();
    ingest({ kind: 'problem', message: 'after a pause' });
    expect([store.getState().problem, writes()]).toEqual(['after a pause', 4]);
  });
  it('shows what a hidden window received when it is shown, and frames continue', () => {
    const { store, window, ingest } = rig();
    window.hide();
    ingest({ kind: 'problem', message: '0' });
    ingest({ kind: 'problem', message: '1' });
    window.show();
    expect(store.getState().problem).toBe('1');
    ingest({ kind: 'problem', message: '2' });
    window.pauseIsOver();
    expect(store.getState().problem).toBe('1');
    window.frame();
    expect(store.getState().problem).toBe('2');
  });
});
