/** A challenge from its creation to its verdict, for an admin and a trader. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { hourMs } from '@fulcrum/domain';
import { childEnv } from '../../apps/server/test/harness/child-env.ts';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { traderPassword } from '../harness/passwords.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors, expectToFit } from '../harness/steps.ts';

test.use({ serverFor: 'challenges' });

const verifyCertificate = fileURLToPath(new URL('../../scripts/verify-certificate.ts', import.meta.url));

test('A112: an admin makes a challenge of two steps, a trader starts it, passes one step and breaks a limit of the next', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  await signIn(page, 'admin@fulcrum.local', { at: '/admin/contests' });
  await expect(page.getByText('No challenges now')).toBeVisible();
  await page.getByRole('button', { name: 'New challenge' }).click();
  const form = page.getByRole('dialog', { name: 'New challenge' });
  await form.getByLabel('Maximum loss, %').fill('0');
  await form.getByRole('button', { name: 'Create challenge' }).click();
  await expect(form.getByText('Give the challenge a name.')).toBeVisible();
  await expect(form.getByText('Type per cent up to 100, such as 5.')).toBeVisible();
  await form.getByLabel('Name', { exact: true }).fill('Two steps');
  // Any gain passes the first step; the cost of opening breaks the limit of the second.
  await form.getByLabel('Profit target, %').fill('0.01');
  await form.getByLabel('Maximum loss, %').fill('50');
  await form.getByLabel('Daily loss, %').fill('');
  await form.getByLabel('Least trading days').fill('0');
  await form.getByLabel('Attempts of a trader').fill('2');
  await form.getByRole('button', { name: 'Add a step' }).click();
  const second = form.getByRole('group', { name: 'Step 2' });
  await second.getByLabel('Profit target, %').fill('20');
  await second.getByLabel('Maximum loss, %').fill('0.01');
  await second
    .getByLabel('Floor of the maximum loss')
    .selectOption('Trailing the highest equity, open gains too');
  await form.getByRole('button', { name: 'Create challenge' }).click();
  const view = page.getByRole('region', { name: 'Two steps' });
  await expect(view.getByText('0.01 % below the highest equity')).toBeVisible();
  await expect(view.getByText('No attempts yet')).toBeVisible();
  await expectToFit(page, [320, 1440]);

  const zoe = await ApiUser.register(fulcrum.url, 'challenge_zoe');
  await signIn(page, `${zoe.username}@example.test`, { password: traderPassword, at: '/contests' });
  await page.getByRole('button', { name: 'Show Two steps' }).click();
  await view.getByRole('button', { name: 'Start attempt' }).click();
  const start = page.getByRole('dialog', { name: 'Start Two steps?' });
  await expect(start.getByText('This is attempt 1 of 2.')).toBeVisible();
  await start.getByRole('button', { name: 'Start attempt' }).click();
  const attempt = view.getByRole('article', { name: 'Attempt 1' });
  await expect(attempt.getByText('0.00 of 1.00 USDT')).toBeVisible();
  await expect(attempt.getByText('5,000.00 above 5,000.00 USDT')).toBeVisible();
  await expectToFit(page, [320, 1440]);

  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const move = (p_percent: number) =>
    admin.call('shock_price', { p_symbol: 'DOGEUSDT', p_percent, p_reason: 'A journey' });
  const inAccountOf = async (ending: string): Promise<ApiUser> => {
    const accounts = await zoe.call<{ id: string; name: string }[]>('list_accounts', {});
    return zoe.inAccount(accounts.find(({ name }) => name.endsWith(ending))?.id ?? '');
  };
  const order = { p_symbol: 'DOGEUSDT', p_side: 'BUY', p_size: 5000, p_leverage: 10 };
  const inFirst = await inAccountOf('#1');
  const { id } = await inFirst.call<{ id: string }>('open_position', order);
  await move(5);
  // The move is in the price, and the open gain passes nothing.
  await expect(attempt.getByText(/^5,(0[2-9]|[1-9]\d)\d\.\d\d above 5,000\.00 USDT$/)).toBeVisible();
  await expect(attempt.getByText('0.00 of 1.00 USDT')).toBeVisible();
  await inFirst.call('close_position', { p_position_id: id });
  await expect(attempt.getByText('Passed', { exact: true })).toBeVisible();
  await expect(
    attempt.getByText(/^The profit of [\d.,]+ USDT reached the 1\.00 USDT that were needed/),
  ).toBeVisible();
  await expect(attempt.getByText('Step 2 of 2')).toBeVisible();

  await view.getByRole('button', { name: 'Open challenge account' }).click();
  await expect(page.getByRole('button', { name: 'Account: Two steps #2' })).toBeVisible();
  const inTrading = page.url();
  await page.goto(inTrading.replace('/trading', '/dashboard'));
  await expect(view.getByText('Step 2 of 2')).toBeVisible();
  await expect(view.getByText('0.00 of 2,000.00 USDT')).toBeVisible();
  await page.goto(inTrading);
  await (await inAccountOf('#2')).call('open_position', order);
  await move(-4);
  await page.goto(page.url().replace('/trading', '/contests'));
  await page.getByRole('button', { name: 'Show Two steps' }).click();
  await expect(attempt.getByText('Not passed: Maximum loss')).toBeVisible();
  await expect(
    attempt.getByText(/^The equity of [\d.,]+ USDT is not above the floor: [\d.,]+ USDT − 1\.00 USDT = /),
  ).toBeVisible();
  await expect(
    attempt.getByText(/^Open positions were closed at DOGEUSDT [\d.]+, the prices that decided\.$/),
  ).toBeVisible();
  await expectToFit(page, [320, 1440]);

  await test.step('in the account of the decided step its challenge stays shown', async () => {
    await page.goto(inTrading.replace('/trading', '/contests'));
    await expect(attempt.getByText('Not passed: Maximum loss')).toBeVisible();
    await page.goto(inTrading.replace('/trading', '/dashboard'));
    await expect(view.getByText(/^This step is decided\./)).toBeVisible();
    await view.getByRole('link', { name: 'its verdict' }).click();
    await expect(attempt.getByText('Not passed: Maximum loss')).toBeVisible();
  });
  expect(errors).toEqual([]);
});

test('A112: a trader who has passed a challenge downloads a certificate, which is verified without the server', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const iso = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();
  const rules = { v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null };
  const maxLoss = { pct: 50, mode: 'static', lockPct: null };
  const { id } = await admin.call<{ id: string }>('save_challenge', {
    ...{ p_name: 'One step', p_description: '', p_class_id: null },
    ...{ p_opens_at: iso(-60_000), p_starts_until: iso(hourMs), p_ends_at: iso(hourMs) },
    p_rules: {
      ...{ ...rules, positionsMax: null, attemptsMax: 1 },
      steps: [{ targetPct: 0.01, dailyLoss: null, maxLoss, consistencyPct: null, daysMin: 0, daysMax: null }],
    },
  });
  const yan = await ApiUser.register(fulcrum.url, 'challenge_yan');
  const { account_id } = await yan.call<{ account_id: string }>('start_challenge', { p_challenge_id: id });
  const inAccount = await yan.inAccount(account_id);
  const { id: p_position_id } = await inAccount.call<{ id: string }>('open_position', {
    ...{ p_symbol: 'SOLUSDT', p_side: 'BUY', p_size: 5, p_leverage: 10 },
  });
  await admin.call('shock_price', { p_symbol: 'SOLUSDT', p_percent: 9, p_reason: 'A journey' });
  await expect
    .poll(async () => {
      const rows = (await inAccount.ask('positions?select=unrealized_pnl')).body as {
        unrealized_pnl: number;
      }[];
      return rows[0]?.unrealized_pnl;
    })
    .toBeGreaterThan(20);
  await inAccount.call('close_position', { p_position_id });

  await signIn(page, `${yan.username}@example.test`, {
    ...{ password: traderPassword, at: `/contests?challenge=${id}` },
  });
  const proof = page.getByRole('region', { name: 'Proof of attempt 1' });
  await expect(proof).toContainText('Your certificate states the rules and the verdict of each step.');
  const given = page.waitForEvent('download');
  await proof.getByRole('button', { name: 'Download my certificate' }).click();
  const download = await given;
  expect(download.suggestedFilename()).toBe('certificate_One_step.json');
  const file = await download.path();
  const { statement } = JSON.parse(await readFile(file, 'utf8')) as { statement: string };
  const { result_sha256 } = JSON.parse(statement) as { result_sha256: string };
  await expect(proof.getByText(result_sha256)).toBeVisible();
  const [, key] = (await proof.innerText()).match(/signed by the key\s+([0-9a-f]{64})/) ?? [];
  const verified = spawnSync(process.execPath, [verifyCertificate, file, '--key', key ?? ''], {
    encoding: 'utf8',
    env: childEnv,
  });
  expect(verified.stderr).toBe('');
  expect(verified.stdout).toContain('challenge_yan (attempt 1) has passed the challenge One step');
  await expectToFit(page, [320, 1440]);
  expect(errors).toEqual([]);
});

test('A112: a challenge that another admin saved meanwhile is not overwritten', async ({ page, fulcrum }) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const madeAt = Date.now();
  const iso = (fromThen: number) => new Date(madeAt + fromThen).toISOString();
  const maxLoss = { pct: 50, mode: 'static', lockPct: null };
  const terms = {
    ...{ p_name: 'Shared step', p_description: '', p_class_id: null },
    ...{ p_opens_at: iso(-60_000), p_starts_until: iso(hourMs), p_ends_at: iso(hourMs) },
    p_rules: {
      ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null },
      ...{ positionsMax: null, attemptsMax: 1 },
      steps: [{ targetPct: 10, dailyLoss: null, maxLoss, consistencyPct: null, daysMin: 0, daysMax: null }],
    },
  };
  const { id, version } = await admin.call<{ id: string; version: number }>('save_challenge', terms);
  await signIn(page, 'admin@fulcrum.local', { at: `/admin/contests?challenge=${id}` });
  await page.getByRole('button', { name: 'Change challenge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Shared step' });
  await dialog.getByLabel('Description').fill('For all.');
  const theirs = { p_description: 'For the second term.', p_ends_at: iso(2 * hourMs) };
  await admin.call('save_challenge', { ...terms, ...theirs, p_id: id, p_version: version });
  // The list behind the dialog has read it.
  await expect(page.getByText(theirs.p_description)).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Save challenge' }).click();
  await expect(
    dialog.getByText('Someone else changed this in the meantime. Close the dialog and open it again.'),
  ).toBeVisible();
  const challenges = await admin.call<{ id: string; ends_at: string }[]>('list_challenges', {});
  const saved = challenges.find((challenge) => challenge.id === id);
  expect(Date.parse(saved?.ends_at ?? '')).toBe(madeAt + 2 * hourMs);
});
