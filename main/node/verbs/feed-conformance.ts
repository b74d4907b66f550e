// Main, command line: `barograph conformance --feed`: checks a price vendor with the user's key.
import { normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { UsageError } from '../../host/command-line.ts';
import { systemClock } from '../../host/system-clock.ts';
import { openProcessNetwork } from '../../service/process-network.ts';
import { checkFeedRules } from '../../service/service-tools.ts';

export interface FeedConformanceFlags {
  readonly feed: string;
  readonly feedSymbols?: string;
  readonly feedHost?: readonly string[];
  readonly json?: boolean;
}

/** @returns the exit code: 0 when nothing is red */
export async function feedConformanceVerb(flags: FeedConformanceFlags): Promise<number> {
  const key = process.env.BAROGRAPH_FEED_KEY?.trim() || null;
  delete process.env.BAROGRAPH_FEED_KEY;
  const symbols = (flags.feedSymbols ?? '')
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map(normalizeSymbol);
  const hosts = Object.fromEntries((flags.feedHost ?? []).map(hostOf));
  const { outbound } = openProcessNetwork(process.env);
  const counts = { green: 0, red: 0, skipped: 0 };
  const checks = [];
  try {
    for await (const finding of await checkFeedRules(
      { feed: flags.feed, symbols, hosts, key },
      { clock: systemClock, outbound },
    )) {
      counts[finding.status] += 1;
      checks.push(finding);
      const { status, id, rule, detail } = finding;
      if (flags.json !== true)
        console.log(`${status.padEnd(8)} ${id.padEnd(16)} ${rule}${detail === '' ? '' : `: ${detail}`}`);
    }
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
  if (flags.json === true) console.log(JSON.stringify({ feed: flags.feed, counts, checks }, null, 2));
  else console.log(`${counts.green} green, ${counts.red} red, ${counts.skipped} skipped`);
  return counts.red === 0 ? 0 : 1;
}

function hostOf(text: string): [string, string] {
  const [, name = '', url = ''] = /^(rest|stream|trading)=(\S+)$/.exec(text) ?? [];
  if (!URL.canParse(url)) throw new UsageError(`--feed-host ${text}: it must be like rest=https://HOST.`);
  return [name, url.replace(/\/+$/, '')];
}
