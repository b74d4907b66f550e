// Main, core: the notification channels of the settings, read one by one. An invalid one stays in the file with its
// problem, and does not affect the others.
import { z } from 'zod';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import { ChannelIdSchema } from '../../../shared/settings/notification-channels/channel-id.ts';
import {
  type NotificationChannel,
  NotificationChannelSchema,
} from '../../../shared/settings/notification-channels/channels.ts';
import { message } from '../../../shared/text/message.ts';
import type { SettingsStore } from '../ports.ts';
import type { Settings } from '../profiles/settings.ts';
import { firstIssue, parseKnown, withUnknownKeys } from '../profiles/unknown-keys.ts';

type ChannelView = Alerting['channels'][number];

export interface ChannelStore {
  /** Each channel with its problem, and those that rules name and the settings do not have. */
  views(): readonly ChannelView[];
  /** null: there is none, or it is invalid. */
  get(id: string): NotificationChannel | null;
  /** Replaces the channel of that id, or appends it. */
  save(channel: NotificationChannel): void;
  /** Removes it from the settings and from every rule. @throws RefusedError for an unknown channel */
  remove(id: string): void;
}

export function createChannelStore(settings: SettingsStore): ChannelStore {
  let read: Settings['alerting'] | null = null;
  let views: readonly ChannelView[] = [];
  const current = (): readonly ChannelView[] => {
    const { alerting } = settings.read();
    if (alerting !== read) {
      read = alerting;
      views = viewsOf(alerting);
    }
    return views;
  };
  const write = (change: (alerting: Settings['alerting']) => Partial<Settings['alerting']>): void =>
    settings.change((now) => ({ ...now, alerting: { ...now.alerting, ...change(now.alerting) } }));
  return {
    views: current,
    get: (id) => current().find((view) => view.id === id)?.channel ?? null,
    save(channel) {
      write(({ channels: all = [] }) => {
        const position = all.findIndex((one, index) => readChannel(one, index).id === channel.id);
        if (position === -1) return { channels: [...all, channel] };
        const before = all[position];
        const known = parseKnown(NotificationChannelSchema, before).data;
        return { channels: all.with(position, withUnknownKeys(before, known, channel)) };
      });
    },
    remove(id) {
      if (!current().some((view) => view.id === id)) throw refused(message('channel.unknown', { id }));
      write(({ channels: all = [], rules }) => ({
        channels: all.filter((one, index) => readChannel(one, index).id !== id),
        rules: rules.map((rule) => withoutChannel(rule, id)),
      }));
    },
  };
}

/** The parts of a rule that name channels. */
const StepSchema = z.looseObject({ channels: z.array(z.unknown()) });
const NamingSchema = z.looseObject({
  channels: z.array(z.unknown()).optional(),
  escalation: z.looseObject({ steps: z.array(StepSchema) }).optional(),
});

/** Keeps the rest of a rule as it is in the file, also of an invalid one. A step without a channel goes. */
function withoutChannel(rule: unknown, id: string): unknown {
  const naming = NamingSchema.safeParse(rule);
  if (!naming.success || !namedBy(naming.data).includes(id)) return rule;
  const { channels, escalation } = naming.data;
  const others = (all: readonly unknown[]): unknown[] => all.filter((channel) => channel !== id);
  const steps = escalation?.steps.map((step) => ({ ...step, channels: others(step.channels) }));
  return {
    ...naming.data,
    ...(channels && { channels: others(channels) }),
    ...(steps && { escalation: { ...escalation, steps: steps.filter((step) => step.channels.length > 0) } }),
  };
}

const namedBy = ({ channels = [], escalation }: z.infer<typeof NamingSchema>): unknown[] => [
  ...channels,
  ...(escalation?.steps.flatMap((step) => step.channels) ?? []),
];

function viewsOf({ channels = [], rules }: Settings['alerting']): ChannelView[] {
  const known = channels.map(readChannel);
  const named = new Set(rules.flatMap((rule) => namedBy(NamingSchema.safeParse(rule).data ?? {})));
  const gone = [...named]
    .flatMap((id) => ChannelIdSchema.safeParse(id).data ?? [])
    .filter((id) => !known.some((view) => view.id === id));
  return [...known, ...gone.map((id) => ({ id, channel: null, problem: message('channel.gone', { id }) }))];
}

function readChannel(value: unknown, index: number): ChannelView {
  const parsed = parseKnown(NotificationChannelSchema, value);
  if (parsed.success) return { id: parsed.data.id, channel: parsed.data, problem: null };
  const named = z.object({ id: ChannelIdSchema }).safeParse(value);
  return {
    id: named.success ? named.data.id : `broken-${index + 1}`,
    channel: null,
    problem: message('channel.invalid', { why: firstIssue(parsed.error) }),
  };
}
