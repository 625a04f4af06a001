/**
 * `/auth/v1` for `@supabase/auth-js`: sign-up, password, refresh and PKCE grants, recovery by mail, the user, logout.
 * Invariants: an endpoint that is not served answers 404 and never 501, which the client would retry (A54); a refresh never
 * answers 429, which the client takes for the end of the session; no response may be cached. A request without a session
 * reaches the database only within the limits of its address; passwords have a queue instead and are never refused for them
 * (A118).
 */
import { AppError, busy, type SignedIn, texts } from '@fulcrum/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Enrolment } from '../../features/enrolment/index.ts';
import {
  type Device,
  type Identity,
  logoutScopes,
  type Recovery,
  type SessionTokens,
} from '../../features/identity/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { Log } from '../../platform/log/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import type { Admission } from '../admission.ts';
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
import { createSessionCookie, refreshPlaceholder, requestsCookie } from './session-cookie.ts';
import { errorOnWire, faultOnWire, sessionOnWire, userOnWire } from './wire.ts';

/** With it the client reads error codes from `code`. */
const apiVersion = '2024-01-01';

interface AuthDependencies {
  readonly identity: Identity;
  /** Who may register, and what they begin with (A117). */
  readonly enrolment: Pick<Enrolment, 'termsFor' | 'termsByStaff'>;
  readonly recovery: Pick<Recovery, 'request' | 'redeem'>;
  readonly config: Pick<Config, 'publicUrl'>;
  readonly secrets: Pick<Secrets, 'instanceId'>;
  /** One instance serves all protocols of a server. */
  readonly admission: Admission;
  readonly log: Log;
}

export async function registerAuth(app: FastifyInstance, deps: AuthDependencies): Promise<void> {
  await app.register(async (auth) => routes(auth, deps), { prefix: '/auth/v1' });
}

