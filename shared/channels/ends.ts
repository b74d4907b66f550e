// Pure: both ends of the channel table: the window's client, the core's dispatcher and pusher.
// The receiver validates input and pushes; the sender also validates output, so that a fault shows at its
// source.
import type { z } from 'zod';
import type { Cancel } from '../lib/clock.ts';
import { messageOf } from '../lib/result.ts';
import { message, plainMessage } from '../text/message.ts';
import { type Answer, type CallChannel, type Channel, failedCall, type PushChannel, RefusedError } from './channel.ts';
import type { CoreLink, Dispatch, WindowLink } from './link.ts';

export type Table = Readonly<Record<string, Channel>>;
export type CallNames<T extends Table> = { [Name in keyof T]: T[Name] extends CallChannel ? Name : never }[keyof T] &
  string;
export type PushNames<T extends Table> = { [Name in keyof T]: T[Name] extends PushChannel ? Name : never }[keyof T] &
  string;
export type InputOf<C> = C extends CallChannel<infer Input, z.ZodType> ? z.input<Input> : never;
type ParsedInputOf<C> = C extends CallChannel<infer Input, z.ZodType> ? z.output<Input> : never;
export type OutputOf<C> = C extends CallChannel<z.ZodType, infer Output> ? z.output<Output> : never;
export type PayloadOf<C> = C extends PushChannel<infer Payload> ? z.output<Payload> : never;

/**
 * One function per call channel; TypeScript demands all of them. A handler refuses by throwing RefusedError.
 */
export type Handlers<T extends Table> = {
  readonly [Name in CallNames<T>]: (input: ParsedInputOf<T[Name]>) => OutputOf<T[Name]> | Promise<OutputOf<T[Name]>>;
};

/** The window's end: typed calls and subscriptions over any link. */
export interface WindowClient<T extends Table> {
  /** @throws RefusedError with a message for the user */
  call<Name extends CallNames<T>>(name: Name, input: InputOf<T[Name]>): Promise<OutputOf<T[Name]>>;
  /** A push that does not match its schema is reported to `onBad` and dropped. */
  subscribe<Name extends PushNames<T>>(name: Name, listener: (payload: PayloadOf<T[Name]>) => void): Cancel;
  watch: WindowLink['watch'];
}

/**
 * A channel of a table, now or when its schema has loaded; null: without one, and what comes is taken as the core
 * sent it, which validated it.
 */
export type ChannelSource<T extends Table> = <Name extends keyof T>(
  name: Name,
) => T[Name] | null | Promise<T[Name] | null>;

export function createWindowEnd<T extends Table>(
  source: T | ChannelSource<T>,
  link: WindowLink,
  onBad: (problem: string) => void,
): WindowClient<T> {
  const channelOf: ChannelSource<T> = typeof source === 'function' ? source : (name) => source[name];
  return {
    async call(name, input) {
      const found = channelOf(name);
      // Sent at once where nothing has to load.
      const channel = (found instanceof Promise ? await found : found) as CallChannel | null;
      const answer = await link.call(name, input, channel?.limit);
      if (!answer.ok) throw new RefusedError(answer.error);
      if (channel === null) return answer.value as never;
      const output = channel.output.safeParse(answer.value);
      if (!output.success)
        throw new RefusedError({
          code: 'bad_output',
          message: message('call.bad_output', { name, why: explain(output.error) }),
        });
      return output.data as never;
    },
    subscribe(name, listener) {
      const receive = (channel: Channel | null, payload: unknown): void => {
        const parsed = (channel as PushChannel | null)?.payload.safeParse(payload) ?? { success: true, data: payload };
        if (parsed.success) listener(parsed.data as never);
        else onBad(`push ${name} does not fit: ${explain(parsed.error)}`);
      };
      return link.subscribe(name, (payload) => {
        const channel = channelOf(name);
        if (channel instanceof Promise) void channel.then((loaded) => receive(loaded, payload));
        else receive(channel, payload);
      });
    },
    watch: (listener) => link.watch(listener),
  };
}

/**
 * The core's answering end. `onFault` receives the errors of handlers that failed unexpectedly; the window
 * gets the message, never the stack.
 */
export function createDispatch<T extends Table>(
  table: T,
  handlers: Handlers<T>,
  onFault: (name: string, error: unknown) => void,
): Dispatch {
  return async (name, payload): Promise<Answer> => {
    const channel = Object.hasOwn(table, name) ? table[name] : undefined;
    if (channel === undefined || channel.kind === 'push')
      return failedCall('unknown_channel', message('call.unknown', { name: name.slice(0, 80) }));
    const input = channel.input.safeParse(payload);
    if (!input.success) return failedCall('bad_input', message('call.bad_input', { name, why: explain(input.error) }));
    try {
      const value = await handlers[name as CallNames<T>](input.data as never);
      const output = channel.output.safeParse(value);
      if (output.success) return { ok: true, value: output.data };
      onFault(name, output.error);
      return failedCall('bad_output', message('call.bad_output', { name, why: explain(output.error) }));
    } catch (error) {
      if (error instanceof RefusedError) return { ok: false, error: error.refusal };
      onFault(name, error);
      return failedCall('failed', plainMessage(messageOf(error)));
    }
  };
}

/** The core's pushing end. A push that does not match its own schema is a bug: it throws. */
export function createPusher<T extends Table>(
  table: T,
  link: CoreLink,
): <Name extends PushNames<T>>(name: Name, payload: PayloadOf<T[Name]>) => void {
  return (name, payload) => link.push(name, (table[name] as PushChannel).payload.parse(payload));
}

/** One line: the first invalid field and why. */
function explain(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not as declared';
  const where = issue.path.map(String).join('.');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}
