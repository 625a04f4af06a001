/**
 * What goes between the gateways of a cluster: messages between clients, and who is present at each of them. Invariants: presence
 * follows a gateway's changes at its beat and heals from a lost message within five seconds; a gateway that has been silent for ten
 * seconds has nobody present. Messages between clients may be lost, as they may be where a socket is slow.
 */
import { z } from 'zod';
import type { Timers } from '../../platform/clock/index.ts';
import type { ClusterLink } from '../../platform/cluster/link.ts';
import type { Broadcast } from './broadcasts.ts';
import type { Presences, RemotePresences } from './presence.ts';

const wholeEveryMs = 5_000;
const silentMsMax = 10_000;
const subjects = { broadcast: 'gateway.broadcast', presence: 'gateway.presence' } as const;

const broadcastMessage = z.object({
  topic: z.string(),
  event: z.string(),
  payload: z.unknown().optional(),
  /** Base64, of a payload that is no JSON. */
  bytes: z.string().optional(),
});
const presenceMessage = z.object({
  process: z.string(),
  isWhole: z.boolean(),
  topics: z.record(
    z.string(),
    z.array(
      z.object({
        userId: z.string(),
        meta: z.looseObject({ phx_ref: z.string(), phx_ref_prev: z.string().optional() }),
      }),
    ),
  ),
});

interface GatewayDependencies {
  readonly link: ClusterLink;
  readonly timers: Timers;
  readonly presences: Presences;
  /** Delivers a message of a client of another gateway; the topic is as on the wire. */
  readonly deliver: (topic: string, broadcast: Broadcast) => void;
}

export interface Gateways {
  relayBroadcast(topic: string, broadcast: Broadcast): void;
  /** Called at each beat with what has changed here. */
  announcePresence(changed: RemotePresences): void;
  stop(): void;
}

export function connectGateways({ link, timers, presences, deliver }: GatewayDependencies): Gateways {
  const receivedAt = new Map<string, number>();

  function announce(topics: RemotePresences, isWhole: boolean): void {
    link.publish(subjects.presence, { process: link.processId, isWhole, topics });
  }

  function forgetSilent(): void {
    // This process receives nothing: the others are not gone.
    if (!link.isConnected()) return;
    for (const [process, at] of receivedAt) {
      if (Math.abs(timers.now() - at) < silentMsMax) continue;
      receivedAt.delete(process);
      presences.takeOver(process, {}, true);
    }
  }

  const stops = [
    link.subscribe(subjects.broadcast, (payload) => {
      const read = broadcastMessage.safeParse(payload);
      if (!read.success) return;
      const { topic, event, bytes, payload: json } = read.data;
      deliver(topic, { event, payload: bytes === undefined ? json : Buffer.from(bytes, 'base64') });
    }),
    link.subscribe(subjects.presence, (payload) => {
      const read = presenceMessage.safeParse(payload);
      if (!read.success) return;
      const { process, topics, isWhole } = read.data;
      // A new gateway gets everything at once.
      if (!receivedAt.has(process)) announce(presences.here(), true);
      receivedAt.set(process, timers.now());
      presences.takeOver(process, topics as RemotePresences, isWhole);
    }),
    link.onConnection((isConnected) => {
      if (!isConnected) return;
      for (const process of receivedAt.keys()) receivedAt.set(process, timers.now());
      announce(presences.here(), true);
    }),
    timers.every(wholeEveryMs, () => {
      announce(presences.here(), true);
      forgetSilent();
    }),
  ];
  announce(presences.here(), true);

  return {
    relayBroadcast(topic, { event, payload }) {
      const isBytes = payload instanceof Uint8Array;
      link.publish(subjects.broadcast, {
        topic,
        event,
        ...(isBytes ? { bytes: Buffer.from(payload).toString('base64') } : { payload }),
      });
    },
    announcePresence(changed) {
      if (Object.keys(changed).length > 0) announce(changed, false);
    },
    stop() {
      for (const stop of stops.splice(0)) stop();
      announce({}, true);
    },
  };
}
