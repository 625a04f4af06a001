/**
 * Messages between clients, on topics that declare them. Invariants: a client's broadcast carries an event name that the
 * topic allows and never one of the server's own, and only `type`, `event` and `payload`, so it cannot imitate a price, a
 * row change or a presence; a caller that may not join a topic cannot send to it; an impersonating caller cannot send.
 *
 * Known limitations: nothing is stored for absent clients; a payload that is not JSON reaches only vsn 2.0.0.
 */
import { AppError, type Caller, type Topic, tradersChanged } from '@fulcrum/contract';
import { z } from 'zod';
import { requireSender } from './access.ts';
import type { Channel } from './connection.ts';
import { type Shared, SharedBinary, SharedFrame } from './frames.ts';

/** Event names reserved for the server. Clients compare them case-insensitively. */
const serverEvents: ReadonlySet<string> = new Set([
  'tick',
  'system',
  'broadcast',
  'presence',
  'presence_state',
  'presence_diff',
  'postgres_changes',
  'access_token',
  tradersChanged,
  'insert',
  'update',
  'delete',
]);
const isServerEvent = (event: string) => serverEvents.has(event) || event.startsWith('phx_');

/** The payload of a `broadcast` frame. */
export const pushedBroadcast = z.object({
  event: z.string().max(255),
  payload: z.unknown().optional(),
  persist: z.unknown().optional(),
});

export interface Broadcast {
  readonly event: string;
  /** JSON, or bytes. */
  readonly payload?: unknown;
}

/**
 * Refuses a broadcast on `topic` (declared as `declaration`) that `caller` may not send.
 *
 * @throws AppError not_allowed, not_signed_in, invalid_argument or payload_too_large
 */
export function authorizeBroadcast(
  declaration: Topic,
  topic: string,
  caller: Caller,
  { event, payload }: Broadcast,
  maxBytes: number,
): void {
  requireSender(caller, declaration.broadcast?.send, 'broadcast', topic);
  if (!declaration.broadcast?.event.test(event) || isServerEvent(event)) {
    throw new AppError('invalid_argument', 'This event name is not open to clients.');
  }
  const bytes =
    payload instanceof Uint8Array ? payload.length : Buffer.byteLength(JSON.stringify(payload ?? null));
  if (bytes > maxBytes) {
    throw new AppError('payload_too_large', `A broadcast carries at most ${maxBytes} bytes.`);
  }
}

/** The channels of topics with broadcasts, by topic as on the wire. */
export class Broadcasts {
  readonly #channels = new Map<string, Set<Channel>>();

  add(channel: Channel): void {
    if (!channel.grant.topic.broadcast) return;
    const channels = this.#channels.get(channel.topic) ?? new Set();
    this.#channels.set(channel.topic, channels.add(channel));
  }

  remove(channel: Channel): void {
    const channels = this.#channels.get(channel.topic);
    channels?.delete(channel);
    if (channels?.size === 0) this.#channels.delete(channel.topic);
  }

  /** Delivers an authorized broadcast to all channels of `topic` (as on the wire) but `except`. */
  deliver(topic: string, { event, payload }: Broadcast, except: Channel | null): void {
    const channels = this.#channels.get(topic);
    if (!channels) return;
    const frame: Shared =
      payload instanceof Uint8Array
        ? new SharedBinary(topic, event, payload)
        : new SharedFrame(topic, 'broadcast', { type: 'broadcast', event, payload: payload ?? null });
    for (const channel of channels) {
      if (channel !== except) channel.connection.sendShared(frame, channel.joinRef);
    }
  }
}
