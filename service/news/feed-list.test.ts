// Service, news, test: the list of feeds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/harness/folders.ts';
import { readFeedList } from './feed-list.ts';

test('one address per line; an invalid line is refused with file, line and reason, and the rest is used', () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'feeds.txt');
  writeFileSync(
    file,
    '# news\nhttps://example.com/a.xml\r\n\nftp://example.com/b\nhttps://user:pw@example.com/c\nhttps://example.com/a.xml\nhttp://10.0.0.7/d\nwords\n',
  );
  const { feeds, problems } = readFeedList(file);
  expect(feeds).toEqual(['https://example.com/a.xml', 'http://10.0.0.7/d']);
  expect(problems.map(({ line }) => line)).toEqual([4, 5, 6, 8]);
  for (const { file: named, reason } of problems) {
    expect(named).toBe(file);
    expect(reason).not.toContain('pw');
  }
  expect(() => readFeedList(join(folder.path, 'none'))).toThrow(/the list of feeds .* cannot be read/);
  folder.remove();
});
