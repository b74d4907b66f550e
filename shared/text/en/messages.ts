// Pure: the English of messages that the core sends as codes with values, by their sender.
// A value that is a message itself arrives as its text.
import { alertsMessages } from './messages/alerts.ts';
import { archiveMessages } from './messages/archive.ts';
import { callMessages } from './messages/calls.ts';
import { connectionMessages } from './messages/connection.ts';
import { hostMessages } from './messages/host.ts';
import { keysMessages } from './messages/keys.ts';
import { ledgerMessages } from './messages/ledger.ts';
import { notificationsMessages } from './messages/notifications.ts';
import { relayMessages } from './messages/relay.ts';
import { ruleFileMessages } from './messages/rule-files.ts';
import { selfTestMessages } from './messages/self-test.ts';
import { workMessages } from './messages/work.ts';

export const messages = {
  /** Text in no language of ours: the service's own, or of an earlier version. */
  text: ({ text }: { text: string }) => text,
  joined: ({ first, second }: { first: string; second: string }) => `${first} ${second}`,
  ...callMessages,
  ...alertsMessages,
  ...archiveMessages,
  ...connectionMessages,
  ...hostMessages,
  ...keysMessages,
  ...ledgerMessages,
  ...notificationsMessages,
  ...relayMessages,
  ...ruleFileMessages,
  ...selfTestMessages,
  ...workMessages,
};
