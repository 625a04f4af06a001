/**
 * Every user text, as markup, on every screen that shows it. The browser ignores our content policy, which would stop such
 * markup from running: the test proves that no screen takes a text for markup at all. doors.spec.ts tests the policy.
 */
import type { Browser, Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, type Fulcrum, test } from '../harness/fulcrum.ts';
import { callApi, expireToken, signIn } from '../harness/session.ts';
import { submitAttempt } from '../kyc/attempt.ts';

import { type ForeignSite, openForeignSite } from './foreign-site.ts';

// Replies to contact messages go by mail: a mail server has to be configured, even one that never answers.
test.use({ serverFor: 'user texts', serverEnv: { SMTP_URL: 'smtp://127.0.0.1:9' } });

const payload = '__p=1';
/** Fits where a name does; `mark` identifies the text. */
const short = (mark: string) => `${mark}<img src=x onerror=${payload}>`;
/** Breaks out of attributes, elements, scripts and templates; a request to the foreign site would reveal the reader. */
const long = (mark: string, site: string) =>
  `${mark} "'><script>${payload}</script><svg onload=${payload}></svg><img src=${site}/beacon onerror=${payload}><a href="javascript:${payload}">x</a></textarea>{{${payload}}}\${${payload}}`;
const markdown = (mark: string, site: string) =>
  [
    `**${mark}** ${long('md', site)}`,
    `[press](javascript:${payload}) [press](JaVaScRiPt:${payload}) [press](data:text/html,<script>${payload}</script>) <javascript:${payload}>`,
    `![picture](${site}/picture.png "a' onerror=${payload}") [ref]`,
    `[ref]: javascript:${payload}`,
    `<iframe srcdoc="<script>parent.${payload}</script>"></iframe>`,
    `\`<img src=x onerror=${payload}>\``,
  ].join('\n\n');

const trader = { email: 'xss_trader@example.test', password: 'first-trade' };

