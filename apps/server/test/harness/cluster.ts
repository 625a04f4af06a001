/** Links between processes of a test, in memory: messages can be late, lost, or cut off as a whole. */
import { randomUUID } from 'node:crypto';
import { type ClusterLink, NoReply, NoResponders } from '../../src/platform/cluster/link.ts';
import { matchesSubject } from '../../src/platform/cluster/loopback.ts';

type Listener = (payload: unknown, subject: string) => void;

export interface TestLink extends ClusterLink {
  /** Loses everything to and from this process, and says so unless `silently`, until `mend`. */
  cut(silently?: boolean): void;
  mend(): void;
  /** Called with each message that would arrive here; what it returns true for is lost. Null loses nothing. */
  lose(isLost: ((subject: string, payload: unknown) => boolean) | null): void;
  /** From now on messages arrive here this much later, in their order. */
  delay(ms: number): void;
}

interface Member {
  readonly listeners: Set<{ readonly pattern: string; readonly listener: Listener }>;
  readonly handlers: Map<string, (payload: unknown) => unknown>;
  deliver(subject: string, run: () => void, payload: unknown): void;
  isCut(): boolean;
}

const copyOf = (payload: unknown): unknown =>
  payload === undefined ? undefined : JSON.parse(JSON.stringify(payload));

export function createTestNetwork(): { link(): TestLink } {
  const members = new Set<Member>();
  return {
    link() {
      const processId = randomUUID();
      const connectionListeners = new Set<(isConnected: boolean) => void>();
      let isCut = false;
      let isSilent = false;
      let isLost: ((subject: string, payload: unknown) => boolean) | null = null;
      let delayMs = 0;
      const self: Member = {
        listeners: new Set(),
        handlers: new Map(),
        isCut: () => isCut,
        deliver(subject, run, payload) {
          if (isCut || isLost?.(subject, payload)) return;
          if (delayMs > 0) setTimeout(() => !isCut && run(), delayMs);
          else setImmediate(() => !isCut && run());
        },
      };
      members.add(self);
      const others = (): Member[] => [...members].filter((member) => member !== self && !member.isCut());
      const announce = (isConnected: boolean): void => {
        for (const listener of connectionListeners) listener(isConnected);
      };
      return {
        processId,
        publish(subject, payload) {
          if (isCut) return;
          const copy = copyOf(payload);
          for (const member of others()) {
            const fitting = [...member.listeners].filter(({ pattern }) => matchesSubject(pattern, subject));
            for (const listener of new Set(fitting.map((entry) => entry.listener)))
              member.deliver(subject, () => listener(copy, subject), copy);
          }
        },
        subscribe(pattern, listener) {
          const entry = { pattern, listener };
          self.listeners.add(entry);
          return () => void self.listeners.delete(entry);
        },
        request(subject, payload, timeoutMs) {
          const copy = copyOf(payload);
          const serving = isCut ? [] : others().filter(({ handlers }) => handlers.has(subject));
          if (serving.length === 0 && !(isCut && isSilent)) return Promise.reject(new NoResponders(subject));
          return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new NoReply(subject)), timeoutMs);
            for (const member of serving) {
              const answer = async (): Promise<void> => {
                const result = copyOf(await member.handlers.get(subject)?.(copy));
                if (member.isCut()) return;
                self.deliver(
                  subject,
                  () => {
                    clearTimeout(timer);
                    resolve(result);
                  },
                  result,
                );
              };
              member.deliver(subject, () => void answer().catch(() => undefined), copy);
            }
          });
        },
        serve(subject, handler) {
          self.handlers.set(subject, handler);
          return () => {
            if (self.handlers.get(subject) === handler) self.handlers.delete(subject);
          };
        },
        isConnected: () => !isCut || isSilent,
        onConnection(listener) {
          connectionListeners.add(listener);
          return () => void connectionListeners.delete(listener);
        },
        cut(silently = false) {
          isCut = true;
          isSilent = silently;
          if (!silently) announce(false);
        },
        mend() {
          isCut = false;
          if (!isSilent) announce(true);
          isSilent = false;
        },
        lose(next) {
          isLost = next;
        },
        delay(ms) {
          delayMs = ms;
        },
      };
    },
  };
}
