// Test: loading of lazy modules on demand and while idle.
import { expect, it } from 'vitest';
import { createLazyModules } from './lazy-modules.ts';

function rig() {
  const modules = createLazyModules();
  const requested: string[] = [];
  const settle = new Map<string, { resolve: (code: string) => void; reject: (why: Error) => void }>();
  const add = (name: string) =>
    modules.add(
      () =>
        new Promise<string>((resolve, reject) => {
          requested.push(name);
          settle.set(name, { resolve, reject });
        }),
    );
  return { modules, requested, settle, add };
}

it('a module is loaded once, however often it is requested, and notifies its listeners', async () => {
  const { requested, settle, add } = rig();
  const page = add('page');
  let notifications = 0;
  const stop = page.subscribe(() => {
    notifications += 1;
  });
  expect([page.read().status, requested]).toEqual(['waiting', []]);
  const both = Promise.all([page.load(), page.load()]);
  settle.get('page')?.resolve('code');
  await both;
  expect([page.read(), requested, notifications]).toEqual([{ status: 'ready', code: 'code' }, ['page'], 1]);
  stop();
});

it('a failed module is a status, and never rejects', async () => {
  const { settle, add } = rig();
  const page = add('page');
  const loading = page.load();
  settle.get('page')?.reject(new Error('gone'));
  await loading;
  expect(page.read()).toEqual({ status: 'failed' });
});

it('all modules are loaded one after the other, each while the page is idle, also after a failure', async () => {
  const { modules, requested, settle, add } = rig();
  for (const name of ['a', 'b', 'c']) add(name);
  const quiet: (() => void)[] = [];
  const all = modules.loadAll(() => new Promise((resolve) => void quiet.push(resolve)));
  const turn = async (): Promise<void> => {
    for (let count = 0; count < 10; count += 1) await Promise.resolve();
  };
  expect(requested).toEqual([]);
  quiet[0]?.();
  await turn();
  expect([requested, quiet.length]).toEqual([['a'], 1]);
  settle.get('a')?.reject(new Error('gone'));
  await turn();
  expect([requested, quiet.length]).toEqual([['a'], 2]);
  quiet[1]?.();
  await turn();
  settle.get('b')?.resolve('code');
  await turn();
  quiet[2]?.();
  await turn();
  settle.get('c')?.resolve('code');
  await all;
  expect(requested).toEqual(['a', 'b', 'c']);
});