/** Writes every text there is, and returns what the screens are found by. */
async function writeEverything(fulcrum: Fulcrum, site: string) {
  const [newcomer, manager, support, admin] = [
    await ApiUser.register(fulcrum.url, 'xss_trader'),
    await ApiUser.signIn(fulcrum.url, 'manager'),
    await ApiUser.signIn(fulcrum.url, 'support'),
    await ApiUser.signIn(fulcrum.url, 'admin'),
  ];
  const rename = (who: ApiUser, mark: string) =>
    who.call('safe_update_user_profile', { user_id: who.id, new_username: short(mark) });
  await rename(newcomer, 'TraderName');
  await rename(manager, 'ManagerName');
  await rename(support, 'SupportName');
  await rename(admin, 'AdminName');
  const refused = async (who: ApiUser, path: string, body: object) =>
    expect((await who.ask(path, body)).status, path).toBeGreaterThanOrEqual(400);
  const profile = 'rpc/safe_update_user_profile';
  await refused(newcomer, profile, { user_id: newcomer.id, new_phone_number: short('+1') });
  await refused(newcomer, profile, { user_id: newcomer.id, new_email: `${short('e')}@x.test` });
  await refused(support, 'canned_replies', { shortcut: short('s'), content: 'x' });
  // The user agent of a browser appears in the list of sessions.
  const { anonKey } = (await (await fetch(`${fulcrum.url}/config.json`)).json()) as { anonKey: string };
  await fetch(`${fulcrum.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json', 'user-agent': long('UserAgent', site) },
    body: JSON.stringify(trader),
  });

  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 };
  const position = await newcomer.call<{ id: string; version: number }>('open_position', {
    ...order,
    p_client_id: short('OrderClientId'),
  });
  await newcomer.ask('journal_entries', {
    title: long('JournalTitle', site).slice(0, 200),
    content: markdown('JournalText', site),
    tags: [short('JournalTag')],
    position_id: position.id,
  });

  await admin.call('assign_user_to_manager', { p_user_id: newcomer.id, p_manager_id: manager.id });
  await admin.call('adjust_wallet_balance', {
    p_user_id: newcomer.id,
    p_amount: 5,
    p_reason: long('FundsReason', site),
  });
  const edit = { leverage: 5, reason: long('EditReason', site), version: position.version };
  expect((await admin.ask(`positions?id=eq.${position.id}`, edit, 'PATCH')).status).toBeLessThan(300);
  await admin.call('shock_price', { p_symbol: 'ETHUSDT', p_percent: 1, p_reason: long('ShockReason', site) });

  const write = async (who: ApiUser, chat: string, content: string) =>
    expect((await who.ask('chat_messages', { session_id: chat, sender_id: who.id, content })).status).toBe(
      201,
    );
  const earlier = await newcomer.call<{ id: string }>('open_chat_session', {});
  await write(newcomer, earlier.id, long('EarlierMessage', site));
  await write(support, earlier.id, long('EarlierAnswer', site));
  await support.ask(`chat_sessions?id=eq.${earlier.id}&status=eq.open`, { status: 'closed' }, 'PATCH');
  await newcomer.call('rate_chat_session', {
    p_session_id: earlier.id,
    p_score: 1,
    p_comment: long('RatingComment', site),
  });
  const chat = await newcomer.call<{ id: string }>('open_chat_session', {});
  await write(newcomer, chat.id, markdown('ChatMessage', site));
  await write(support, chat.id, markdown('ChatAnswer', site));
  await write(newcomer, chat.id, long('ChatLast', site));
  const note = { session_id: chat.id, content: long('ChatNote', site) };
  expect((await support.ask('chat_notes', note)).status).toBe(201);
  const reply = { shortcut: 'evil', content: long('CannedReply', site) };
  expect((await support.ask('canned_replies', reply)).status).toBe(201);

  const submitted = {
    name: short('LetterName'),
    email: 'zoe@example.test',
    subject: long('LetterSubject', site).slice(0, 200),
    message: markdown('LetterText', site),
  };
  const visitor = await fetch(`${fulcrum.url}/rest/v1/contact_forms`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify(submitted),
  });
  expect(visitor.status).toBe(201);
  const { body: forms } = await admin.ask('contact_forms?select=id,version');
  const [form] = forms as { id: string; version: number }[];
  await admin.call('reply_contact_form', {
    p_id: form?.id,
    p_version: form?.version,
    p_message: long('LetterReply', site),
  });

  const details = {
    first_name: short('FirstName'),
    last_name: short('LastName'),
    country: short('Country'),
    address: short('Street'),
    city: short('City'),
    postal_code: `<svg/onload=${payload}>`,
  };
  await submitAttempt(newcomer, short('N1'), details);
  const attempt = async () => {
    const { body } = await admin.ask('kyc_verifications?select=id,version&order=submitted_at.desc&limit=1');
    const [newest] = body as { id: string; version: number }[];
    if (!newest) throw new Error('no attempt');
    return newest;
  };
  const first = await attempt();
  await admin.call('review_kyc', {
    p_id: first.id,
    p_version: first.version,
    p_decision: 'rejected',
    p_reject_type: 'retry',
    p_reasons: [{ document: null, code: 'other', text: long('KycReason', site).slice(0, 300) }],
    p_note: long('KycNote', site),
  });

  const other = await ApiUser.register(fulcrum.url, 'xss_other');
  await rename(other, 'OtherName');
  await submitAttempt(other, short('N2'), details);
  const second = await attempt();
  await admin.call('restrict_user', {
    p_user_id: other.id,
    p_restricted: true,
    p_reason: long('RestrictReason', site),
  });
  await admin.call('halt_trading', { p_reason: long('HaltReason', site) });
  return { newcomer, other, earlier, chat, form, first, second };
}

/** Elements of the page that come from neither our code nor a text. */
const injected = (page: Page) =>
  page.locator('html').evaluate((html) => ({
    injected: '__p' in globalThis,
    elements: [
      ...html.querySelectorAll(
        '[onerror],[onload],[src="x"],script:not([src]),iframe[srcdoc],a[href^="javascript:" i],a[href^="data:" i]',
      ),
    ].map((element) => element.outerHTML.slice(0, 200)),
  }));

/** A session in a browser without our policy; records every request to another host, and every dialog. */
async function enter(browser: Browser, fulcrum: Fulcrum, email: string, password?: string) {
  const context = await browser.newContext({
    baseURL: fulcrum.url,
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  const outside: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== fulcrum.url) outside.push(request.url());
  });
  page.on('dialog', (dialog) => {
    outside.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await signIn(page, email, { password });
  const check = async (what: string, ...marks: readonly string[]) => {
    // Where it is shown, as text or in a field.
    for (const mark of marks) {
      await expect(
        page
          .locator('body')
          .getByText(mark)
          .or(page.locator(`[value*="${mark}"]`))
          .filter({ visible: true })
          .first(),
        `${mark} on ${what}`,
      ).toBeVisible();
    }
    expect(await injected(page), what).toEqual({ injected: false, elements: [] });
    expect(outside, what).toEqual([]);
  };
  return {
    page,
    check,
    visit: async (path: string, ...marks: readonly string[]) => {
      await page.goto(path);
      await expect(page.locator('main').first()).toBeVisible();
      await check(path, ...marks);
    },
    leave: () => context.close(),
  };
}

let site: ForeignSite;
let written: Awaited<ReturnType<typeof writeEverything>>;
test.beforeAll(async ({ fulcrum }) => {
  site = await openForeignSite();
  written = await writeEverything(fulcrum, site.url);
});
test.afterAll(async () => {
  expect(site.requests).toEqual([]);
  await site.close();
});

test('SEC-BROWSER: a screen that took a text for markup would be detected, and the text would run', async ({
  browser,
  fulcrum,
}) => {
  const { page, leave } = await enter(browser, fulcrum, 'trader@fulcrum.local');
  await page
    .locator('body')
    .evaluate((body, html) => body.insertAdjacentHTML('beforeend', html), short('Taken'));
  await expect
    .poll(() => injected(page))
    .toMatchObject({ injected: true, elements: [expect.stringContaining('<img')] });
  await leave();
});

test('SEC-BROWSER: no screen of a trader takes a text for markup', async ({ browser, fulcrum }) => {
  const { page, check, visit, leave } = await enter(browser, fulcrum, trader.email, trader.password);
  await visit('/dashboard#journal');
  await page.locator('#journal').scrollIntoViewIfNeeded();
  await check('the journal', 'JournalTitle', 'JournalTag');
  await page
    .getByRole('button', { name: /JournalTitle/ })
    .first()
    .click();
  await check('an entry', 'JournalText');
  await visit('/trading?symbol=BTCUSDT');
  for (const tab of ['Position History', 'Open Orders', 'Order History', 'Open Positions']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    await check(tab);
  }
  await visit('/wallet', 'TraderName');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
  await check('the notifications');
  await visit('/chat', 'ChatMessage', 'ChatAnswer');
  await visit(`/chat?earlier=${written.earlier.id}`, 'EarlierMessage', 'EarlierAnswer');
  await visit('/profile', 'TraderName');
  await check('the sessions', 'UserAgent');
  await visit('/profile?tab=kyc', 'KycReason', 'FirstName', 'Street');
  // An address contains user text, too.
  const evil = encodeURIComponent(long('Address', site.url));
  for (const path of [
    `/trading?symbol=${evil}`,
    `/dashboard?search=${evil}&tag=${evil}&entry=${evil}#journal`,
    `/profile?tab=${evil}`,
    `/wallet?type=${evil}&from=${evil}`,
    `/chat?earlier=${evil}`,
    `/${evil}`,
    `/#${evil}`,
  ]) {
    await page.goto(path);
    await expect(page.locator('main').first()).toBeVisible();
    await check(path);
  }
  await leave();
});

