/** A trader's identity check, from the empty form to the banner, with a real server behind it. */
import { deflateSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { themes, violations } from '../harness/axe.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, impersonate, noApp, signIn, signUp } from '../harness/session.ts';
import { collectErrors, setTheme } from '../harness/steps.ts';
import { submitAttempt } from './attempt.ts';

const pictures = ['Document front', 'Document back', 'Selfie'] as const;
type Picture = (typeof pictures)[number];

const openTab = (page: Page) => page.goto('/profile?tab=kyc');
const form = (page: Page) => page.getByRole('form', { name: 'Verification' });
const banner = (page: Page) =>
  page.getByRole('tabpanel', { name: 'KYC Verification' }).getByRole('status').first();
const picker = (page: Page, name: Picture) => page.getByRole('group', { name, exact: true });
const fileOf = (page: Page, name: Picture) => picker(page, name).locator('input[type=file]').first();
const send = (page: Page) => page.getByRole('button', { name: 'Submit for verification' });

async function fillIn(page: Page, firstName = 'Ada'): Promise<void> {
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Date of birth').fill('1990-04-23');
  await page.getByLabel('Country').selectOption('United Kingdom');
  await page.getByLabel('Address').fill('12 St James’s Square');
  await page.getByLabel('City').fill('London');
  await page.getByLabel('Postal code').fill('SW1Y 4JH');
  await page.getByLabel('Document type').selectOption('Passport');
  await page.getByLabel('Document number').fill('123 456-789');
}

async function useSamples(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use sample images' }).click();
  for (const name of pictures)
    await expect(page.getByRole('img', { name: `${name}, as chosen` })).toBeVisible();
}

/** A true PNG of one colour. */
function png(colour: readonly [number, number, number], width = 1000, height = 630): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const framed = Buffer.alloc(named.length + 8);
    framed.writeUInt32BE(body.length, 0);
    named.copy(framed, 4);
    framed.writeUInt32BE(crc(named), named.length + 4);
    return framed;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.concat(Array.from({ length: width }, () => Buffer.from(colour))),
  ]);
  const lines = Buffer.concat(Array.from({ length: height }, () => row));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const body = deflateSync(lines);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))]);
}
function crc(bytes: Buffer): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}
const asFile = (buffer: Buffer, name = 'picture.png', mimeType = 'image/png') => ({ name, mimeType, buffer });

async function expectNoViolations(page: Page): Promise<void> {
  for (const [theme, rules] of Object.entries(themes)) {
    await setTheme(page, theme);
    // Colours have transitions; axe needs the final ones.
    await page
      .locator('html')
      .evaluate((html) =>
        Promise.all(html.ownerDocument.getAnimations().map((one: { finished: unknown }) => one.finished)),
      );
    expect(await violations(page, rules), theme).toEqual([]);
  }
}

const errorAt = (field: Locator, text: string) => expect(field).toHaveAccessibleDescription(text);

