// Main, diagnostics: classifies the answer of any service at /health by its words. Pure.

export interface HealthReport {
  /** The word or text of the answer, in one line; null: it has none. */
  readonly said: string | null;
  /**
   * alive: the answer says nothing about the health. page: a web page, which is no answer of a service.
   */
  readonly means: 'healthy' | 'degraded' | 'down' | 'alive' | 'page' | 'unknown';
}

/** Characters of the answer that are read, and quoted. */
export const HEALTH_SAMPLE = 2_048;
const QUOTED = 80;

const WORDS: Readonly<Record<'healthy' | 'degraded' | 'down', string>> = {
  healthy:
    'ok okay up pass passed passing green healthy alive live running ready available online operational serving success good fine normal true',
  degraded:
    'degraded warn warning yellow amber orange partial partiallydegraded impaired starting maintenance draining',
  down: 'down fail failed failing failure error red unhealthy unavailable critical dead offline outofservice notserving outage false',
};
const MEANINGS = new Map(
  Object.entries(WORDS).flatMap(([means, words]) =>
    words.split(' ').map((word) => [word, means as HealthReport['means']] as const),
  ),
);
/** Members that hold the word, in this order. */
const MEMBERS = ['status', 'health', 'state', 'overall', 'result', 'healthy', 'ok', 'up', 'alive', 'ready', 'message'];

/** @param body the beginning of the answer */
export function readHealth(body: string, contentType: string): HealthReport {
  const text = body.trim();
  if (/html/i.test(contentType) || /^<(!doctype|html|head|body)/i.test(text)) return { said: null, means: 'page' };
  if (text === '' || text === '{}' || text === 'null') return { said: null, means: 'alive' };
  const found = wordIn(parsed(text) ?? text);
  if (found === null) return { said: quoted(text), means: 'unknown' };
  // The specification calls the check a hello-world check.
  const means = /^hello\b/i.test(found.word) ? 'alive' : MEANINGS.get(folded(found.word));
  return { said: quoted(found.said), means: means ?? 'unknown' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Word {
  readonly word: string;
  readonly said: string;
}

/** A bare word, or the first usual member, also one level deeper: {"status": {"status": "up"}}. */
function wordIn(value: unknown, depth = 0): Word | null {
  if (typeof value === 'string') return value.trim() === '' ? null : { word: value.trim(), said: value };
  if (typeof value === 'boolean') return { word: String(value), said: String(value) };
  if (typeof value !== 'object' || value === null || depth > 1) return null;
  const members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  for (const name of MEMBERS) {
    const found = wordIn(members.get(name), depth + 1);
    if (found !== null)
      return { ...found, said: /^(true|false)$/.test(found.word) ? `${name}: ${found.word}` : found.said };
  }
  const greeting = members.get('hello');
  return typeof greeting === 'string' ? { word: 'hello', said: `hello: ${greeting}` } : null;
}

const folded = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, '');
const quoted = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= QUOTED ? line : `${line.slice(0, QUOTED - 1).toWellFormed()}…`;
};
