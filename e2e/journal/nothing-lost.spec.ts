/** Input in the journal survives every interruption; and a hostile entry does not stop the page. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signUp } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

const journal = (page: Page) => page.getByRole('region', { name: 'Trading Journal' });
const form = (page: Page) => journal(page).getByRole('form', { name: 'New journal entry' });
const editor = (page: Page) => journal(page).getByRole('form', { name: 'Edit journal entry' });
const rows = (page: Page) =>
  journal(page).getByRole('list', { name: 'Journal entries' }).locator(':scope > li');
const content = 'What was the idea, and did you follow it?';

async function open(page: Page, address = '/dashboard#journal'): Promise<void> {
  await page.goto(address);
  await page.locator('#journal').scrollIntoViewIfNeeded();
  await expect(form(page)).toBeVisible();
}

test('A88: what is typed is not lost to a save, to another draft or to a deletion', async ({
  page,
  context,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'keeper');
  await open(page);

  await test.step('input during a save stays and becomes a change', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/\/rest\/v1\/journal_entries\?on_conflict/, async (route) => {
      await answered;
      await route.fallback();
    });
    await form(page).getByLabel('Title').fill('First');
    await form(page).getByLabel(content).fill('Sent.');
    await form(page).getByLabel('Title').press('Control+Enter');
    await form(page).getByLabel(content).fill('Sent. And typed meanwhile.');
    answer();
    await expect(rows(page)).toHaveCount(1);
    await expect(form(page).getByLabel(content)).toHaveValue('Sent. And typed meanwhile.');
    await form(page).getByLabel(content).press('Control+Enter');
    await expect(form(page).getByLabel(content)).toHaveValue('');
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText('And typed meanwhile.');
  });

  await test.step('another draft that is continued changes places with the one in the form', async () => {
    const second = await context.newPage();
    await open(second);
    await form(second).getByLabel('Title').fill('Of the other tab');
    await expect(form(second).getByText('Draft saved')).toBeVisible();
    await second.close();
    await page.reload();
    await form(page).getByLabel('Title').fill('Of this tab');
    await form(page).getByRole('button', { name: 'Continue' }).click();
    await expect(form(page).getByLabel('Title')).toHaveValue('Of the other tab');
    await expect(form(page).getByText('Unsaved draft: Of this tab')).toBeVisible();
    await form(page).getByRole('button', { name: 'Discard', exact: true }).click();
    await form(page).getByRole('button', { name: 'Discard draft' }).click();
  });

  await test.step('a change of an entry that was deleted elsewhere is offered as a new one', async () => {
    await rows(page).getByRole('button', { name: /First/ }).click();
    await rows(page).getByRole('button', { name: 'Edit First' }).click();
    await editor(page).getByLabel('Title').fill('First, with hindsight');
    await expect(editor(page).getByText('Draft saved')).toBeVisible();
    await callApi(page, 'journal_entries?title=eq.First', undefined, 'DELETE');
    await page.reload();
    await expect(form(page).getByText('Unsaved draft: First, with hindsight')).toBeVisible();
    await form(page).getByRole('button', { name: 'Continue' }).click();
    await form(page).getByRole('button', { name: 'Save entry' }).click();
    await expect(rows(page)).toContainText('First, with hindsight');
  });
  expect(errors, 'errors of the page').toEqual([]);
});

test('A87: addresses that lead nowhere, a position that is not one’s own and an entry made to freeze the page', async ({
  page,
}) => {
  const errors = collectErrors(page, /409/);
  await signUp(page, 'hostile', { at: noApp });
  const bombs = { lists: '- '.repeat(10_000), stars: `${'*'.repeat(9_999)}a${'*'.repeat(9_999)}` };
  for (const [title, text] of Object.entries(bombs)) {
    await callApi(page, 'journal_entries', { title, content: text });
  }
  await open(page, '/dashboard?range=x&journal=%00&entry=11111111-1111-4111-8111-111111111111#journal');
  for (const title of Object.keys(bombs)) {
    const row = rows(page).filter({ hasText: title });
    await row.getByRole('button', { name: new RegExp(title) }).click();
    await expect(row.getByText('Shown as plain text')).toBeVisible();
  }
  await open(page, '/dashboard?entry=new&position=11111111-1111-4111-8111-111111111111#journal');
  await expect(form(page).getByRole('button', { name: 'This position cannot be found' })).toBeVisible();
  await form(page).getByLabel('Title').fill('About nothing');
  await form(page).getByLabel(content).fill('It is not there.');
  await form(page).getByRole('button', { name: 'Save entry' }).click();
  await expect(form(page).getByRole('alert')).toBeVisible();
  await form(page).getByRole('button', { name: 'Remove the linked position' }).click();
  await form(page).getByRole('button', { name: 'Save entry' }).click();
  await expect(rows(page).filter({ hasText: 'About nothing' })).toBeVisible();
  expect(errors, 'errors of the page').toEqual([]);
});