test('KYC-01, KYC-06, KYC-07, KYC-09, KYC-10, ERR-45: missing or wrong fields are marked, and nothing is sent', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'kyc_errors', { at: noApp });
  await openTab(page);
  await expect(banner(page)).toContainText('Not verified');
  await expect(form(page).getByText('Simulation: do not upload real documents')).toBeVisible();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await send(page).click();
  await expect(page.getByLabel('First name')).toBeFocused();
  for (const field of [
    'First name',
    'Last name',
    'Date of birth',
    'Country',
    'Address',
    'City',
    'Postal code',
    'Document type',
    'Document number',
  ]) {
    await errorAt(page.getByLabel(field), `${field} is required`);
  }
  await expect(form(page).getByText('Please upload all required documents')).toBeVisible();
  await expectNoViolations(page);

  await fillIn(page);
  await page.getByLabel('Date of birth').fill('2990-01-01');
  await send(page).click();
  await expect(page.getByLabel('Date of birth')).toBeFocused();
  await errorAt(page.getByLabel('Date of birth'), 'Date of birth must be in the past');
  await page.getByLabel('Date of birth').fill('1990-04-23');
  await send(page).click();
  await expect(page.getByRole('button', { name: 'Choose document front' })).toBeFocused();

  const front = picker(page, 'Document front');
  const refused = 'Please choose a JPEG, PNG or WebP image of at most 10 MB.';
  await fileOf(page, 'Document front').setInputFiles(asFile(Buffer.from('<svg/>'), 'a.jpg', 'image/jpeg'));
  await expect(front.getByText(refused)).toBeVisible();
  const large = Buffer.concat([png([1, 2, 3]), Buffer.alloc(10 * 1024 * 1024)]);
  await fileOf(page, 'Document front').setInputFiles(asFile(large));
  await expect(front.getByText(refused)).toBeVisible();
  const damaged = png([1, 2, 3]).subarray(0, 60);
  await fileOf(page, 'Document front').setInputFiles(asFile(damaged));
  await expect(front.getByText('This picture cannot be opened. It may be damaged.')).toBeVisible();

  await fileOf(page, 'Document front').setInputFiles(asFile(png([10, 20, 30])));
  await expect(front.getByRole('img', { name: 'Document front, as chosen' })).toBeVisible();
  await fileOf(page, 'Document back').setInputFiles(asFile(png([10, 20, 30])));
  await expect(picker(page, 'Document back')).toContainText(
    'This is the picture you chose for document front.',
  );
  // One that is refused leaves the one before in its place.
  await fileOf(page, 'Document front').setInputFiles(asFile(Buffer.from('GIF89a'), 'a.gif', 'image/gif'));
  await expect(front.getByText(refused)).toBeVisible();
  await expect(front.getByRole('img')).toBeVisible();
  await front.getByRole('button', { name: 'Remove document front' }).click();
  await expect(front.getByRole('img')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Choose document front' })).toBeFocused();
  expect(sent.filter((url) => /storage|kyc_verifications/.test(url))).toEqual([]);
  expect(errors).toEqual([]);
});

test('KYC-02, KYC-04, KYC-11 … KYC-15: a draft survives a reload, the sample images go up, and both tabs show the pending banner', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'kyc_sample', { at: noApp });
  await openTab(page);
  await fillIn(page, 'Augusta');
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  await expect(page.getByLabel('Country')).toHaveValue('United Kingdom');
  await expect(form(page).getByText('Draft restored')).toBeVisible();
  const second = await page.context().newPage();
  await openTab(second);
  await expect(second.getByLabel('First name')).toHaveValue('Augusta');

  await page.getByLabel('City').fill('');
  await useSamples(page);
  await test.step('the sample fills what is blank, and keeps what was typed', async () => {
    await expect(page.getByLabel('City')).toHaveValue('Sampletown');
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  });
  // Pictures stay while another tab of the page, or another page, is shown.
  await page.getByRole('tab', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Wallet' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeVisible();
  await page.goBack();
  await page.getByRole('tab', { name: 'KYC Verification' }).click();
  await expect(page.getByRole('img', { name: 'Selfie, as chosen' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Steps of the verification' })).toContainText('3 of 3');
  await expectNoViolations(page);

  await send(page).click();
  await expect(banner(page)).toContainText('Verification pending');
  await expect(form(page)).toHaveCount(0);
  await expect(banner(second)).toContainText('Verification pending');
  await expect(form(second)).toHaveCount(0);
  const rows = await callApi<Record<string, unknown>[]>(
    page,
    'kyc_verifications?select=first_name,status,user_id,document_front_url,document_back_url,selfie_url',
  );
  expect(rows).toHaveLength(1);
  const [row = {}] = rows;
  expect(row).toMatchObject({ first_name: 'Augusta', status: 'pending' });
  expect(row.document_front_url).toBe(`${row.user_id}/document_front.jpg`);
  expect(row.document_back_url).toBe(`${row.user_id}/document_back.jpg`);
  expect(row.selfie_url).toBe(`${row.user_id}/selfie.jpg`);
  const [user] = await callApi<{ kyc_status: string }[]>(page, 'users?select=kyc_status');
  expect(user?.kyc_status).toBe('pending');
  await page.reload();
  await expect(banner(page)).toContainText('Verification pending');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('kyc')))).toEqual(
    [],
  );
});

