// Test child: stores and stars briefings until the test kills it.
// Arguments: FOLDER FIRST, the number of the first briefing. Prints `kept N` once briefing N is committed,
// and `starred N` once its star is.
import { writeSync } from 'node:fs';
import { openStore } from '../../main/core/archive/store.ts';
import { readBriefing, readBriefingText } from '../../main/core/compat/read-articles.ts';
import { briefingOf } from '../harness/briefing-server.ts';

const [folder = '', first = '0'] = process.argv.slice(2);
const START = Date.parse('2026-03-02T14:30:00.000Z');
const store = openStore(folder, START);
// A killed process loses buffered output.
const say = (line: string): void => void writeSync(1, `${line}\n`);

for (let number = Number(first); ; number += 1) {
  const given = briefingOf({
    id: `b${number}`,
    date: new Date(START + number * 1000).toISOString(),
    body: `Number ${number}. ${'Volatility rises. '.repeat(200)}`,
  });
  const head = readBriefing(given);
  const text = readBriefingText(given, `b${number}`);
  if (head === null || text === null) throw new Error('no briefing');
  store.transaction(() => {
    store.briefings.put(head);
    store.briefings.putText(text);
  });
  say(`kept ${number}`);
  store.flagBriefings([`b${number}`], { starred: true }, START);
  say(`starred ${number}`);
}
