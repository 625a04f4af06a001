/**
 * Who may join what. A grant is everything a channel may do, decided anew from the token at the join and at each
 * `access_token` event; nothing of an earlier grant survives. Invariant: a topic that the contract does not declare
 * cannot be joined, and a token that does not verify grants nothing. Whose a conversation is stands in the database: a
 * grant for one names it, and holds only together with `requirePart`.
 *
 * The handshake carries no cookie that counts, only the public key, so a page of a foreign origin gains nothing by
 * opening a socket.
 */
import {
  AppError,
  type Caller,
  isActing,
  type Role,
  type SignedIn,
  type Topic,
  texts,
  topics,
  topicsByName,
} from '@fulcrum/contract';
import { z } from 'zod';
import { type Subscription, subscribe, subscriptionRequest } from './subscriptions.ts';

export interface Accounts {
  /** The caller of a request; throws `AppError` when the key or the token is not good. */
  callerOf(credentials: { authorization?: string; apikey?: string }): Caller;
}

/**
 * The payload of `phx_join`. The client always sends presence and broadcast settings; a presence key is ignored, for
 * everybody is present under their own user id.
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

/** The prices that a topic carries by itself. */
export type PriceStream =
  | { readonly kind: 'prices' }
  | { readonly kind: 'prices-of-symbol'; readonly symbol: string };

export interface Grant {
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

/** The end of a token that `callerOf` has already verified; throws when it has none, for it would never end. */
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
 * The declaration of topic `name`, and what it is about; throws `AppError` when `caller` may not join it. Whether they take
 * part in the conversation that it names is still to be asked (`requirePart`).
 */
export function admit(name: string, caller: Caller): Pick<Grant, 'topic' | 'prices' | 'conversationId'> {
  const { topic, placeholders } = findTopic(name);
  if (!topic.join.includes(caller.role)) {
    if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
    throw notOpen(name);
  }
  if (topic.scope === 'own' && (caller.role === 'anon' || placeholders.id !== caller.userId)) {
    throw notOpen(name);
  }
  const conversationId = topic.scope === 'conversation' ? (placeholders.session ?? null) : null;
  const { symbol } = placeholders;
  if (topic === topicsByName.prices) return { topic, prices: { kind: 'prices' }, conversationId };
  const prices = symbol === undefined ? null : { kind: 'prices-of-symbol' as const, symbol };
  return { topic, prices, conversationId };
}

/**
 * Refuses a caller who takes no part in the conversation of `name`, whose trader is `ownerId`. One that is somebody else's
 * and one that does not exist (null) look alike.
 *
 * @throws AppError not_allowed
 */
export function requirePart(name: string, caller: Caller, ownerId: string | null): void {
  const isStaff = caller.role === 'support' || caller.role === 'admin';
  const isOwner = caller.role !== 'anon' && caller.userId === ownerId;
  if (ownerId === null || (!isStaff && !isOwner)) throw notOpen(name);
}

/** Whether a presence of `before` may stay under `after`: the same person in the same role, as themselves. */
export const isSamePerson = (before: Caller, after: Caller): boolean =>
  before.role !== 'anon' && before.role === after.role && before.userId === after.userId && !isActing(after);

/**
 * The caller, when it is one of `roles` and nobody who acts as somebody else; throws the refusal otherwise. `act` names
 * what was tried, `topic` is the topic as its client named it.
 */
export function requireSender(
  caller: Caller,
  roles: readonly Role[] | undefined,
  act: string,
  topic: string,
): SignedIn {
  if (!roles) throw new AppError('not_allowed', `This topic takes no ${act} from clients.`);
  if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
  if (!roles.includes(caller.role)) throw new AppError('not_allowed', `${topic} takes no ${act} from you.`);
  if (isActing(caller)) throw new AppError('not_allowed', texts.notWhileActing);
  return caller;
}

/**
 * What the holder of `accessToken` may do on topic `name` (without the `realtime:` prefix); throws `AppError` with the
 * reason of a refusal. A private join without a session is refused: the client asks again once it has one, whereas an
 * accepted channel would never send its token.
 */
export function grant(
  accounts: Accounts,
  name: string,
  config: JoinConfig,
  credentials: { readonly apikey: string; readonly accessToken: string | null | undefined },
  limits: { readonly subscriptionsPerChannel: number },
): Grant {
  const { apikey, accessToken } = credentials;
  const caller = accounts.callerOf({
    apikey,
    ...(accessToken && { authorization: `Bearer ${accessToken}` }),
  });
  if (config.private && caller.role === 'anon') {
    throw new AppError('not_signed_in', texts.authSessionMissing);
  }
  const admitted = admit(name, caller);
  if (config.broadcast?.replay != null) {
    throw new AppError('invalid_argument', 'Broadcasts are not kept: leave replay out.');
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
