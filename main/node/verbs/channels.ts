// Main, command line: `barograph channels`: lists and tests the channels of notifications of the running app.
import { channelsNamedBy } from '../../../shared/settings/alert-rules.ts';
import { CHANNEL_KINDS } from '../../../shared/settings/notification-channels/channels.ts';
import { optionalText, textOf } from '../../../shared/text/message.ts';
import { type AppFlags, printFromApp } from './app-output.ts';

export const listChannels = (flags: AppFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const { channels, rules } = await app.call('alerting.read', {});
    return channels.map(({ id, channel, problem }) => {
      const kind = channel?.destination.kind ?? null;
      const naming = rules.flatMap(({ rule }) => (rule && channelsNamedBy(rule).includes(id) ? [rule.id] : []));
      const name = channel?.name ?? null;
      return {
        // Not where it leads, which may be a secret: a topic of ntfy, an address.
        record: { id, name, kind, rules: naming, problem },
        fields: [
          id,
          kind === null ? 'invalid' : CHANNEL_KINDS[kind].name,
          name ?? '',
          naming.length === 0 ? 'no rule' : naming.join(', '),
          optionalText(problem),
        ],
      };
    });
  });

/** Stops at the first that is not accepted, with the receiver's reason. */
export const testChannels = (ids: readonly string[], flags: AppFlags): Promise<void> =>
  printFromApp(flags, async (app) => {
    const tested = [];
    for (const id of ids) {
      const { detail } = await app.call('channels.test', { id });
      tested.push({ record: { done: 'accepted', id, detail }, fields: ['accepted', id, textOf(detail)] });
    }
    return tested;
  });
