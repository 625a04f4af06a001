/** How a class comes in: an invitation with its QR code, a file of users with links, and a closed door. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverEnv: { REGISTRATION: 'invited', REGISTRATION_DOMAINS: 'school.test' } });

test('A117: an invitation brings a user in, and a file of users brings the rest, with links to choose a password', {
  tag: '@core',
}, async ({ page, browser, fulcrum }) => {
  const errors = collectErrors(page);
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users' });
  await page.getByRole('link', { name: 'Invite or import' }).click();
  await expect(page.getByRole('heading', { name: 'Enrolment', level: 1 })).toBeVisible();
  await expect(page.getByText('Who registers needs an invitation.')).toBeVisible();

  await page.getByRole('button', { name: 'New invitation' }).click();
  const form = page.getByRole('dialog', { name: 'New invitation' });
  await form.getByLabel('Registrations').fill('0');
  await form.getByRole('button', { name: 'Create invitation' }).click();
  await expect(form.getByText('Type a whole number from 1 to 10000.')).toBeVisible();
  await form.getByLabel('Registrations').fill('2');
  await form.getByLabel('Start balance, USDT').fill('2500');
  await form.getByLabel('Note').fill('Autumn');
  await form.getByRole('button', { name: 'Create invitation' }).click();
  const shown = page.getByRole('dialog', { name: 'Invitation', exact: true });
  await expect(shown.getByRole('img', { name: /^QR code of .*\/register\?code=/ })).toBeVisible();
  const code = (await shown.getByText(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/).textContent()) ?? '';
  await shown.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: code });
  await expect(row).toContainText('0 of 2');

  const student = await (await browser.newContext()).newPage();
  await student.goto(`${fulcrum.url}/register`);
  await student.getByLabel('Invitation code').fill('ABCDE-01234');
  await expect(student.getByText('This invitation is not valid, used up or has expired.')).toBeVisible();
  await student.goto(`${fulcrum.url}/register?code=${code}`);
  await expect(student.getByText('The invitation is valid: you start with 2,500.00 USDT.')).toBeVisible();
  await student.getByLabel('Email').fill('kira@school.test');
  await student.getByLabel('Username').fill('kira_invited');
  await student.getByLabel('Phone number').fill('+12345678900');
  await student.getByRole('textbox', { name: 'Password', exact: true }).fill('kira-is-here');
  await student.getByRole('textbox', { name: 'Confirm password' }).fill('kira-is-here');
  await student.getByRole('button', { name: 'Create account' }).click();
  await expect(student).toHaveURL(/\/dashboard$/);
  await student.context().close();

  const lines = [
    'email;username',
    'leo@school.test;leo_imported',
    'mia@school.test;',
    'kira@school.test;',
    ';x',
  ];
  await page
    .getByLabel('File of users')
    .setInputFiles({ name: 'class.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  const section = page.getByRole('region', { name: 'Import users' });
  await expect(section.getByRole('status')).toHaveText(
    'class.csv: 4 rows, 1 refused, 1 exists, 2 new. The new users begin with 20,000.00 USDT in all.',
  );
  await expect(section.getByRole('row').nth(1)).toContainText('Email is required');
  await section.getByText('As one file for me').click();
  await section.getByRole('button', { name: 'Create 2 users' }).click();
  await expect(section.getByRole('status')).toHaveText('class.csv: 4 rows, 1 refused, 1 exists, 2 created.');

  await test.step('the links stay with their import until they are downloaded', async () => {
    const choose = (name: string, text: string) =>
      page
        .getByLabel('File of users')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    const links = section.getByRole('list', { name: 'Links to choose a password' }).getByRole('listitem');
    await choose('wrong.csv', 'mail\nx@school.test');
    await expect(section.getByText(/^wrong\.csv: The column "mail" is unknown\./)).toBeVisible();
    await expect(links).toHaveText(/^class\.csv: 2 links to choose a password\. In this tab only:/);
    await choose('second.csv', 'email\nnoah@school.test');
    await expect(section.getByRole('status')).toHaveText(/^second\.csv: 1 row, 1 new\./);
    await page.getByRole('link', { name: 'Classes' }).click();
    await page.getByRole('link', { name: 'Enrolment' }).click();
    await expect(section.getByText('No file chosen')).toBeVisible();
    await expect(links).toHaveCount(1);
    const question = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    const leaving = await question;
    expect(leaving.type()).toBe('beforeunload');
    await leaving.dismiss();
    await section.getByRole('button', { name: 'Dismiss the links of class.csv' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await expect(links).toHaveCount(1);
  });

  const download = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Download 2 links' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  const [, link = ''] = /^leo@school\.test,(\S+)/m.exec(file) ?? [];

  const leo = await (await browser.newContext()).newPage();
  await leo.goto(link);
  await leo.getByRole('textbox', { name: 'New password', exact: true }).fill('leo-chose-this');
  await leo.getByRole('textbox', { name: 'Confirm' }).fill('leo-chose-this');
  await leo
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await expect(leo).toHaveURL(/\/login/);
  await leo.getByLabel('Email').fill('leo@school.test');
  await leo.getByRole('textbox', { name: 'Password' }).fill('leo-chose-this');
  await leo.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(leo).toHaveURL(/\/dashboard$/);
  await leo.context().close();

  await page.reload();
  await expect(row).toContainText('1 of 2');
  const late = await (await browser.newContext()).newPage();
  await late.goto(`${fulcrum.url}/register?code=${code}`);
  await expect(late.getByText(/^The invitation is valid/)).toBeVisible();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click();
  await expect(row).toContainText('Revoked');
  await late.getByLabel('Email').fill('late@school.test');
  await late.getByLabel('Username').fill('late_invited');
  await late.getByLabel('Phone number').fill('+12345678900');
  await late.getByRole('textbox', { name: 'Password', exact: true }).fill('late-is-here');
  await late.getByRole('textbox', { name: 'Confirm password' }).fill('late-is-here');
  await late.getByRole('button', { name: 'Create account' }).click();
  await expect(late.getByRole('alert')).toContainText(
    'This invitation is not valid, used up or has expired.',
  );
  await expect(late.getByText(/^The invitation is valid/)).toBeHidden();
  expect(errors).toEqual([]);
});

test('A117: a closed server explains itself', async ({ page }) => {
  await page.route('**/config.json', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      json: { ...(await answer.json()), registration: 'closed', contactEmail: 'it@school.test' },
    });
  });
  await page.goto('/register');
  await expect(page.getByRole('status')).toContainText('Registration is closed.');
  await expect(page.getByRole('link', { name: 'it@school.test' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create account' })).toBeHidden();
});