function routes(auth: FastifyInstance, deps: AuthDependencies): void {
  const { identity, enrolment, recovery, config, secrets, admission, log } = deps;
  const cookie = createSessionCookie(config.publicUrl, secrets.instanceId);

  const signedIn = (request: FastifyRequest): SignedIn => {
    const caller = admission.admit(request.ip, () => identity.callerOf(request.headers));
    if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
    return caller;
  };
  const ofStranger = <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> =>
    admission.admitStranger(request.ip, work);

  const answerSession = (reply: FastifyReply, grant: SessionTokens, inCookie: boolean) => {
    if (!inCookie) return reply.send(sessionOnWire(grant, grant.refreshToken));
    cookie.set(reply, grant.refreshToken, grant.refreshExpiresAt);
    return reply.send(sessionOnWire(grant, refreshPlaceholder));
  };

  /** Whether the request carries a session of staff, in its token or, in cookie mode, in its cookie. */
  const comesFromStaff = async (request: FastifyRequest, inCookie: boolean): Promise<boolean> => {
    const caller = orNone(() => identity.callerOf(request.headers)) ?? { role: 'anon' };
    // An impersonating caller is staff (A45).
    if (caller.role !== 'anon') return caller.role !== 'trader' || caller.impersonationId !== null;
    const refreshToken = inCookie ? cookie.read(request) : undefined;
    if (refreshToken === undefined) return false;
    const session = await ofStranger(request, () => identity.sessionOf(refreshToken));
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
    const inCookie = requestsCookie(request, config.publicUrl);
    const body = read(signUpBody, request.body);
    const byStaff = await comesFromStaff(request, inCookie);
    const { user, grant } = await identity.signUp(
      {
        email: body.email,
        password: body.password,
        username: body.data.username,
        phoneNumber: body.data.phone_number,
      },
      deviceOf(request),
      byStaff ? 'without session' : 'with session',
      // Staff who add a user are not bound by the mode (A100).
      byStaff ? enrolment.termsByStaff : enrolment.termsFor(body.email, body.data.invitation_code),
    );
    return grant ? answerSession(reply, grant, inCookie) : reply.send(userOnWire(user));
  });

  auth.post('/token', limits, async (request, reply) => {
    switch (queryOf(request, 'grant_type')) {
      case 'password': {
        const inCookie = requestsCookie(request, config.publicUrl);
        const { email, password } = read(passwordGrantBody, request.body);
        return answerSession(reply, await identity.signIn(email, password, deviceOf(request)), inCookie);
      }
      case 'refresh_token': {
        const inCookie = requestsCookie(request, config.publicUrl);
        const { refresh_token: given } = read(refreshBody, request.body);
        const cookieToken = inCookie && given === refreshPlaceholder ? cookie.read(request) : undefined;
        const grant = await ofStranger(request, () =>
          identity.refresh(cookieToken ?? given, deviceOf(request)),
        ).catch(neverTooMany);
        return answerSession(reply, grant, inCookie);
      }
      case 'pkce': {
        const inCookie = requestsCookie(request, config.publicUrl);
        const { auth_code: code, code_verifier: codeVerifier } = read(pkceGrantBody, request.body);
        const grant = await ofStranger(request, () =>
          recovery.redeem({ code, codeVerifier }, deviceOf(request)),
        );
        return answerSession(reply, grant, inCookie);
      }
      default:
        return notServed(request, reply);
    }
  });

  // The link always leads to PUBLIC_URL; `redirect_to` of the client is ignored.
  auth.post('/recover', limits, async (request, reply) => {
    const { email, code_challenge: codeChallenge } = read(recoverBody, request.body);
    // Not queued: its response is delayed on purpose, whatever it finds.
    admission.admit(request.ip, () => ({ role: 'anon' }));
    await recovery.request({ email, codeChallenge: codeChallenge ?? null }, deviceOf(request));
    return reply.send({});
  });

  auth.post('/verify', limits, async (request, reply) => {
    const inCookie = requestsCookie(request, config.publicUrl);
    const { token_hash: token } = read(verifyBody, request.body);
    const grant = await ofStranger(request, () => recovery.redeem({ token }, deviceOf(request)));
    return answerSession(reply, grant, inCookie);
  });

  auth.get('/user', async (request, reply) =>
    reply.send(userOnWire(await identity.userOf(signedIn(request)))),
  );

  auth.put('/user', limits, async (request, reply) => {
    const caller = signedIn(request);
    const { password, current_password: currentPassword } = read(userBody, request.body);
    return reply.send(userOnWire(await identity.changePassword(caller, { password, currentPassword })));
  });

  auth.post('/logout', limits, async (request, reply) => {
    const inCookie = requestsCookie(request, config.publicUrl);
    const scope = logoutScopes.find((known) => known === (queryOf(request, 'scope') ?? 'global'));
    if (!scope) throw new AppError('invalid_argument', `scope must be one of ${logoutScopes.join(', ')}`);
    // The session of the user who signed in, also during or just after an impersonation (A45).
    const holder = orNone(() => identity.holderOf(request.headers));
    if (holder) admission.charge(holder.userId, 1);
    // The access token may have expired while the page slept; the cookie proves the session as well.
    const refreshToken = inCookie ? cookie.read(request) : undefined;
    const findCookieSession = async () =>
      refreshToken === undefined ? undefined : identity.sessionOf(refreshToken);
    const cookieSession =
      holder || refreshToken === undefined
        ? await findCookieSession()
        : await ofStranger(request, findCookieSession);
    // A caller that the limits refuse keeps the cookie for a retry.
    if (inCookie && scope !== 'others') cookie.clear(reply);
    const session = holder ?? cookieSession ?? signedIn(request);
    await identity.signOut(session, scope);
    // The cookie may belong to another session than the token, even of another user. A cleared cookie leaves that session
    // without an owner, so it ends as well; `scope` applies to the caller's own session alone.
    if (cookieSession && cookieSession.sessionId !== session.sessionId && scope !== 'others') {
      await identity.signOut(cookieSession, 'local');
    }
    return reply.code(204).send();
  });
}

/** The official client takes 429 for the end of the session, and retries after 503. */
function neverTooMany(error: unknown): never {
  throw error instanceof TooManyAttempts ? busy() : error;
}

/** For public endpoints: an invalid token counts as none. */
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