test('SEC-BROWSER: no screen of a manager or of support does', async ({ browser, fulcrum }) => {
  const manager = await enter(browser, fulcrum, 'manager@fulcrum.local');
  await manager.visit('/manager', 'TraderName', 'ManagerName');
  await manager.visit(`/manager?user=${written.newcomer.id}`, 'TraderName');
  await manager.visit(`/manager?q=${encodeURIComponent(short('Search'))}`);
  await manager.leave();

  const { page, check, visit, leave } = await enter(browser, fulcrum, 'support@fulcrum.local');
  await visit('/support', 'SupportName', 'ChatLast');
  await page.getByRole('list', { name: 'Active sessions' }).getByRole('button').first().click();
  await check('a conversation', 'ChatMessage', 'ChatAnswer', 'ChatNote');
  const panel = page.getByRole('complementary', { name: 'About the trader' });
  await panel.getByRole('button', { name: /2 messages/ }).click();
  await check('an earlier conversation', 'EarlierMessage', 'EarlierAnswer', 'RatingComment');
  await page.keyboard.press('Escape');
  const reply = page.getByRole('textbox', { name: /^Reply to TraderName/ });
  await reply.press('/');
  const find = page.getByRole('combobox', { name: 'Find a reply' });
  await find.fill('evil');
  await check('the replies', 'CannedReply');
  await find.press('Enter');
  await expect(reply).toHaveValue(/^CannedReply/);
  await check('a reply that is written');
  await leave();
});

