/** Manipulates a page's session where no screen can, such as its age. */
import type { Page } from '@playwright/test';
import { demoPassword, traderPassword } from './passwords.ts';

const sessionKey = 'fulcrum-session';

/** A document of the origin without the app, for a journey that opens its first page later. */
export const noApp = '/config.json';

const homeOf: Readonly<Record<string, string>> = {
  admin: '/admin',
  manager: '/manager',
  support: '/support',
};

interface SignInOptions {
  readonly password?: string | undefined;
  /** The page to open signed in; the role's home when left out. */
  readonly at?: string;
}

/** Signs in through the API and opens a page. Journeys about signing in itself use the forms (`logIn`, `register`). */
export async function signIn(
  page: Page,
  email: string,
  { password = demoPassword, at }: SignInOptions = {},
): Promise<void> {
  await enter(page, 'token?grant_type=password', { email, password }, at);
}

/** Signs a new trader up through the API and opens a page. A name belongs to one journey: they share a server. */
export async function signUp(page: Page, username: string, { at }: { at?: string } = {}): Promise<void> {
  const data = { username, phone_number: '+12345678900' };
  await enter(page, 'signup', { email: `${username}@example.test`, password: traderPassword, data }, at);
}

async function enter(page: Page, call: string, body: object, at?: string): Promise<void> {
  // No code reads the session while it is written.
  await page.goto(noApp);
  const role = await page.evaluate(
    async ({ key, to, sent }) => {
      const { anonKey } = (await (await fetch('/config.json')).json()) as { anonKey: string };
      const answer = await fetch(`/auth/v1/${to}`, {
        method: 'POST',
        // The server keeps the refresh token in a cookie.
        headers: { apikey: anonKey, 'content-type': 'application/json', 'x-fulcrum-session': 'cookie' },
        body: JSON.stringify(sent),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${to}: ${answer.status} ${text}`);
      localStorage.setItem(key, text);
      return (JSON.parse(text) as { user: { app_metadata: { role: string } } }).user.app_metadata.role;
    },
    { key: sessionKey, to: call, sent: body },
  );
  if (at !== noApp) await page.goto(at ?? homeOf[role] ?? '/dashboard');
}

/** Calls `/rest/v1/{path}` as the page's session does; the answer's rows or result. Throws what is refused. */
export async function callApi<Answer>(
  page: Page,
  path: string,
  body?: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[],
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = body ? 'POST' : 'GET',
): Promise<Answer> {
  const answer = await page.evaluate(
    async ({ key, to, sent, verb }) => {
      const stored = localStorage.getItem(key);
      const token: string = stored === null ? '' : JSON.parse(stored).access_token;
      const { anonKey } = (await (await fetch('/config.json')).json()) as { anonKey: string };
      const response = await fetch(`/rest/v1/${to}`, {
        method: verb,
        headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(sent && { body: JSON.stringify(sent) }),
      });
      const text = await response.text();
      return { status: response.status, json: text === '' ? null : JSON.parse(text) };
    },
    { key: sessionKey, to: path, sent: body, verb: method },
  );
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  return answer.json as Answer;
}

/** Makes the page's access token look expired: the next check of the session refreshes it. */
export async function expireToken(page: Page): Promise<void> {
  await page.evaluate((key) => {
    const stored = localStorage.getItem(key);
    if (stored === null) throw new Error('no user is signed in');
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(stored), expires_at: 1_000_000_000 }));
  }, sessionKey);
}

/**
 * Starts an impersonation of `username` on this page, as a staff screen would: the procedure, then a refreshed token. It opens
 * `at`, or the present page again.
 */
export async function impersonate(page: Page, username: string, { at }: { at?: string } = {}): Promise<void> {
  const [target] = await callApi<{ id: string }[]>(page, `users?select=id&username=eq.${username}`);
  if (!target) throw new Error(`no user ${username}`);
  await callApi(page, 'rpc/impersonate_user', {
    p_user_id: target.id,
    p_reason: 'A question about a margin',
  });
  await expireToken(page);
  await (at === undefined ? page.reload() : page.goto(at));
}
