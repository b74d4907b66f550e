// Test: the command line knows the verb and the flags of every command in the documents and in samples/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../main/node/program.ts';
import { readArguments } from '../../service/command-line/arguments.ts';
import { readBackup } from '../../service/command-line/backup.ts';
import { TOP } from './files.ts';

const SAMPLES = 'samples/commands.txt';
const DOCUMENTS = [
  SAMPLES,
  'README.md',
  ...readdirSync(join(TOP, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

function textOf(document: string): string {
  const text = readFileSync(join(TOP, document), 'utf8');
  return document === SAMPLES ? `\`\`\`\n${text}\`\`\`` : text;
}

/** The arguments of `npm run NAME -- ...`, in a fence or in backticks, up to a comment or the end. */
function commandsOf(text: string, name: string): string[] {
  const lines = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, fence = '']) => fence.split('\n'));
  const spans = [...text.replaceAll(/^```\w*\n.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const begin = `npm run ${name} -- `;
  return [...lines, ...spans]
    .filter((line) => line.startsWith(begin))
    .map((line) =>
      line
        .slice(begin.length)
        .replace(/\s+#.*$/, '')
        .trim(),
    );
}
const words = (command: string): string[] => command.split(/[\s[\]|]+/).filter((word) => word !== '' && word !== '...');
const flagsOf = (command: string): string[] => words(command).filter((word) => /^--[a-z]/.test(word));

/** Why the command line does not know it; null: it does. */
function unknownIn(command: string): string | null {
  let verb = createProgram(() => undefined);
  for (const word of words(command)) {
    const next = verb.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    verb = next;
  }
  if (verb.parent === null) return words(command)[0]?.match(/^(VERB|<verb>|--\w+)$/) ? null : 'no such verb';
  const known = new Set(verb.options.map(({ long }) => long));
  return flagsOf(command).find((flag) => !known.has(flag) && flag !== '--help') ?? null;
}

test.each(DOCUMENTS)('%s: verbs and flags of barograph', (document) => {
  const commands = commandsOf(textOf(document), 'barograph');
  expect(commands.flatMap((command) => unknownIn(command) ?? [])).toEqual([]);
});

test('the commands that the documents show are found', () => {
  const text = DOCUMENTS.map(textOf).join('\n');
  expect(commandsOf(text, 'barograph').length).toBeGreaterThan(20);
  expect(commandsOf(text, 'service').length).toBeGreaterThan(8);
});

test.each(DOCUMENTS)('%s: flags of the service', (document) => {
  const help = readArguments(['--help'], '1');
  const known = new Set(help.ok ? [] : help.error.text.match(/--[a-z-]+/g));
  const commands = commandsOf(textOf(document), 'service');
  expect(commands.flatMap(flagsOf).filter((flag) => !known.has(flag))).toEqual([]);
});

test("the operator's manual: whole commands of the service are accepted, with their values", () => {
  const commands = commandsOf(readFileSync(join(TOP, 'docs/operating.md'), 'utf8'), 'service');
  const whole = commands.filter((command) => !/\b[A-Z]{3,}\b|\.\.\./.test(command));
  expect(whole.length).toBeGreaterThan(1);
  for (const command of whole) {
    const [verb, ...rest] = words(command);
    expect(verb === 'backup' ? readBackup(rest) : readArguments(words(command), '1'), command).toMatchObject({
      ok: true,
    });
  }
});

test('a verb or a flag that there is not is found', () => {
  expect(unknownIn('doctor --profile NAME')).toBeNull();
  expect(unknownIn('doctor --nope')).toBe('--nope');
  expect(unknownIn('heal')).toBe('no such verb');
  expect(unknownIn('profiles key set desk --keep passphrase')).toBeNull();
});
