/**
 * Who of the team has a conversation open, and who writes in it. This page announces itself on the conversation's team
 * topic, which no trader may join. Writing ends with the message, or `typingExpiryMs` after the last key.
 */
import type { RealtimeChannel } from '@supabase/realtime-js';
import { useCallback, useEffect, useRef, useState } from 'react';
import { log as appLog } from '../../../shared/log/log.ts';
import { subscribeToTopic } from '../../../shared/realtime/topic-subscription.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { typingExpiryMs } from '../conversation/index.ts';

const log = appLog.of('support');

type State = 'here' | 'writing';
export interface Colleague {
  readonly id: string;
  readonly state: State;
}

/** The others of a presence state; one who writes in any of their tabs is writing. */
export function parseColleagues(
  state: Readonly<Record<string, readonly object[]>>,
  me: string,
): readonly Colleague[] {
  return Object.entries(state)
    .filter(([id]) => id !== me)
    .map(([id, metas]): Colleague => {
      const isWriting = metas.some((meta) => Reflect.get(meta, 'state') === 'writing');
      return { id, state: isWriting ? 'writing' : 'here' };
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** `agent.1 is writing`; the one who writes goes first, and three names are enough. */
export function formatColleagues(
  colleagues: readonly Colleague[],
  nameOf: (id: string) => string,
): string | null {
  const writing = colleagues.filter(({ state }) => state === 'writing');
  const shown = writing.length > 0 ? writing : colleagues;
  const [first, ...others] = shown.map(({ id }) => nameOf(id));
  if (first === undefined) return null;
  const state = writing.length > 0 ? 'writing' : 'here';
  if (others.length === 0) return `${first} is ${state}`;
  const last = others.length > 2 ? `${others.length} others` : others.at(-1);
  const between = others.length === 2 ? `, ${others[0]}` : '';
  return `${first}${between} and ${last} are ${state}`;
}

export interface Colleagues {
  readonly colleagues: readonly Colleague[];
  /** Call it with each keystroke, and when the message is sent. */
  readonly typed: () => void;
  readonly stopped: () => void;
}

const noColleagues: readonly Colleague[] = [];

export function useColleagues(sessionId: string): Colleagues {
  const { supabase, user, impersonation } = useSignedIn();
  const [present, setPresent] = useState({ sessionId, colleagues: noColleagues });
  const announce = useRef<(state: State) => void>(() => {});
  const writing = useRef<ReturnType<typeof setTimeout> | null>(null);
  const me = user.id;
  const isSilent = impersonation !== null;

  useEffect(() => {
    const track = (channel: RealtimeChannel, state: State) => {
      if (isSilent) return;
      channel.track({ state }).catch((cause: unknown) => log.warn('Presence could not be announced', cause));
    };
    const show = (colleagues: readonly Colleague[]) => setPresent({ sessionId, colleagues });
    const followed = subscribeToTopic(supabase, `chat-team:${sessionId}`, {
      listen: (channel) => {
        channel.on('presence', { event: 'sync' }, () => show(parseColleagues(channel.presenceState(), me)));
      },
      onJoined: (channel) => track(channel, writing.current === null ? 'here' : 'writing'),
      onLost: () => show(noColleagues),
    });
    announce.current = (state) => {
      const channel = followed.joined();
      if (channel) track(channel, state);
    };
    return () => {
      announce.current = () => {};
      if (writing.current !== null) clearTimeout(writing.current);
      writing.current = null;
      followed.leave();
    };
  }, [supabase, sessionId, me, isSilent]);

  const stopped = useCallback(() => {
    if (writing.current === null) return;
    clearTimeout(writing.current);
    writing.current = null;
    announce.current('here');
  }, []);
  const typed = useCallback(() => {
    if (writing.current === null) announce.current('writing');
    else clearTimeout(writing.current);
    writing.current = setTimeout(stopped, typingExpiryMs);
  }, [stopped]);
  return {
    colleagues: present.sessionId === sessionId ? present.colleagues : noColleagues,
    typed,
    stopped,
  };
}
