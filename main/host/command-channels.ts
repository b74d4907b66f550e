// Main, host: the channels that commands may call over the socket of the running app.
// No key, no secret, no profile and no program: those need a window.
import type { Channels } from '../../shared/channels/channels.ts';
import type { CallNames } from '../../shared/channels/ends.ts';

const COMMAND_CHANNELS = [
  'state.snapshot',
  'connection.read',
  'timeline.read',
  'factors.read',
  'regime.read',
  'alerting.read',
  'alerts.read',
  'alerts.find',
  'alerts.trace',
  'alerts.acknowledge',
  'alerts.note',
  'alerts.snooze',
  'localAlerts.read',
  'priceAlerts.backtest',
  'rules.save',
  'rules.import',
  'channels.test',
  'rules.backtest',
  'silences.add',
  'mutes.end',
  'watchlist.edit',
  'ledger.follow',
  'relay.read',
  'relay.target.add',
  'relay.target.remove',
  'scheduled.read',
  'archive.search',
  'briefings.read',
] as const satisfies readonly CallNames<Channels>[];
export type CommandChannel = (typeof COMMAND_CHANNELS)[number];

export const isCommandChannel = (name: string): name is CommandChannel =>
  COMMAND_CHANNELS.some((channel) => channel === name);
