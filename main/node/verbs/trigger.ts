// Main, command line: `barograph trigger`: makes an event happen now in a sandbox service.
import { routes } from '../../../shared/wire/routes.ts';
import { UsageError } from '../../host/command-line.ts';
import { answerOf, connectTo, type ServiceFlags } from './service-flags.ts';

export interface TriggerFlags extends ServiceFlags {
  readonly symbol?: string;
}

/** Prints one JSON line per event that resulted. */
export async function triggerVerb(event: string, flags: TriggerFlags): Promise<void> {
  const body = routes.trigger.body?.safeParse({ event, symbol: flags.symbol });
  if (body?.success !== true) throw new UsageError(wrongBody(event, flags));
  const service = connectTo(flags);
  const { data } = await answerOf(() => service.call('trigger', { body: body.data }));
  for (const envelope of data) console.log(JSON.stringify(envelope));
}

function wrongBody(event: string, { symbol }: TriggerFlags): string {
  const { trigger } = routes;
  const events = trigger.body?.shape.event.options.join(', ');
  if (trigger.body?.shape.event.safeParse(event).success === true) return `--symbol ${symbol}: this is no symbol.`;
  return `${event} is no event that can be triggered. Give one of ${events}.`;
}
