// Main, host: the socket by which a command of the same user calls the running app.
// Both shells have it. It is no port: a file of mode 0600 in the data folder, on Windows a pipe of a random
// name. Each request has the secret of run.json, which only this user can read.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { type Answer, AnswerSchema, failedCall, refused } from '../../shared/channels/channel.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import {
  type ConnectionPool,
  createConnectionPool,
  PORT_LIMITS,
  type PoolLimits,
} from '../../shared/lib/connection-pool.ts';
import { messageOf, type Result } from '../../shared/lib/result.ts';
import { type Message, MessageSchema, message } from '../../shared/text/message.ts';
import { isCommandChannel } from './command-channels.ts';

/** null: the profile that the first window shows. */
const ProfileSchema = z.string().max(64).nullable();
const CallSchema = z.strictObject({ profile: ProfileSchema, name: z.string().max(80), payload: z.unknown() });
/** A call of a channel, as a window makes it. */
export type CommandCall = z.infer<typeof CallSchema>;
const SecretSchema = z.string().max(128);
const RequestSchema = z.union([
  z.strictObject({ secret: SecretSchema, call: CallSchema }),
  z.strictObject({ secret: SecretSchema, window: z.strictObject({ profile: ProfileSchema }) }),
]);

const CallReplySchema = z.strictObject({ answer: AnswerSchema });
/** null: the desktop application has opened the window itself. */
const WindowReplySchema = z.strictObject({ window: z.url().nullable() });
const RefusedSchema = z.strictObject({ refused: MessageSchema });
type Reply = z.infer<typeof CallReplySchema | typeof WindowReplySchema | typeof RefusedSchema>;

/** Path and secret of the socket, as in run.json. */
export const ControlAddressSchema = z.strictObject({ path: z.string(), secret: z.string() });
export type ControlAddress = z.infer<typeof ControlAddressSchema>;

export interface ControlSocket {
  readonly address: ControlAddress;
  readonly close: Cancel;
}

export interface ControlSocketDeps {
  readonly dataFolder: string;
  readonly clock: Clock;
  /** Calls a channel that commands may call. */
  call(call: CommandCall): Promise<Answer>;
  /**
   * Opens a window of a profile; null: of the profile that the first window shows.
   * @returns its address, or null where the application shows the window itself
   */
  openWindow(profile: string | null): Result<string | null, Message>;
}

/** A rule about 2,000 symbols has 32 KB. */
const MAX_REQUEST = 64 * 1024;
const TIMEOUT_MS = 5_000;
/** An authenticated request may take as long as its call. */
const LIMITS: PoolLimits = { ...PORT_LIMITS, deadline: TIMEOUT_MS };
/** The shortest limit of a platform is 104 bytes. */
const LONGEST_PATH = 100;

/** @param onError receives the error where no socket can be opened; the app goes on without it */
export function listenControl(deps: ControlSocketDeps, onError: (error: unknown) => void): ControlSocket {
  const address = { path: pathIn(deps.dataFolder), secret: randomBytes(24).toString('base64url') };
  const pool = createConnectionPool({ clock: deps.clock, limits: LIMITS });
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, pool, address.secret, deps));
  const isFile = process.platform !== 'win32';
  // A killed app leaves its socket's file behind.
  server.on('error', onError);
  try {
    if (isFile) rmSync(address.path, { force: true });
  } catch (error) {
    onError(error);
  }
  server.listen(address.path, () => {
    if (isFile) chmodSync(address.path, 0o600);
  });
  return { address, close: () => void server.close() };
}

function pathIn(dataFolder: string): string {
  const name = `barograph-${randomBytes(8).toString('hex')}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const path = join(dataFolder, 'control.sock');
  return Buffer.byteLength(path) <= LONGEST_PATH ? path : join(tmpdir(), `${name}.sock`);
}

function serve(socket: Socket, pool: ConnectionPool, secret: string, deps: ControlSocketDeps): void {
  let body = '';
  pool.add(socket);
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    body += chunk;
    if (body.length > MAX_REQUEST) socket.destroy();
  });
  socket.on('end', () => {
    const request = RequestSchema.safeParse(parse(body)).data ?? null;
    if (request !== null && isSame(request.secret, secret)) pool.authenticate(socket);
    void replyTo(request, secret, deps).then((reply) => socket.end(JSON.stringify(reply)));
  });
}

async function replyTo(
  request: z.infer<typeof RequestSchema> | null,
  secret: string,
  deps: ControlSocketDeps,
): Promise<Reply> {
  if (request === null) return { refused: message('command.unreadable') };
  if (!isSame(request.secret, secret)) return { refused: message('command.no_secret') };
  if ('window' in request) {
    const opened = deps.openWindow(request.window.profile);
    return opened.ok ? { window: opened.value } : { refused: opened.error };
  }
  const { call } = request;
  if (isCommandChannel(call.name)) return { answer: await deps.call(call) };
  return { answer: failedCall('unknown_channel', message('command.no_channel', { name: call.name })) };
}

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
const isSame = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/**
 * Calls a channel of the running app.
 * @param limit timeout of the answer, ms
 * @throws Error where the app does not answer; RefusedError where it refuses the request itself
 */
export async function requestCall(address: ControlAddress, call: CommandCall, limit: number): Promise<Answer> {
  return (await ask(address, { call }, CallReplySchema, limit)).answer;
}

/**
 * Opens a window of the running app.
 * @returns its address, or null where the app shows it itself
 * @throws Error where the app does not answer; RefusedError where it refuses
 */
export async function requestWindow(address: ControlAddress, profile: string | null): Promise<string | null> {
  return (await ask(address, { window: { profile } }, WindowReplySchema)).window;
}

async function ask<Reply>(
  { path, secret }: ControlAddress,
  request: Readonly<Record<string, unknown>>,
  schema: z.ZodType<Reply>,
  limit = TIMEOUT_MS,
): Promise<Reply> {
  const socket = connect(path);
  socket.setTimeout(limit, () => socket.destroy(new Error('no answer in time')));
  socket.end(JSON.stringify({ secret, ...request }));
  const answer = await text(socket).catch((error) => {
    throw new Error(`The running app does not answer: ${messageOf(error)}.`);
  });
  const said = parse(answer);
  const reply = schema.safeParse(said);
  if (reply.success) return reply.data;
  const refusal = RefusedSchema.safeParse(said);
  throw refusal.success ? refused(refusal.data.refused) : new Error('The running app gave no answer.');
}
