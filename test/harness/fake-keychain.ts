// Test harness: a keychain in this process that stores secrets, and can refuse, hang or forget.
import type { KeychainStarter } from '../../main/core/keys/keychain.ts';
import type { KeychainReply, KeychainRequest } from '../../main/core/keys/keychain-messages.ts';

export interface FakeKeychain {
  readonly start: KeychainStarter;
  /** `service account` to password. */
  readonly items: Map<string, string>;
  readonly requests: KeychainRequest['verb'][];
  /**
   * ready: answers. gone: fails. mute: does not answer until ready again. forgetful: accepts everything
   * and stores nothing. undeletable: refuses to delete.
   */
  mood: 'ready' | 'gone' | 'mute' | 'forgetful' | 'undeletable';
  /** Answers the calls made while it was mute. */
  wake(): void;
}

export function createFakeKeychain(): FakeKeychain {
  const items = new Map<string, string>();
  const waiting: (() => void)[] = [];
  const requests: KeychainRequest['verb'][] = [];
  const obey = (request: KeychainRequest): KeychainReply => {
    if (keychain.mood === 'gone') return { verb: 'failed', message: 'nobody is there' };
    if (keychain.mood === 'undeletable' && request.verb === 'delete')
      return { verb: 'failed', message: 'nothing is deleted' };
    if (request.verb === 'find') {
      const start = `${request.service} `;
      const found = [...items].flatMap(([name, password]) =>
        name.startsWith(start) ? [{ account: name.slice(start.length), password }] : [],
      );
      return { verb: 'find', found };
    }
    const name = `${request.service} ${request.account}`;
    if (request.verb === 'get') return { verb: 'get', password: items.get(name) ?? null };
    if (request.verb === 'delete') return { verb: 'delete', deleted: items.delete(name) };
    if (keychain.mood !== 'forgetful') items.set(name, request.password);
    return { verb: 'set' };
  };
  const keychain: FakeKeychain = {
    items,
    requests,
    mood: 'ready',
    wake() {
      keychain.mood = 'ready';
      for (const answer of waiting.splice(0)) answer();
    },
    start() {
      let reply: (message: unknown) => void = () => undefined;
      return {
        send(request) {
          requests.push(request.verb);
          const answer = (): void => queueMicrotask(() => reply(obey(request)));
          if (keychain.mood === 'mute') waiting.push(answer);
          else answer();
        },
        onReply: (listener) => {
          reply = listener;
        },
        onEnd: () => undefined,
        kill: () => undefined,
      };
    },
  };
  return keychain;
}
