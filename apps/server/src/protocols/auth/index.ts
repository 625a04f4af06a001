/**
 * `/auth/v1` as `@supabase/auth-js` speaks it: sign-up, password, refresh and PKCE grants, recovery by
 * mail, the user, logout. Invariants: an
 * endpoint that is not served answers 404 and never 501, which the client would retry (A54); a refresh never answers
 * 429, which it would take for the end of the session; no answer may be cached.
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Accounts,
  type Device,
  type Grant,
  logoutScopes,
  type Recovery,
} from '../../features/accounts/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { Log } from '../../platform/log/index.ts';
import {
  bodyBytesMax,
  passwordGrantBody,
  pkceGrantBody,
  read,
  recoverBody,
  refreshBody,
  signUpBody,
  userBody,
  verifyBody,
} from './bodies.ts';
import { createSessionCookie, refreshPlaceholder, wantsCookie } from './session-cookie.ts';
import { errorOnWire, faultOnWire, sessionOnWire, userOnWire } from './wire.ts';

/** With it the client reads error codes from `code`. */
const apiVersion = '2024-01-01';

export interface AuthDependencies {
  readonly accounts: Accounts;
  readonly recovery: Pick<Recovery, 'request' | 'redeem'>;
  readonly config: Pick<Config, 'publicUrl'>;
  readonly secrets: Pick<Secrets, 'instanceId'>;
  readonly log: Log;
}

export async function registerAuth(app: FastifyInstance, deps: AuthDependencies): Promise<void> {
  await app.register(async (auth) => routes(auth, deps), { prefix: '/auth/v1' });
}

