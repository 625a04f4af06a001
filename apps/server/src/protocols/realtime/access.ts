/**
 * Decides which topics a caller may join. A grant is everything that a channel may do; each join and each `access_token`
 * event computes it from the token, and no part of an earlier grant survives. Invariants: a topic that the contract does
 * not declare cannot be joined; an invalid token grants nothing. The owner of a conversation is in the database: a grant
 * for one is valid only together with `requireParticipant`.
 *
 * The handshake uses no cookie, only the public key, so a page of a foreign origin gains nothing by opening a socket.
 */
import {
  AppError,
  type Caller,
  isImpersonating,
  type Role,
  type SignedIn,
  type Topic,
  texts,
  topics,
  topicsByName,
} from '@fulcrum/contract';
import { z } from 'zod';
import { type Subscription, subscribe, subscriptionRequest } from './subscriptions.ts';

export interface Authenticator {
  /** The caller of a request; throws `AppError` when the key or the token is invalid. */
  callerOf(credentials: { authorization?: string; apikey?: string }): Caller;
}

/**
 * The payload of `phx_join`. The client always sends presence and broadcast settings; a presence key is ignored, because
 * each user is present under their own user id.
 */
export const joinPayload = z.object({
  access_token: z.string().max(8_192).nullish(),
  config: z
    .object({
      private: z.boolean().nullish(),
      presence: z.object({ enabled: z.boolean().nullish() }).nullish(),
      broadcast: z
        .object({ ack: z.boolean().nullish(), self: z.boolean().nullish(), replay: z.unknown().optional() })
        .nullish(),
      postgres_changes: z.array(subscriptionRequest).nullish(),
    })
    .nullish(),
});
export type JoinConfig = NonNullable<z.infer<typeof joinPayload>['config']>;

export const accessTokenPayload = z.object({ access_token: z.string().max(8_192).nullish() });

/** The prices that a topic carries. */
export type PriceStream =
  | { readonly kind: 'prices' }
  | { readonly kind: 'prices-of-symbol'; readonly symbol: string };

export interface ChannelGrant {
  readonly caller: Caller;
  /** When the token ends, ms since the epoch; Infinity without a session. */
  readonly expiresAtMs: number;
  readonly topic: Topic;
  /** Null on a topic that carries no prices. */
  readonly prices: PriceStream | null;
  /** The chat session of a topic with the scope `conversation`, else null. */
  readonly conversationId: string | null;
  readonly subscriptions: readonly Subscription[];
}

const tokenClaims = z.object({ exp: z.number() });

/** Returns the expiry of a token that `callerOf` has verified; throws when it has none. */
function expiryMs(token: string): number {
  const [, claims = ''] = token.split('.');
  const { exp } = tokenClaims.parse(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')));
  return exp * 1000;
}

function findTopic(name: string): { topic: Topic; placeholders: Partial<Record<string, string>> } {
  for (const topic of topics) {
    const match = topic.pattern.exec(name);
    if (match) return { topic, placeholders: match.groups ?? {} };
  }
  throw new AppError('not_found', `There is no topic ${name}.`);
}

const notOpen = (name: string) => new AppError('not_allowed', `${name} is not open to you.`);

/**
 * Returns the declaration of topic `name` and its subject. For a conversation the caller also checks
 * `requireParticipant`.
 * @throws AppError when `caller` may not join it
 */
export function admit(
  name: string,
  caller: Caller,
): Pick<ChannelGrant, 'topic' | 'prices' | 'conversationId'> {
  const { topic, placeholders } = findTopic(name);
  if (!topic.join.includes(caller.role)) {
    if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
    throw notOpen(name);
  }
  const isOwn =
    caller.role !== 'anon' && (placeholders.id === caller.userId || placeholders.id === caller.accountId);
  if (topic.scope === 'own' && !isOwn) {
    throw notOpen(name);
  }
  const conversationId = topic.scope === 'conversation' ? (placeholders.session ?? null) : null;
  const { symbol } = placeholders;
  if (topic === topicsByName.prices) return { topic, prices: { kind: 'prices' }, conversationId };
  const prices = symbol === undefined ? null : { kind: 'prices-of-symbol' as const, symbol };
  return { topic, prices, conversationId };
}

/**
 * Refuses a caller who takes no part in the conversation of `name`, whose trader is `ownerId`. A foreign conversation and
 * a missing one (null) give the same error.
 * @throws AppError not_allowed
 */
export function requireParticipant(name: string, caller: Caller, ownerId: string | null): void {
  const isStaff = caller.role === 'support' || caller.role === 'admin';
  const isOwner = caller.role !== 'anon' && caller.userId === ownerId;
  if (ownerId === null || (!isStaff && !isOwner)) throw notOpen(name);
}

/** Whether a presence of `before` may stay under `after`: the same user in the same role, without impersonation. */
export const isSameUser = (before: Caller, after: Caller): boolean =>
  before.role !== 'anon' &&
  before.role === after.role &&
  before.userId === after.userId &&
  !isImpersonating(after);

/**
 * Returns the caller if its role is in `roles` and it does not impersonate. `act` names the attempted action, `topic` the
 * topic as its client named it.
 * @throws AppError not_allowed, not_signed_in
 */
export function requireSender(
  caller: Caller,
  roles: readonly Role[] | undefined,
  action: string,
  topic: string,
): SignedIn {
  if (!roles) throw new AppError('not_allowed', `This topic takes no ${action} from clients.`);
  if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
  if (!roles.includes(caller.role))
    throw new AppError('not_allowed', `${topic} takes no ${action} from you.`);
  if (isImpersonating(caller)) throw new AppError('not_allowed', texts.notWhileImpersonating);
  return caller;
}

/**
 * Returns the grant of `accessToken` on topic `name` (without the `realtime:` prefix). A private join without a session is
 * refused: the client retries once it has one, whereas an accepted channel would never send its token.
 * @throws AppError with the reason of a refusal
 */
export function authorizeJoin(
  identity: Authenticator,
  name: string,
  config: JoinConfig,
  credentials: { readonly apikey: string; readonly accessToken: string | null | undefined },
  limits: { readonly subscriptionsPerChannel: number },
): ChannelGrant {
  const { apikey, accessToken } = credentials;
  const caller = identity.callerOf({
    apikey,
    ...(accessToken && { authorization: `Bearer ${accessToken}` }),
  });
  if (config.private && caller.role === 'anon') {
    throw new AppError('not_signed_in', texts.authSessionMissing);
  }
  const admitted = admit(name, caller);
  if (config.broadcast?.replay != null) {
    throw new AppError('invalid_argument', 'Broadcasts are not stored: omit replay.');
  }
  const requests = config.postgres_changes ?? [];
  if (requests.length > limits.subscriptionsPerChannel) {
    throw new AppError(
      'invalid_argument',
      `At most ${limits.subscriptionsPerChannel} subscriptions fit on a channel.`,
    );
  }
  const subscriptions = requests.map((request) => subscribe(request, caller));
  const expiresAtMs =
    caller.role === 'anon' || !accessToken ? Number.POSITIVE_INFINITY : expiryMs(accessToken);
  return { ...admitted, caller, expiresAtMs, subscriptions };
}
