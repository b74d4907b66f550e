// Service, briefings, test: editorials from a folder of Markdown files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { openEditorials } from './editorial.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const write = (name: string, text: string | Uint8Array): void => writeFileSync(join(folder.path, name), text);
const LATE = Date.parse('2030-01-01');

test('a file becomes a briefing', () => {
  write(
    'Why the VIX lies.md',
    '---\ntitle: Why the VIX lies\nauthor: A. Reader\ndate: 2026-02-01T10:00:00Z\ntype: deep\nsymbols: [spy, QQQ]\n---\n# Why\n\nA ~~second~~ *first* [paragraph](https://x.example).[^1]\n\nMore.\n',
  );
  write(
    'plain.md',
    '---\r\ntitle: Plain\r\nauthor: "Smith, J"\r\ndate: 2026-01-05\r\nid: my-own\r\nsummary: In short.\r\n---\r\nText.',
  );
  const { problems, due } = openEditorials(folder.path);
  expect(problems).toEqual([]);
  expect(due(LATE)).toEqual([
    {
      id: 'ed-my-own',
      type: 'deep',
      title: 'Plain',
      author: 'Smith, J',
      date: Date.parse('2026-01-05'),
      summary: 'In short.',
      symbols: [],
      readingMinutes: 1,
      body: 'Text.\n',
    },
    {
      id: 'ed-why-the-vix-lies',
      type: 'deep',
      title: 'Why the VIX lies',
      author: 'A. Reader',
      date: Date.parse('2026-02-01T10:00:00Z'),
      summary: 'A second first paragraph.',
      symbols: ['SPY', 'QQQ'],
      readingMinutes: 1,
      body: '# Why\n\nA ~~second~~ *first* [paragraph](https://x.example).[^1]\n\nMore.\n',
    },
  ]);
  expect(due(Date.parse('2026-01-20')).map(({ title }) => title)).toEqual(['Plain']);
});

const front = (lines: string): string => `---\n${lines}\n---\nText.\n`;
test.each([
  ['no front matter', 'Text only.', 1, /front matter/],
  ['no end of it', '---\ntitle: x\n', 1, /front matter/],
  ['broken YAML', front('title: "x\nauthor: y'), 4, /./],
  ['no title', front('author: a\ndate: 2026-01-01'), 1, /title: is required/],
  ['no author', front('title: t\ndate: 2026-01-01'), 1, /author: is required/],
  ['a date that is none', front('title: t\nauthor: a\ndate: yesterday'), 4, /date: .*ISO 8601/],
  ['a naive time', front('title: t\nauthor: a\ndate: 2026-01-01T10:00:00'), 4, /date: .*ISO 8601/],
  [
    'a type that is none',
    front('title: t\nauthor: a\ndate: 2026-01-01\ntype: rant'),
    5,
    /type: must be one of pre-market/,
  ],
  ['a symbol that is none', front('title: t\nauthor: a\ndate: 2026-01-01\nsymbols: [SPY, "A B"]'), 5, /symbols/],
  ['symbols that are no list', front('title: t\nauthor: a\ndate: 2026-01-01\nsymbols: SPY'), 5, /list of symbols/],
  ['an id with capitals', front('title: t\nauthor: a\ndate: 2026-01-01\nid: Nope!'), 5, /id: must be/],
  ['a list as front matter', front('- a\n- b'), 2, /names with values/],
  ['no text', '---\ntitle: t\nauthor: a\ndate: 2026-01-01\n---\n\n', 5, /no text/],
])('%s is refused with file, line and reason; the other files are used', (_what, text, line, reason) => {
  write('bad.md', text);
  write('good.md', front('title: t\nauthor: a\ndate: 2026-01-01'));
  const { problems, due } = openEditorials(folder.path);
  expect(problems).toEqual([{ file: 'bad.md', line, reason: expect.stringMatching(reason) }]);
  expect(due(LATE)).toHaveLength(1);
});

test('binary, oversized and duplicate files are refused; files of other types are ignored', () => {
  write('bytes.md', Uint8Array.of(0x2d, 0x2d, 0x2d, 0xff, 0xfe));
  write('large.md', `${front('title: t\nauthor: a\ndate: 2026-01-01')}${'x'.repeat(1_048_577)}`);
  write('one.md', front('title: t\nauthor: a\ndate: 2026-01-01\nid: same'));
  write('two.md', front('title: t\nauthor: a\ndate: 2026-01-01\nid: same'));
  write('notes.txt', 'no briefing');
  const { problems, due } = openEditorials(folder.path);
  expect(problems.map(({ file, reason }) => [file, reason.split(';')[0]])).toEqual([
    ['bytes.md', 'cannot be read: it is not UTF-8'],
    ['large.md', 'cannot be read: it is larger than 1 MB'],
    ['two.md', 'another file has the id ed-same'],
  ]);
  expect(due(LATE)).toHaveLength(1);
});

test('a changed folder is read again; a removed folder leaves its last contents and is a problem until it is back', () => {
  const editorials = openEditorials(folder.path);
  expect(editorials.refresh()).toBe(false);
  write('new.md', front('title: t\nauthor: a\ndate: 2026-01-01'));
  expect(editorials.refresh()).toBe(true);
  expect(editorials.due(LATE)).toHaveLength(1);
  rmSync(folder.path, { recursive: true });
  expect([editorials.refresh(), editorials.refresh()]).toEqual([true, false]);
  expect(editorials.due(LATE)).toHaveLength(1);
  expect(editorials.problems).toMatchObject([{ file: folder.path, reason: expect.stringContaining('is not there') }]);
  mkdirSync(folder.path);
  expect(editorials.refresh()).toBe(true);
  expect(editorials.problems).toEqual([]);
  expect(() => openEditorials(join(folder.path, 'none'))).toThrow(/folder of briefings .* is not there/);
});
