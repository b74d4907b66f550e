// Service, test: the database address of a cluster, and its refusals.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { UsageError } from '../usage-error.ts';
import { takeCluster } from './cluster-flags.ts';

const NO_CLUSTER = { cluster: null, clusterFile: null, roles: null, db: null, feed: null };
const URL_OF_DB = 'postgres://barograph@db/barograph';

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

function fileWith(text: string): string {
  const file = join(folder.path, 'address');
  writeFileSync(file, text);
  return file;
}
/** The sentence of the refusal. */
function refusal(take: () => unknown): string {
  try {
    take();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

test('the address is a flag, a file or a variable, which is removed from the environment', () => {
  const node = { url: URL_OF_DB, roles: ['engine', 'api', 'hooks'] };
  expect(takeCluster({}, { ...NO_CLUSTER, cluster: URL_OF_DB })).toEqual(node);
  expect(takeCluster({}, { ...NO_CLUSTER, clusterFile: fileWith(`${URL_OF_DB}\n`) })).toEqual(node);
  const environment = { BAROGRAPH_CLUSTER: ` ${URL_OF_DB} ` };
  expect(takeCluster(environment, NO_CLUSTER)).toEqual(node);
  expect(environment).toEqual({});
});

test.each([undefined, '', ' \n'])('neither flag, and a variable that is %j: one machine', (given) => {
  expect(takeCluster(given === undefined ? {} : { BAROGRAPH_CLUSTER: given }, NO_CLUSTER)).toBeNull();
});

test.each(['', '\n', ' \r\n\t'])('a file that has only %j is refused, and starts no service of one machine', (text) => {
  const take = () => takeCluster({}, { ...NO_CLUSTER, clusterFile: fileWith(text) });
  expect(refusal(take)).toMatch(/--cluster-file must hold one address like postgres:/);
});

test('an empty --cluster is refused too, which a script gives whose variable is not set', () => {
  expect(refusal(() => takeCluster({}, { ...NO_CLUSTER, cluster: '' }))).toMatch(/one address like postgres:/);
});

test('a flag counts more than the variable, also where its file is empty', () => {
  const environment = { BAROGRAPH_CLUSTER: URL_OF_DB };
  expect(refusal(() => takeCluster(environment, { ...NO_CLUSTER, clusterFile: fileWith('') }))).toMatch(/one address/);
});

test.each(['barograph:SECRET@db/barograph', 'http://barograph:SECRET@db', `${URL_OF_DB} SECRET`])(
  'the refusal of %s does not repeat it',
  (text) => {
    for (const flags of [{ cluster: text }, { clusterFile: fileWith(text) }])
      expect(refusal(() => takeCluster({}, { ...NO_CLUSTER, ...flags }))).not.toContain('SECRET');
    expect(refusal(() => takeCluster({ BAROGRAPH_CLUSTER: text }, NO_CLUSTER))).not.toContain('SECRET');
  },
);
