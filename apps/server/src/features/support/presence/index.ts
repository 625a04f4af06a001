/**
 * Presence of support agents (A68). The chosen status is stored; sockets come from the presence on `presence:support`.
 * Invariant: an agent with a present status has a socket, or lost the last one less than `graceMs` ago. After that, and
 * when their last session ends, they are offline, also across a restart, which counts as the loss of all sockets. Sockets at other
 * gateways of a cluster count as those here; each gateway writes the same.
 */
import { topicsByName } from '@fulcrum/contract';
import type { SupportStatus } from '@fulcrum/domain';
import type { Services } from '../../../platform/services.ts';
import type { createDetails } from '../details.ts';

export const graceMs = 60_000;

interface PresenceDependencies extends Pick<Services, 'timers' | 'bus' | 'log'> {
  readonly details: Pick<
    ReturnType<typeof createDetails>,
    'goOffline' | 'goOfflineWithoutSession' | 'chosen' | 'announceRole'
  >;
}

export function createPresence({ timers, bus, log, details }: PresenceDependencies) {
  const present = new Set<string>();
  /** Agents who may come back, and what stops the wait for them. */
  const awaited = new Map<string, () => void>();
  /** Writes under way. */
  const writes = new Set<Promise<void>>();
  const stops: (() => void)[] = [];

  function forget(userId: string): void {
    awaited.get(userId)?.();
    awaited.delete(userId);
  }

  function waitFor(userId: string): void {
    forget(userId);
    const cancel = timers.after(graceMs, () => {
      awaited.delete(userId);
      run(details.goOffline(userId), userId);
    });
    awaited.set(userId, cancel);
  }

  /** Tracks a write until it ends. A failed one is repeated after another wait. */
  function run(write: Promise<void>, userId: string): void {
    const done = write
      .catch((error: unknown) => {
        log.warn({ err: error, userId }, 'the status of an agent could not be written');
        if (stops.length > 0 && !present.has(userId)) waitFor(userId);
      })
      .finally(() => writes.delete(done));
    writes.add(done);
  }

  const isThere = (userId: string): boolean => present.has(userId) || awaited.has(userId);

  function onCame(userId: string): void {
    present.add(userId);
    forget(userId);
  }

  function onLeft(userId: string): void {
    present.delete(userId);
    waitFor(userId);
  }

  /** The session's sockets end in the same tick of the bus, so they are counted after it. */
  function onSessionEnd(userId: string): void {
    if (!isThere(userId)) return;
    queueMicrotask(() => {
      if (!present.has(userId)) run(details.goOfflineWithoutSession(userId), userId);
    });
  }

  function onRole(userId: string): void {
    forget(userId);
    run(details.announceRole(userId), userId);
  }

  return {
    /** Who has a socket, or may come back. */
    there: (): string[] => [...new Set([...present, ...awaited.keys()])],

    /** A choice alone does not make an agent present. */
    onChosen(userId: string, status: SupportStatus): void {
      if (status !== 'offline' && !isThere(userId)) waitFor(userId);
    },

    async start(): Promise<void> {
      stops.push(
        bus.subscribe('presence.came', ({ topic, userId }) => {
          if (topic === topicsByName.supportPresence.name) onCame(userId);
        }),
        bus.subscribe('presence.left', ({ topic, userId }) => {
          if (topic === topicsByName.supportPresence.name) onLeft(userId);
        }),
        bus.subscribe('session.revoked', ({ userId }) => onSessionEnd(userId)),
        bus.subscribe('role.changed', ({ userId }) => onRole(userId)),
      );
      for (const userId of await details.chosen()) if (!isThere(userId)) waitFor(userId);
    },

    async stop(): Promise<void> {
      for (const stop of stops.splice(0)) stop();
      for (const userId of [...awaited.keys()]) forget(userId);
      await Promise.all(writes);
    },
  };
}