test('KYC-16, ERR-46: a failed upload removes no other picture, a cancelled one can be sent again, and a lost answer causes no second attempt', async ({
  page,
}) => {
  await signUp(page, 'kyc_trouble', { at: noApp });
  await openTab(page);
  await fillIn(page);
  for (const [index, name] of pictures.entries()) {
    await fileOf(page, name).setInputFiles(asFile(png([index * 40, 90, 120])));
    await expect(picker(page, name).getByRole('img')).toBeVisible();
  }

  // Cancelled while it is on its way.
  let sentUploads = 0;
  await page.route('**/storage/v1/object/kyc-documents/**', () => {
    // No answer comes.
    sentUploads += 1;
  });
  await send(page).click();
  await expect(page.getByRole('progressbar', { name: 'Upload of selfie' })).toBeVisible();
  await expect.poll(() => sentUploads).toBe(3);
  await expect(page.getByLabel('First name')).toBeDisabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(send(page)).toBeVisible();
  await expect(page.getByLabel('First name')).toBeEnabled();

  // One of three breaks off.
  await page.unroute('**/storage/v1/object/kyc-documents/**');
  const uploaded: string[] = [];
  page.on('requestfinished', (request) => {
    const [, picture] = /kyc-documents\/[^/]+\/(\w+)\.jpg/.exec(request.url()) ?? [];
    if (picture !== undefined) uploaded.push(picture);
  });
  await page.route('**/document_back.jpg', (route) => route.abort());
  await send(page).click();
  await expect(form(page).getByText('Failed to submit KYC verification')).toBeVisible();
  await expect(picker(page, 'Document back')).toContainText(
    'The upload was interrupted. Check your connection and try again.',
  );
  await expect(picker(page, 'Document front')).toContainText('Uploaded');
  for (const name of pictures) await expect(picker(page, name).getByRole('img')).toBeVisible();

  // The answer to the row is lost, the row is not.
  await page.unroute('**/document_back.jpg');
  let inserts = 0;
  await page.route('**/rest/v1/kyc_verifications*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    inserts += 1;
    if (inserts > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  // Other announcements to the page are held back, so that the user tries again.
  await page.route('**/rest/v1/kyc_verifications?select*', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.fallback(),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(form(page).getByText('Failed to submit KYC verification')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(banner(page)).toContainText('Verification pending');
  expect(inserts).toBe(2);
  expect(uploaded).toHaveLength(3);
  expect(new Set(uploaded).size).toBe(3);
  await page.unrouteAll();
  expect(await callApi<unknown[]>(page, 'kyc_verifications?select=attempt')).toEqual([{ attempt: 1 }]);
});

test('KYC-02, KYC-03, A45, A56: after a rejection the reasons are above the form; an impersonation shows nothing of it', async ({
  browser,
  page,
  fulcrum,
}) => {
  const user = await ApiUser.register(fulcrum.url, 'kyc_again');
  await signIn(page, 'kyc_again@example.test', { password: 'first-trade' });
  const context = await browser.newContext({ baseURL: fulcrum.url });
  const staff = await context.newPage();
  await signIn(staff, 'admin@fulcrum.local', { at: noApp });
  const reasons = [
    { document: 'selfie', code: 'blurry', text: 'The picture is blurred.' },
    { document: null, code: 'name_differs', text: 'The name differs from the one on the document.' },
  ];
  for (const [rejectType, text] of [
    ['retry', 'Please submit new documents'],
    ['final', 'Your verification was declined. Please contact support.'],
  ] as const) {
    await submitAttempt(user, 'KA-1');
    await openTab(page);
    await expect(banner(page)).toContainText('Verification pending');
    // Other journeys test the review itself.
    const [attempt] = await callApi<{ id: string; version: number }[]>(
      staff,
      `kyc_verifications?select=id,version&status=eq.pending&user_id=eq.${user.id}`,
    );
    await callApi(staff, 'rpc/review_kyc', {
      p_id: attempt?.id,
      p_decision: 'rejected',
      p_version: attempt?.version,
      p_reject_type: rejectType,
      p_reasons: reasons,
    });
    await expect(banner(page)).toContainText(text);
    const list = banner(page).getByRole('list', { name: 'What was wrong' });
    await expect(list.getByRole('listitem')).toHaveText([
      'Selfie: The picture is blurred.',
      'Your submission: The name differs from the one on the document.',
    ]);
    if (rejectType === 'retry') {
      await expect(page.getByLabel('Last name')).toHaveValue('Stone');
      await expectNoViolations(page);
    } else {
      await expect(form(page)).toHaveCount(0);
      await expect(banner(page).getByRole('link', { name: 'Contact support' })).toBeVisible();
    }
  }

  await impersonate(staff, 'kyc_again');
  await openTab(staff);
  await expect(staff.getByText('Identity checks are not available during impersonation.')).toBeVisible();
  await expect(form(staff)).toHaveCount(0);
  await context.close();
});