function routes(auth: FastifyInstance, deps: AuthDependencies): void {
  const { accounts, recovery, config, secrets, log } = deps;
  const cookie = createSessionCookie(config.publicUrl, secrets.instanceId);

  const signedIn = (request: FastifyRequest): SignedIn => {
    const caller = accounts.callerOf(request.headers);
    if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
    return caller;
  };

  const answerSession = (reply: FastifyReply, grant: Grant, inCookie: boolean) => {
    if (!inCookie) return reply.send(sessionOnWire(grant, grant.refreshToken));
    cookie.set(reply, grant.refreshToken, grant.refreshExpiresAt);
    return reply.send(sessionOnWire(grant, refreshPlaceholder));
  };

  /** Whether staff are signed in where this request comes from, by their token or, in cookie mode, by their cookie. */
  const comesFromStaff = async (request: FastifyRequest, inCookie: boolean): Promise<boolean> => {
    const caller = orNone(() => accounts.callerOf(request.headers)) ?? { role: 'anon' };
    // Whoever acts as a trader is staff (A45).
    if (caller.role !== 'anon') return caller.role !== 'trader' || caller.actingId !== null;
    const refreshToken = inCookie ? cookie.read(request) : undefined;
    const session = refreshToken === undefined ? undefined : await accounts.sessionOf(refreshToken);
    return session !== undefined && session.role !== 'trader';
  };

  acceptEmptyBodies(auth);
  auth.addHook('onRequest', async (_request, reply) => {
    reply.header('x-supabase-api-version', apiVersion).header('cache-control', 'no-store');
  });
  auth.setErrorHandler((error, request, reply) => {
    const known = errorOnWire(error);
    if (!known) log.error({ err: error, path: pathOf(request) }, 'an auth request failed');
    const { status, body, retryAfterS } = known ?? faultOnWire;
    if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
    return reply.code(status).send(body);
  });
  auth.setNotFoundHandler(notServed);
  // The web app's files have a route for every GET, which would be found before our handler.
  auth.get('/*', notServed);

  const limits = { bodyLimit: bodyBytesMax };

  auth.post('/signup', limits, async (request, reply) => {
    const inCookie = wantsCookie(request, config.publicUrl);
    const body = read(signUpBody, request.body);
    const byStaff = await comesFromStaff(request, inCookie);
    const { user, grant } = await accounts.signUp(
      {
        email: body.email,
        password: body.password,
        username: body.data.username,
        phoneNumber: body.data.phone_number,
      },
      deviceOf(request),
      byStaff ? 'without session' : 'with session',
    );
    return grant ? answerSession(reply, grant, inCookie) : reply.send(userOnWire(user));
  });

  auth.post('/token', limits, async (request, reply) => {
    switch (queryOf(request, 'grant_type')) {
      case 'password': {
        const inCookie = wantsCookie(request, config.publicUrl);
        const { email, password } = read(passwordGrantBody, request.body);
        return answerSession(reply, await accounts.signIn(email, password, deviceOf(request)), inCookie);
      }
      case 'refresh_token': {
        const inCookie = wantsCookie(request, config.publicUrl);
        const { refresh_token: given } = read(refreshBody, request.body);
        const kept = inCookie && given === refreshPlaceholder ? cookie.read(request) : undefined;
        return answerSession(reply, await accounts.refresh(kept ?? given, deviceOf(request)), inCookie);
      }
      case 'pkce': {
        const inCookie = wantsCookie(request, config.publicUrl);
        const { auth_code: code, code_verifier: codeVerifier } = read(pkceGrantBody, request.body);
        const grant = await recovery.redeem({ code, codeVerifier }, deviceOf(request));
        return answerSession(reply, grant, inCookie);
      }
      default:
        return notServed(request, reply);
    }
  });

  // The link always leads to our own PUBLIC_URL; `redirect_to`, which the client may send, is not looked at.
  auth.post('/recover', limits, async (request, reply) => {
    const { email, code_challenge: codeChallenge } = read(recoverBody, request.body);
    await recovery.request({ email, codeChallenge: codeChallenge ?? null }, deviceOf(request));
    return reply.send({});
  });

  auth.post('/verify', limits, async (request, reply) => {
    const inCookie = wantsCookie(request, config.publicUrl);
    const { token_hash: token } = read(verifyBody, request.body);
    return answerSession(reply, await recovery.redeem({ token }, deviceOf(request)), inCookie);
  });

  auth.get('/user', async (request, reply) =>
    reply.send(userOnWire(await accounts.userOf(signedIn(request)))),
  );

  auth.put('/user', limits, async (request, reply) => {
    const caller = signedIn(request);
    const { password, current_password: currentPassword } = read(userBody, request.body);
    return reply.send(userOnWire(await accounts.changePassword(caller, { password, currentPassword })));
  });

  auth.post('/logout', limits, async (request, reply) => {
    const inCookie = wantsCookie(request, config.publicUrl);
    const scope = logoutScopes.find((known) => known === (queryOf(request, 'scope') ?? 'global'));
    if (!scope) throw new AppError('invalid_argument', `scope must be one of ${logoutScopes.join(', ')}`);
    const refreshToken = inCookie ? cookie.read(request) : undefined;
    if (inCookie && scope !== 'others') cookie.clear(reply);
    // The access token may have run out while the page slept; the cookie proves the session as well.
    const kept = refreshToken === undefined ? undefined : await accounts.sessionOf(refreshToken);
    // The session is the one of the person who signed in, also while they act as somebody else, or just did (A45).
    const session = orNone(() => accounts.holderOf(request.headers)) ?? kept ?? signedIn(request);
    await accounts.signOut(session, scope);
    // The cookie may hold another session than the token, even another person's. With the cookie cleared nobody could
    // end that one any more, so it ends too; how far the logout reaches is for the one who asked alone.
    if (kept && kept.sessionId !== session.sessionId && scope !== 'others') {
      await accounts.signOut(kept, 'local');
    }
    return reply.code(204).send();
  });
}

/** For endpoints that serve everybody: a token that does not hold is no token. */
function orNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The client sends `logout` with a JSON content type and no body, which the default parser refuses. */
function acceptEmptyBodies(auth: FastifyInstance): void {
  auth.removeAllContentTypeParsers();
  auth.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => {
      if (text === '') return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new AppError('invalid_argument', 'The body is not valid JSON.');
      }
    },
  );
}

const notServed = (request: FastifyRequest, reply: FastifyReply) =>
  reply
    .code(404)
    .send({ code: 'not_found', message: `${request.method} ${pathOf(request)} is not served here.` });

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

function queryOf(request: FastifyRequest, name: string): string | undefined {
  return new URLSearchParams(request.url.split('?', 2)[1] ?? '').get(name) ?? undefined;
}

const deviceOf = (request: FastifyRequest): Device => ({
  address: request.ip || null,
  userAgent: request.headers['user-agent'] ?? null,
});
