// Test: why the file system refuses a folder, as sentences.
import { expect, test } from 'vitest';
import { folderRefusal } from './folder-refusal.ts';

const refusal = (code: string) =>
  folderRefusal('The price folder /p', Object.assign(new Error(`${code}: bad`), { code }));

test('a folder that is not there, is none or may not be read is said without the word of the system', () => {
  expect(refusal('ENOENT')).toBe(
    'The price folder /p is not there. Look at its spelling, and that its drive is connected.',
  );
  expect(refusal('ENOTDIR')).toBe('The price folder /p is no folder. Give the folder that the files lie in.');
  expect(refusal('EACCES')).toBe('The price folder /p may not be read by this user. Change its rights.');
});

test('what else the system says is kept as the reason', () => {
  expect(refusal('EIO')).toBe('The price folder /p cannot be read (EIO: bad). Look at its rights.');
  expect(folderRefusal('It', 'gone')).toBe('It cannot be read (gone). Look at its rights.');
});
