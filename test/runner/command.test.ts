// Test runner: names on a command line.
import { expect, test } from 'vitest';
import { namesAmong } from './command.ts';

const rows = namesAmong(
  ['ingest', 'ingest-growth', 'growth-engine', 'growth-clients'],
  (given, name) => name === given || name.startsWith(`${given}-`),
);

test('a name that is given stands for all that match it, each once, also if it is given again', () => {
  expect(rows('growth')).toEqual(['growth-engine', 'growth-clients']);
  expect(rows('ingest', rows('ingest-growth'))).toEqual(['ingest-growth', 'ingest']);
});

test('a name without a match is refused with the names that there are', () => {
  expect(() => rows('gro')).toThrow('Names: ingest, ingest-growth, growth-engine, growth-clients.');
});
