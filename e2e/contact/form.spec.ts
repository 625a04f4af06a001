/** The public form. The server limits submissions per address, so few are really sent. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const submit = (page: Page) => page.getByRole('button', { name: 'Send Message' });
const fill = async (page: Page) => {
  await field(page, 'Name').fill('Zoe Martin');
  await field(page, 'Email').fill('zoe@example.test');
  await field(page, 'Subject').fill('A question');
  await field(page, 'Message').fill('How do I begin?\nYours, Zoe');
};

test('PUB-09, CONT-02, CONT-03, CONT-05, CONT-06, CONT-07, CONT-08, CONT-09, CONT-12, CONT-13, CONT-14: a visitor writes', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await page.goto('/contact');
  await expect(page.getByRole('heading', { name: 'Send us a message' })).toBeVisible();
  for (const name of ['Name', 'Email', 'Subject', 'Message']) {
    await expect(field(page, name)).toHaveAttribute('required', '');
  }
  await expect(page.getByText('All fields are required.')).toBeVisible();

  await submit(page).click();
  for (const [name, text] of [
    ['Name', 'Name is required'],
    ['Email', 'Valid email is required'],
    ['Subject', 'Subject is required'],
    ['Message', 'Message is required'],
  ] as const) {
    await expect(field(page, name)).toHaveAccessibleDescription(text);
  }
  await expect(field(page, 'Name')).toBeFocused();
  await fill(page);
  await field(page, 'Email').fill('zoe');
  await submit(page).click();
  await expect(field(page, 'Email')).toBeFocused();
  await expect(page.getByText('Valid email is required')).toBeVisible();
  await expect(page.getByText('Name is required')).toBeHidden();
  await field(page, 'Email').fill('zoe@example.test');
  await expect(page.getByText('Valid email is required')).toBeHidden();

  // Near the limit the characters are counted, and nothing is cut.
  await field(page, 'Subject').fill('x'.repeat(201));
  await expect(page.getByText('201 of 200 characters')).toBeVisible();
  await submit(page).click();
  await expect(field(page, 'Subject')).toHaveAccessibleDescription('Subject must be at most 200 characters');
  await field(page, 'Subject').fill('A question');

  // The draft is there after a reload.
  await page.reload();
  await expect(field(page, 'Message')).toHaveValue('How do I begin?\nYours, Zoe');
  const sent = page.waitForRequest((request) => request.url().endsWith('/rest/v1/contact_forms'));
  await submit(page).dblclick();
  const request = await sent;
  expect(request.headers()['x-application-name']).toBe('fulcrum');
  expect(request.postDataJSON()).toMatchObject({
    name: 'Zoe Martin',
    email: 'zoe@example.test',
    subject: 'A question',
    message: 'How do I begin?\nYours, Zoe',
    status: 'new',
  });
  await expect(page.getByRole('heading', { name: 'Message Sent!' })).toBeFocused();
  await expect(page.getByText("Thank you for contacting us. We'll get back to you soon.")).toBeVisible();
  await expect(submit(page)).toBeHidden();
  expect(fetched.filter((url) => url.endsWith('/rest/v1/contact_forms'))).toHaveLength(1);
  // This page carries no client.
  expect(fetched.filter((url) => /\/assets\/client-/.test(url))).toEqual([]);

  await page.getByRole('button', { name: 'Send Another Message' }).click();
  await expect(field(page, 'Subject')).toBeFocused();
  await expect(field(page, 'Message')).toHaveValue('');
  await expect(field(page, 'Name')).toHaveValue('Zoe Martin');
  expect(errors).toEqual([]);
});

test('CONT-15, ERR-65: a failure is shown and the input stays; the next try is the same message', async ({
  page,
}) => {
  await page.goto('/contact');
  await fill(page);
  const ids: unknown[] = [];
  let answered: 'lost' | 'full' = 'lost';
  await page.route('**/rest/v1/contact_forms', async (route) => {
    ids.push(route.request().postDataJSON().client_id);
    if (answered === 'lost') return route.abort();
    return route.fulfill({
      status: 429,
      json: {
        code: 'too_many_attempts',
        message: 'Too many attempts. Please try again in 60 seconds.',
        details: null,
        hint: null,
      },
    });
  });
  await submit(page).click();
  await expect(page.getByRole('alert').getByText('Failed to submit form')).toBeVisible();
  await expect(field(page, 'Message')).toHaveValue('How do I begin?\nYours, Zoe');
  answered = 'full';
  await submit(page).click();
  await expect(page.getByText('Too many attempts. Please try again in 60 seconds.')).toBeVisible();
  await field(page, 'Message').fill('Another text');
  await submit(page).click();
  await expect.poll(() => ids.length).toBe(3);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[1]);
  await page.unroute('**/rest/v1/contact_forms');
  await submit(page).click();
  await expect(page.getByRole('heading', { name: 'Message Sent!' })).toBeVisible();
});

test('the honeypot field is out of reach of users; a program that fills it in gets the usual answer', async ({
  page,
}) => {
  await page.goto('/contact');
  await expect(page.getByRole('textbox')).toHaveCount(4);
  await field(page, 'Name').focus();
  for (const name of ['Email', 'Subject', 'Message']) {
    await page.keyboard.press('Tab');
    await expect(field(page, name)).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(submit(page)).toBeFocused();
  await fill(page);
  await page.locator('input[name=website]').evaluate((input) => {
    (input as unknown as { value: string }).value = 'https://spam.test';
  });
  await submit(page).click();
  await expect(page.getByRole('heading', { name: 'Message Sent!' })).toBeVisible();
});

test('CONT-04: a signed-in user finds their name and email there, and may change them', async ({ page }) => {
  await signUp(page, 'writer', { at: '/contact' });
  await expect(field(page, 'Name')).toHaveValue('writer');
  await expect(field(page, 'Email')).toHaveValue('writer@example.test');
  await field(page, 'Name').fill('Other User');
  await field(page, 'Subject').fill('Signed in');
  await field(page, 'Message').fill('From my account.');
  const sent = page.waitForRequest((request) => request.url().includes('/rest/v1/contact_forms'));
  await submit(page).click();
  expect((await sent).headers().authorization).toMatch(/^Bearer ey/);
  await expect(page.getByRole('heading', { name: 'Message Sent!' })).toBeVisible();
});
