// Test: modules start, stop and merge their handlers.
import { expect, test } from 'vitest';
import { type CoreModule, mergeHandlers, startModules, stopModules } from './module.ts';

test('modules start in order and stop in reverse order, each after the previous one has stopped', async () => {
  const steps: string[] = [];
  const moduleOf = (name: string): CoreModule => ({
    start: () => void steps.push(`start ${name}`),
    async stop() {
      await Promise.resolve();
      steps.push(`stop ${name}`);
    },
  });
  const modules = [moduleOf('a'), {}, moduleOf('b')];
  startModules(modules, { go: (work) => void work });
  await stopModules(modules, { error: () => undefined });
  expect(steps).toEqual(['start a', 'start b', 'stop b', 'stop a']);
});

test('a module that does not stop is logged, and the others stop', async () => {
  const steps: string[] = [];
  const modules: CoreModule[] = [
    { stop: () => void steps.push('a') },
    { stop: () => Promise.reject(new Error('full')) },
    {
      stop() {
        throw new Error('closed');
      },
    },
  ];
  await stopModules(modules, { error: (_, text) => void steps.push(text) });
  expect(steps).toEqual(['a module did not stop', 'a module did not stop', 'a']);
});

test('handlers are merged once; two modules that answer the same call are refused', () => {
  const retry = () => ({});
  const report = () => ({ text: '' });
  const merged = mergeHandlers([
    { handlers: { 'connection.retry': retry } },
    {},
    { handlers: { 'report.read': report } },
  ]);
  expect(merged).toEqual({ 'connection.retry': retry, 'report.read': report });
  expect(() =>
    mergeHandlers([{ handlers: { 'connection.retry': retry } }, { handlers: { 'connection.retry': retry } }]),
  ).toThrow('two modules answer connection.retry');
});
