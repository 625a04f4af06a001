/**
 * Broadcasts by HTTP: the two endpoints that realtime-js uses without a joined channel (`channel.send()` falls back to the
 * first, `channel.httpSend()` uses the second). The socket's rules apply; the client takes 202 for success. Invariant: a
 * request sends all of its messages or none.
 *
 * Known limitation: storing a message (`persist`) is refused.
 */
import { AppError, type Caller, type SignedIn, texts } from '@fulcrum/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import { type Authenticator, admit, requireParticipant } from './access.ts';
import { authorizeBroadcast, type Broadcast } from './broadcasts.ts';
import type { ChatOwner } from './conversations.ts';
import type { Limits } from './limits.ts';

const root = '/realtime/v1/api/broadcast';

interface BroadcastRequestDependencies {
  readonly identity: Authenticator;
  readonly limits: Limits;
  /** Returns the trader of a chat session; null for an unknown id. */
  readonly chatOwner: ChatOwner;
  /** Counts an attempt of the user, or of the address without a session; false beyond the limit. */
  readonly attempt: (caller: Caller, address: string) => boolean;
  /** Delivers to all channels of the topic, which has no `realtime:` prefix. */
  readonly deliver: (topic: string, broadcast: Broadcast) => void;
}

const batch = (most: number) =>
  z.object({
    messages: z
      .array(
        z.object({ topic: z.string().max(255), event: z.string().max(255), payload: z.unknown().optional() }),
      )
      .min(1)
      .max(most),
  });
const oneEvent = z.object({ topic: z.string().max(255), event: z.string().max(255) });

const headerOf = (request: FastifyRequest, name: 'apikey' | 'authorization'): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Registers both routes on `app`. */
export function registerBroadcastRequests(app: FastifyInstance, deps: BroadcastRequestDependencies): void {
  const { identity, limits, attempt, chatOwner, deliver } = deps;

  function signedIn(request: FastifyRequest): SignedIn {
    const [apikey, authorization] = [headerOf(request, 'apikey'), headerOf(request, 'authorization')];
    const caller: Caller = identity.callerOf({
      ...(apikey !== undefined && { apikey }),
      ...(authorization !== undefined && { authorization }),
    });
    if (!attempt(caller, rateLimitAddress(request.ip))) {
      throw new AppError('too_many_attempts', 'Too many broadcasts. Please try again shortly.');
    }
    if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
    return caller;
  }

  async function authorize(caller: SignedIn, topic: string, broadcast: Broadcast): Promise<void> {
    const admitted = admit(topic, caller);
    authorizeBroadcast(admitted.topic, topic, caller, broadcast, limits.broadcastBytes);
    const { conversationId } = admitted;
    if (conversationId !== null) requireParticipant(topic, caller, await chatOwner(conversationId));
  }

  app.register(async (scope) => {
    scope.removeContentTypeParser('application/octet-stream');
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );

    scope.post(root, async (request, reply) => {
      const caller = signedIn(request);
      const parsed = batch(limits.broadcastsPerRequest).safeParse(request.body);
      if (!parsed.success) {
        throw new AppError(
          'invalid_argument',
          `A request carries 1 to ${limits.broadcastsPerRequest} messages.`,
        );
      }
      const { messages } = parsed.data;
      for (const { topic, ...broadcast } of messages) await authorize(caller, topic, broadcast);
      for (const { topic, ...broadcast } of messages) deliver(topic, broadcast);
      return reply.code(202).send();
    });

    scope.post(`${root}/:topic/events/:event`, async (request, reply) => {
      const caller = signedIn(request);
      const { topic, event } = oneEvent.parse(request.params);
      const query: unknown = request.query;
      const requestsStorage =
        typeof query === 'object' && Object.keys(query ?? {}).some((key) => key.startsWith('persist'));
      if (requestsStorage) throw new AppError('invalid_argument', 'Broadcasts are not stored: omit persist.');
      const broadcast: Broadcast = { event, payload: request.body };
      await authorize(caller, topic, broadcast);
      deliver(topic, broadcast);
      return reply.code(202).send();
    });
  });
}
