// Bench: runs programs of parts/ in a process of their own, so that each has its own event loop.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface Child {
  /** The next message of this kind. @throws when the process ends first */
  next<Message extends { readonly kind: string }>(kind: Message['kind']): Promise<Message>;
  send(message: object): void;
  kill(): void;
}

/** @param file of this folder */
export function startChild(file: string, args: readonly string[] = []): Child {
  const child: ChildProcess = fork(join(import.meta.dirname, file), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const buffered: { readonly kind: string }[] = [];
  let wake: () => void = () => undefined;
  let ended = false;
  child.on('message', (message) => {
    buffered.push(message as { kind: string });
    wake();
  });
  child.on('close', () => {
    ended = true;
    wake();
  });
  return {
    async next(kind) {
      for (;;) {
        const at = buffered.findIndex((message) => message.kind === kind);
        if (at >= 0) return buffered.splice(at, 1)[0] as never;
        if (ended) throw new Error(`${file} ended before it said "${kind}"`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    send: (message) => void child.send(message),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Milliseconds that two processes of one computer agree on. */
export const wallNow = (): number => performance.timeOrigin + performance.now();
