// Main, core: what the relay needs of the machine: a port on loopback to listen on, and requests to local programs. main/host/relay-server.ts
// has both; without a server the relay does nothing.
import type { RefusalReason } from '../../../shared/channels/relay.ts';
import type { CapturedDelivery } from './refusals.ts';
import type { Headers } from './signature.ts';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly retryAfter?: number;
}

export interface ListenOptions {
  /** Wanted port; a busy one is passed over for the next free one. */
  readonly port: number;
  /** The paths that are answered; all others do not exist. Asked at every request. */
  readonly paths: () => readonly string[];
  /** Hosts beside 127.0.0.1:PORT that a request may name: that of the public address. */
  readonly hosts: () => readonly string[];
  /** Host, path, type and size are right. Never rejects. */
  readonly receive: (headers: Headers, body: Uint8Array) => Promise<Answer>;
  readonly onRefused: (reason: RefusalReason, message: string, delivery?: CapturedDelivery) => void;
}

export interface ListenerHandle {
  readonly port: number;
  /** False where the wanted port was busy. */
  readonly isConfiguredPort: boolean;
  close(): Promise<void>;
}

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these very bytes. */
  readonly body: string;
  /** Beyond this computer and its networks. */
  readonly allowPublic: boolean;
}

export interface Receipt {
  /** HTTP status; null when there was none: then nothing else goes to this target for a while either. */
  readonly status: number | null;
  /** Why it does not count as delivered, for people; null when it does. */
  readonly error: string | null;
}

export interface RelayServer {
  /** @throws Error when no port can be had */
  listen(options: ListenOptions): Promise<ListenerHandle>;
  /** Never rejects. */
  post(request: OutboundRequest): Promise<Receipt>;
}
