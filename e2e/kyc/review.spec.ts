/** Identity checks from the submission to the decision: by keyboard, with a rejection, a second attempt and two admins at once. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { violationsInThemes } from '../harness/axe.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';
import { submitAttempt } from './attempt.ts';

test.use({ serverFor: 'kyc review' });

const admin = 'admin@fulcrum.local';
const caseOf = (page: Page, username: string) =>
  page.getByRole('dialog', { name: new RegExp(`Identity check of ${username}`) });
const row = (page: Page, username: string) => page.getByRole('button', { name: new RegExp(`^${username}`) });

test('ADMIN-80, KYC-19, KYC-20, KYC-21, KYC-23, KYC-24, A63: rejected by keyboard with reasons, submitted again, approved', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const trader = await ApiUser.register(fulcrum.url, 'amelia_stone');
  await submitAttempt(trader, 'ZX-1');
  await submitAttempt(await ApiUser.register(fulcrum.url, 'zoe_martin'), 'zx 1');

  await signIn(page, admin, { at: '/admin?tab=kyc' });
  await test.step('the list, newest first, with username and email', async () => {
    await expect(page.getByRole('row')).toHaveCount(3);
    await expect(page.getByRole('row').nth(1)).toContainText('zoe_martin@example.test');
    await expect(page.getByRole('row').nth(2)).toContainText('amelia_stone@example.test');
    expect(await violationsInThemes(page)).toEqual([]);
  });

  const opened = caseOf(page, 'amelia_stone');
  await test.step('Enter opens the case, its address too', async () => {
    await row(page, 'amelia_stone').press('Enter');
    await expect(opened.getByRole('heading', { name: /amelia_stone/ })).toBeFocused();
    await expect(opened.getByRole('img', { name: 'Selfie' })).toBeVisible();
    await expect(opened.getByRole('region', { name: 'Also on another account' })).toContainText('zoe_martin');
    await page.reload();
    await expect(opened.getByRole('img')).toHaveCount(3);
  });

  await test.step('a picture is enlarged, moved and rotated by keys, and stays so in another arrangement', async () => {
    const pane = opened.locator('#kyc-pane-document_back');
    await page.keyboard.press('2');
    await expect(pane).toBeFocused();
    for (const key of ['+', '+', 'ArrowRight', 'r', 'r', 'Shift+R']) await page.keyboard.press(key);
    await expect(pane).toHaveAttribute('data-scale', '1.56');
    await expect(pane).toHaveAttribute('data-quarters', '1');
    await opened.getByRole('radio', { name: 'One at a time' }).press('Space');
    await expect(opened.getByRole('img')).toHaveCount(1);
    await expect(pane).toHaveAttribute('data-scale', '1.56');
    await opened.getByRole('radio', { name: 'All three', exact: true }).press('Space');
    await expect(pane).toHaveAttribute('data-quarters', '1');
    await pane.press('0');
    await expect(pane).toHaveAttribute('data-scale', '1.00');
  });

  await test.step('A does not approve an unjudged check; X leads to the reasons, then to the dialog', async () => {
    await page.keyboard.press('a');
    await expect(opened.getByRole('alert')).toContainText('needs all three documents accepted');
    await expect(opened.getByRole('radio', { name: 'Accept ID card, front' })).toBeFocused();
    await page.keyboard.press('Space');
    const refuse = opened.getByRole('radio', { name: 'Refuse ID card, back' });
    await refuse.press('Space');
    await page.keyboard.press('x');
    const blurry = opened.getByRole('checkbox', { name: 'Blurry' });
    await expect(blurry).toBeFocused();
    await page.keyboard.press('Space');
    await opened.getByLabel('Blurry (ID card, back)').fill('Please take the back again in daylight.');
    await opened.getByLabel('Private note').fill('Second look needed');
    await opened.getByRole('radio', { name: /Reject, ask for new documents/ }).press('Space');
    expect(await violationsInThemes(page)).toEqual([]);
    await page.keyboard.press('x');
    const question = page.getByRole('dialog', { name: 'Reject amelia_stone?' });
    await expect(question.getByRole('button', { name: 'Yes, reject' })).toBeFocused();
    await page.keyboard.press('Enter');
  });

  await test.step('the next case opens, and the trader learns why', async () => {
    await expect(caseOf(page, 'zoe_martin').getByRole('heading', { name: /zoe_martin/ })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(row(page, 'zoe_martin')).toBeFocused();
    await expect(row(page, 'amelia_stone')).toHaveCount(0);
    const { body } = await trader.ask('kyc_verifications?select=*');
    expect(body).toMatchObject([
      {
        status: 'rejected',
        reject_type: 'retry',
        reasons: [{ code: 'blurry', text: 'Please take the back again in daylight.' }],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('Second look needed');
  });

  await test.step('a decided case is read, not changed', async () => {
    await page.getByRole('radio', { name: 'Rejected' }).press('Space');
    await row(page, 'amelia_stone').press('Enter');
    await expect(opened.getByText('Second look needed')).toBeVisible();
    await expect(opened.getByText('Please take the back again in daylight.')).toBeVisible();
    await expect(opened.getByRole('button', { name: /Approve|Reject/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('the second attempt is approved', async () => {
    await submitAttempt(trader, 'ZX-1');
    await page.goto('/admin?tab=kyc');
    await row(page, 'amelia_stone').press('Enter');
    await expect(opened.getByText('Attempt 1 rejected')).toBeVisible();
    for (const title of ['ID card, front', 'ID card, back', 'Selfie']) {
      await opened.getByRole('radio', { name: `Accept ${title}` }).press('Space');
    }
    await page.keyboard.press('a');
    await page
      .getByRole('dialog', { name: 'Approve amelia_stone?' })
      .getByRole('button', { name: 'Yes, approve' })
      .press('Enter');
    await expect(caseOf(page, 'zoe_martin')).toBeVisible();
    expect((await trader.ask('users?select=kyc_status')).body).toEqual([{ kyc_status: 'verified' }]);
  });
  expect(errors).toEqual([]);
});

test('KYC-22: a new submission appears by itself; the queue is searched, ordered, and warns of a minor', async ({
  page,
  fulcrum,
}) => {
  await signIn(page, admin, { at: '/admin?tab=kyc' });
  await expect(page.getByRole('heading', { name: 'Identity checks' })).toBeVisible();
  await expect(row(page, 'late_arrival')).toHaveCount(0);
  await submitAttempt(await ApiUser.register(fulcrum.url, 'late_arrival'), 'LA-1');
  await expect(row(page, 'late_arrival')).toBeVisible();
  const year = new Date().getUTCFullYear() - 15;
  await submitAttempt(await ApiUser.register(fulcrum.url, 'tim_young'), 'TY-1', {
    date_of_birth: `${year}-01-01`,
  });
  await expect(row(page, 'tim_young')).toBeVisible();

  await test.step('the oldest first, which this browser keeps, and only what is searched', async () => {
    const rows = page.getByRole('table', { name: /^Identity checks/ }).getByRole('row');
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first');
    await expect(rows.last()).toContainText('tim_young');
    await page.reload();
    await expect(rows.last()).toContainText('tim_young');
    await page.getByRole('searchbox', { name: 'Search identity checks' }).fill('YOUNG');
    await expect(rows).toHaveCount(2);
    await expect(page).toHaveURL(/q=YOUNG/);
    await expect(page.getByRole('status').filter({ hasText: '1 pending' })).toBeVisible();
    await expect(rows.last()).toContainText('15 years old');
    await page.getByRole('combobox', { name: 'Document' }).selectOption('Passport');
    await expect(page.getByText('No checks match these filters')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(row(page, 'late_arrival')).toBeVisible();
  });

  await test.step('a minor is named in red and rejected by default; the opened case is claimed', async () => {
    await row(page, 'tim_young').click();
    const opened = caseOf(page, 'tim_young');
    await expect(opened.getByText('15 years old, below 18')).toBeVisible();
    await expect(opened.getByRole('radio', { name: /Reject, final/ })).toBeChecked();
    await expect(opened.getByLabel('Below the least age', { exact: true }).first()).toBeVisible();
    const claim = opened.getByRole('region', { name: 'Claim' });
    await expect(claim).toContainText(/Claimed by You, (10:00|9:5\d)/);
    await claim.getByRole('button', { name: 'Renew' }).click();
    await page.keyboard.press('Escape');
    await expect(row(page, 'tim_young')).toBeFocused();
  });
});

test('A63: the second of two admins sees the decision and who made it', async ({
  page,
  browser,
  fulcrum,
}) => {
  await submitAttempt(await ApiUser.register(fulcrum.url, 'john_doe'), 'JD-77');
  await signIn(page, admin, { at: noApp });
  await callApi(page, 'rpc/admin_create_user', {
    p_email: 'second_admin@example.test',
    p_username: 'second_admin',
    p_password: 'first-trade-9',
    p_role: 'admin',
    p_current_password: 'fulcrum-demo',
  });
  const context = await browser.newContext();
  const second = await context.newPage();
  await signIn(second, 'second_admin@example.test', { password: 'first-trade-9', at: noApp });
  for (const reviewer of [page, second]) {
    await reviewer.goto('/admin?tab=kyc');
    await row(reviewer, 'john_doe').click();
    await expect(caseOf(reviewer, 'john_doe').getByRole('img')).toHaveCount(3);
    for (const accept of await caseOf(reviewer, 'john_doe')
      .getByRole('radio', { name: /^Accept/ })
      .all()) {
      await accept.check();
    }
    await caseOf(reviewer, 'john_doe').getByRole('button', { name: 'Approve' }).click();
  }
  // The first one holds the claim; it is a notice, and one press takes it over.
  const claim = caseOf(second, 'john_doe').getByRole('region', { name: 'Claim' });
  await second.getByRole('button', { name: 'Back' }).click();
  await expect(claim).toContainText(/Claimed by demo_admin, \d+:\d\d/);
  await claim.getByRole('button', { name: 'Take over' }).click();
  await expect(claim).toContainText('Claimed by You');
  await caseOf(second, 'john_doe').getByRole('button', { name: 'Approve' }).click();
  await second.getByRole('button', { name: 'Yes, approve' }).click();
  await expect(caseOf(second, 'john_doe')).toBeHidden();
  await page.getByRole('button', { name: 'Yes, approve' }).click();
  const lost = caseOf(page, 'john_doe');
  await expect(lost.getByRole('alert')).toContainText('Someone else changed this in the meantime.');
  await expect(lost.getByRole('alert')).toContainText('Approved by second_admin');
  await expect(lost.getByRole('button', { name: /Approve|Reject/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(row(page, 'john_doe')).toHaveCount(0);

  await test.step('while the second one has claimed the others, not all is done', async () => {
    interface Queue {
      readonly checks: readonly { readonly id: string }[];
    }
    await submitAttempt(await ApiUser.register(fulcrum.url, 'claimed_check'), 'CC-1');
    const { checks } = await callApi<Queue>(second, 'rpc/list_kyc_checks', { p_status: 'pending' });
    for (const { id } of checks) await callApi(second, 'rpc/claim_kyc', { p_id: id, p_take_over: true });
    await submitAttempt(await ApiUser.register(fulcrum.url, 'free_check'), 'FC-1');
    await row(page, 'free_check').click();
    const free = caseOf(page, 'free_check');
    await expect(free.getByText('The others are claimed')).toBeVisible();
    await expect(free.getByRole('img')).toHaveCount(3);
    for (const accept of await free.getByRole('radio', { name: /^Accept/ }).all()) await accept.check();
    await free.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Yes, approve' }).click();
    await expect(page.getByText('free_check approved', { exact: true }).first()).toBeVisible();
    await expect(free).toBeHidden();
  });
  await context.close();
});
