// Test harness: short forms of a window's calls about alerts.

import type { InboxQuery } from '../../shared/channels/alerting.ts';
import { DEFAULT_RULE, type Rule } from '../../shared/settings/alert-rules.ts';
import type { NotificationChannel } from '../../shared/settings/notification-channels/channels.ts';
import { optionalText } from '../../shared/text/message.ts';
import type { CoreRig } from './core-rig.ts';

export const iso = (ms: number): string => new Date(ms).toISOString();
export const minutes = (count: number): number => count * 60_000;

export const rule = (more: Partial<Rule>): Rule => ({ ...DEFAULT_RULE, ...more });
/** A channel to a topic of ntfy, under the id `desk`. */
export const topic = (url = 'https://ntfy.example/desk'): NotificationChannel => ({
  id: 'desk',
  name: 'Desk',
  destination: { kind: 'ntfy', url, answers: null },
});
/** Saves a channel, and the default rule with it. */
export async function saveWithChannel(rig: CoreRig, channel = topic(), more: Partial<Rule> = {}): Promise<void> {
  await calls(rig)['channels.save']({ channel });
  await calls(rig)['rules.save']({ rule: rule({ channels: [channel.id], ...more }) });
}
export const calls = (rig: CoreRig) => rig.core.handlers;
export const idOf = (rig: CoreRig, eventId: string): number => {
  const found = rig.snapshot().alerts.find(({ transition }) => transition.event_id === eventId);
  if (found === undefined) throw new Error(`no alert ${eventId}`);
  return found.ledger_id;
};
export const inbox = async (rig: CoreRig, more: Partial<InboxQuery> = {}) =>
  (await calls(rig)['alerts.read']({ filter: 'all', symbol: null, before: null, limit: 50, ...more })).rows;
export const stepsOf = async (rig: CoreRig, eventId: string): Promise<string[]> =>
  (await calls(rig)['alerts.trace']({ ledger_id: idOf(rig, eventId) })).steps.map(({ step, detail }) =>
    `${step} ${optionalText(detail)}`.trim(),
  );