test('SEC-BROWSER: no screen of an admin does', async ({ browser, fulcrum }) => {
  const { page, check, visit, leave } = await enter(browser, fulcrum, 'admin@fulcrum.local');
  const { newcomer, other, earlier, chat, form, first, second } = written;
  await visit('/admin', 'AdminName', 'HaltReason');
  await visit('/admin?tab=users', 'TraderName', 'ManagerName', 'OtherName');
  await visit(`/admin?tab=users&q=${encodeURIComponent(short('Search'))}`);
  await visit('/admin?tab=support', 'SupportName');
  await visit('/admin?tab=kyc', 'OtherName');
  const pending = `/admin?tab=kyc&status=pending&case=${second.id}`;
  await visit(pending, 'FirstName', 'Street', 'City', 'Country', 'N2');
  await visit(`/admin?tab=kyc&status=rejected&case=${first.id}`, 'KycReason', 'KycNote');
  await visit('/admin?tab=wallets', 'TraderName');
  await visit('/admin?tab=contact', 'LetterName', 'LetterSubject');
  await visit(`/admin?tab=contact&form=${form?.id}`, 'LetterText', 'LetterReply');
  await visit('/admin?tab=profile', 'AdminName');
  await visit('/admin/metrics');
  await visit('/admin/audit', 'HaltReason');
  const actions = page
    .getByRole('table', { name: 'Actions, newest first' })
    .getByRole('button', { expanded: false });
  for (let row = 0; row < Math.min(await actions.count(), 12); row += 1) {
    await actions.nth(row).click();
    await check(`act ${row} of the audit log`);
  }
  await visit(`/admin/users/${newcomer.id}`, 'TraderName', 'ManagerName');
  for (const [section, ...marks] of [
    ['ledger'],
    ['transactions'],
    ['orders'],
    ['kyc'],
    ['chats', 'ChatLast'],
    ['audit', 'FundsReason', 'EditReason'],
  ] as const) {
    await visit(`/admin/users/${newcomer.id}?section=${section}`, 'TraderName', ...marks);
  }
  await visit(`/admin/users/${newcomer.id}?section=chats&chat=${chat.id}`, 'ChatMessage', 'ChatAnswer');
  await visit(
    `/admin/users/${newcomer.id}?section=chats&chat=${earlier.id}`,
    'EarlierMessage',
    'EarlierAnswer',
  );
  await visit(`/admin/users/${other.id}?section=audit`, 'OtherName', 'RestrictReason');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').last().fill('TraderName');
  await check('the quick search', 'TraderName');

  // An impersonation shows its reason on the trader's screens.
  await callApi(page, 'rpc/impersonate_user', {
    p_user_id: newcomer.id,
    p_reason: long('ActingReason', site.url),
  });
  await expireToken(page);
  await visit('/wallet', 'TraderName');
  await page.getByRole('button', { name: 'About this impersonation' }).click();
  await check('the impersonation banner', 'ActingReason');
  await leave();
});
