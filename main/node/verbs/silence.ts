// Main, command line: `barograph silence`: lists, adds and ends the silences and snoozes of the running app.
import { LONGEST_COMMENT } from '../../../shared/channels/alerting.ts';
import { ASSET_CLASSES } from '../../../shared/domain/instruments.ts';
import type { Matcher } from '../../../shared/domain/matchers.ts';
import { stateFromQuery } from '../../../shared/domain/states.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { AppClient } from '../../host/app-client.ts';
import { UsageError } from '../../host/command-line.ts';
import { symbolIn } from './alerts.ts';
import { type AppFlags, printFromApp } from './app-output.ts';
import { durationOf, instantIn, worldNow } from './instants.ts';

export const listSilences = (flags: AppFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const [{ mutes }, { watchlists }] = await Promise.all([
      app.call('alerting.read', {}),
      app.call('state.snapshot', {}),
    ]);
    return mutes.map((mute) => ({
      record: mute,
      fields: [
        String(mute.id).padStart(4),
        mute.kind,
        texts.silences.matchers(mute.matchers, watchlists, texts.silences.every),
        mute.until === 'time' ? `${mute.from} to ${mute.until_at}` : texts.silences.untilState[mute.until],
        mute.pending_count === 0 ? '' : `${mute.pending_count} held back`,
        mute.comment,
      ],
    }));
  });

export interface SilenceFlags extends AppFlags {
  readonly symbols?: string;
  readonly list?: string;
  readonly classes?: string;
  readonly states?: string;
  readonly all?: boolean;
  readonly from?: string;
  readonly for?: string;
  readonly until?: string;
  readonly comment?: string;
}

export const addSilence = (flags: SilenceFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    if ((flags.for === undefined) === (flags.until === undefined))
      throw new UsageError('Give --for with a duration like 4h, or --until with a time.');
    const comment = flags.comment ?? '';
    if (comment.length > LONGEST_COMMENT)
      throw new UsageError(`--comment: a comment has at most ${LONGEST_COMMENT} characters.`);
    const matchers = await matchersOf(app, flags);
    if ((matchers.length === 0) !== (flags.all === true))
      throw new UsageError('Give --symbols, --list, --classes or --states, or --all alone for every alert.');
    const from = flags.from === undefined ? null : instantIn('--from', flags.from);
    const begin = from === null ? await worldNow(app) : Date.parse(from);
    const until =
      flags.for === undefined
        ? instantIn('--until', flags.until ?? '')
        : timestamp(begin + durationOf('--for', flags.for));
    const { id } = await app.call('silences.add', { matchers, from, until, comment });
    return [{ record: { id, matchers, from, until, comment }, fields: [`silence ${id}`, `until ${until}`] }];
  });

/** Ends each; stops at the first that is unknown or over. */
export const endSilences = (ids: readonly string[], flags: AppFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const numbers = ids.map((id) => {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError(`ID ${id}: it must be a number of silence list.`);
      return Number(id);
    });
    for (const id of numbers) await app.call('mutes.end', { id });
    return numbers.map((id) => ({ record: { done: 'ended', id }, fields: [`silence ${id}`, 'ended'] }));
  });

async function matchersOf(app: AppClient, { symbols, list, classes, states }: SilenceFlags): Promise<Matcher[]> {
  const matchers: Matcher[] = [];
  if (symbols !== undefined)
    matchers.push({ name: 'symbol', operator: 'is', values: parts(symbols).map((one) => symbolIn('--symbols', one)) });
  if (list !== undefined) matchers.push({ name: 'list', operator: 'is', values: [await listId(app, list)] });
  if (classes !== undefined)
    matchers.push({
      name: 'class',
      operator: 'is',
      values: parts(classes).map((given) => {
        const known = ASSET_CLASSES.find((one) => one === given.toLowerCase());
        if (known === undefined)
          throw new UsageError(`--classes ${given}: it must be one of ${ASSET_CLASSES.join(', ')}.`);
        return known;
      }),
    });
  if (states !== undefined)
    matchers.push({
      name: 'state',
      operator: 'is',
      values: parts(states).map((given) => {
        const state = stateFromQuery(given);
        if (state === null) throw new UsageError(`--states ${given}: must be normal, elevated or high_risk.`);
        return state;
      }),
    });
  return matchers;
}

const parts = (list: string): string[] => {
  const found = list.split(',').map((one) => one.trim());
  if (found.includes('')) throw new UsageError(`${list}: give values separated by commas, like SPY,QQQ.`);
  return found;
};

async function listId(app: AppClient, named: string): Promise<string> {
  const { watchlists } = await app.call('state.snapshot', {});
  const list = watchlists.find(({ id }) => id === named) ?? watchlists.find(({ name }) => name === named);
  if (list !== undefined) return list.id;
  throw new UsageError(
    `--list ${named}: there is no such watchlist. Watchlists: ${watchlists.map(({ name }) => name).join(', ')}.`,
  );
}
