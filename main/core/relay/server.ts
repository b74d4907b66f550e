// Main, core: the relay's port to the machine: a loopback server, and requests to local programs.
// main/host/relay-server.ts implements it; without a server the relay is idle.
import type { RefusalReason } from '../../../shared/channels/relay.ts';
import type { Message } from '../../../shared/text/message.ts';
import type { Headers } from './signature.ts';

export interface CapturedDelivery {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly retryAfter?: number;
}

export interface ListenOptions {
  /** Requested port; if it is busy, the next free one is used. */
  readonly port: number;
  /** The paths that exist; called for every request. */
  readonly paths: () => readonly string[];
  /** Allowed hosts beside 127.0.0.1:PORT: that of the public address. */
  readonly hosts: () => readonly string[];
  /** Called when host, path, type and size are valid. Never rejects. */
  readonly receive: (headers: Headers, body: Uint8Array) => Promise<Answer>;
  /** The address for alerts of other programs: text of any type, in small bodies. */
  readonly inbound?: {
    readonly paths: () => readonly string[];
    /** Never rejects. */
    readonly receive: (headers: Headers, body: Uint8Array) => Promise<Answer>;
  };
  readonly refused: (reason: RefusalReason, message: Message, delivery?: CapturedDelivery) => void;
}

export interface ListenerHandle {
  readonly port: number;
  /** False where the requested port was busy. */
  readonly isConfiguredPort: boolean;
  close(): Promise<void>;
}

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: string;
  /** Addresses beyond this computer and its networks. */
  readonly allowPublic: boolean;
}

export interface Receipt {
  /** HTTP status; null without an answer: then the target pauses. */
  readonly status: number | null;
  /** Why the event does not count as delivered; null when it does. */
  readonly error: Message | null;
}

export interface RelayServer {
  /** @throws Error when no port is available */
  listen(options: ListenOptions): Promise<ListenerHandle>;
  /** Never rejects. */
  post(request: OutboundRequest): Promise<Receipt>;
}
