/**
 * A link whose process hears what it publishes, and whose requests reach a handler of its own first: for parts that need not know
 * whether their counterpart runs in this process. Both work while the connection is lost.
 */
import type { ClusterLink } from './link.ts';

type Listener = (payload: unknown, subject: string) => void;

/** Whether a subject is one that a subscription names: `*` stands for one part, a final `>` for all that follow. */
export function matchesSubject(pattern: string, subject: string): boolean {
  const [expected, parts] = [pattern.split('.'), subject.split('.')];
  if (expected.at(-1) === '>') {
    return parts.length >= expected.length && matchesParts(expected.slice(0, -1), parts);
  }
  return expected.length === parts.length && matchesParts(expected, parts);
}

const matchesParts = (expected: readonly string[], parts: readonly string[]): boolean =>
  expected.every((part, i) => part === '*' || part === parts[i]);

export function withLoopback(link: ClusterLink): ClusterLink {
  const listeners = new Set<{ readonly pattern: string; readonly listener: Listener }>();
  const handlers = new Map<string, (payload: unknown) => unknown>();
  return {
    processId: link.processId,
    publish(subject, payload) {
      link.publish(subject, payload);
      const fitting = [...listeners].filter(({ pattern }) => matchesSubject(pattern, subject));
      for (const listener of new Set(fitting.map((entry) => entry.listener))) listener(payload, subject);
    },
    subscribe(pattern, listener) {
      const entry = { pattern, listener };
      listeners.add(entry);
      const end = link.subscribe(pattern, listener);
      return () => {
        listeners.delete(entry);
        end();
      };
    },
    async request(subject, payload, timeoutMs) {
      // As over a wire: a handler that publishes does not do so within the call of who asks.
      await Promise.resolve();
      const handler = handlers.get(subject);
      return handler ? handler(payload) : link.request(subject, payload, timeoutMs);
    },
    serve(subject, handler) {
      handlers.set(subject, handler);
      const end = link.serve(subject, handler);
      return () => {
        if (handlers.get(subject) === handler) handlers.delete(subject);
        end();
      };
    },
    isConnected: () => link.isConnected(),
    onConnection: (listener) => link.onConnection(listener),
  };
}
