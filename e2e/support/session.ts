/** What a page's own session can do that has no screen yet, and what becomes of it when time has passed. */
import type { Page } from '@playwright/test';

const sessionKey = 'fulcrum-session';

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

/** Makes the page believe that its access token has run out: the next look at the session refreshes it. */
export async function expireToken(page: Page): Promise<void> {
  await page.evaluate((key) => {
    const stored = localStorage.getItem(key);
    if (stored === null) throw new Error('nobody is signed in');
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(stored), expires_at: 1_000_000_000 }));
  }, sessionKey);
}

/** Acts as `username` from this page on, as a staff screen would: the procedure, then a refreshed token. */
export async function actAs(page: Page, username: string): Promise<void> {
  const [target] = await callApi<{ id: string }[]>(page, `users?select=id&username=eq.${username}`);
  if (!target) throw new Error(`no user ${username}`);
  await callApi(page, 'rpc/impersonate_user', {
    p_user_id: target.id,
    p_reason: 'A question about a margin',
  });
  await expireToken(page);
  await page.reload();
}
