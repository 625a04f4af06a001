/** The certificate of a challenge that is passed (A112): its document, its check without a server, and when it is written. */
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createCertificateSigner } from '../../src/features/programs/certificate.ts';
import {
  createChallengeResults,
  formatChallengeResult,
} from '../../src/features/programs/challenge-result.ts';
import { CertificateFault, readCertificate, requireResult } from '../../src/features/programs/index.ts';
import { hashOf } from '../../src/features/programs/result.ts';
import { childEnv } from '../harness/child-env.ts';
import { testLog } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import type { TestUser } from '../trading/trading-server.ts';
import {
  type Attempt,
  admin,
  attempt,
  attemptsOf,
  buy,
  type Challenge,
  close,
  decided,
  floor,
  price,
  save,
  shareChallengeFloor,
  step,
} from './challenge-floor.ts';
import { createSecondPrograms } from './second-process.ts';

const verifyCertificate = fileURLToPath(
  new URL('../../../../scripts/verify-certificate.ts', import.meta.url),
);

shareChallengeFloor();

describe('the certificate of a challenge that is passed', () => {
  const certificateFor = async ({ client }: TestUser, { id }: Challenge) =>
    (await client.rpc('get_challenge_certificate', { p_challenge_id: id }).throwOnError()).data;

  async function pass(challenge: Challenge, by?: TestUser) {
    const { trader, client, accountId } = await attempt(challenge, by);
    price('100');
    const id = await buy(client, 50);
    price('103');
    await close(client, id);
    await decided(trader, challenge);
    return { trader, accountId };
  }
  const completed = (trader: TestUser, challenge: Challenge): Promise<Attempt> =>
    eventually(async () => {
      const [last] = await attemptsOf(trader, challenge);
      if (last?.result_sha256 == null) throw new Error('no result yet');
      return last;
    });

  test('states the rules and the verdicts, is checked without a server, and any altered byte is refused', async () => {
    const challenge = await save([step({ targetPct: 2 })]);
    const running = await attempt(challenge);
    expect(await certificateFor(running.trader, challenge)).toBeNull();
    const { trader } = await pass(challenge);
    const last = await completed(trader, challenge);
    const { text } = (await certificateFor(trader, challenge)) ?? { text: '' };
    const { statement, fingerprint } = readCertificate(text);
    const { data: shown } = await admin.client
      .rpc('get_challenge_attempts', { p_challenge_id: challenge.id })
      .throwOnError();
    expect(fingerprint).toBe(shown.certificate_key);
    expect(statement).toMatchObject({
      challenge: { id: challenge.id, name: challenge.name, ends_at: challenge.ends_at },
      entrant: { number: last.attempt, username: trader.username },
      result: {
        rules: { steps: [{ targetPct: 2 }] },
        steps: [{ step: 1, verdict: last.steps[0]?.verdict }],
      },
      result_sha256: last.result_sha256,
    });
    // The hash is in the row of the audit log that the link leads to.
    const { rows } = await floor.db.query(
      `select c.seq::float8 as seq, encode(c.hash, 'hex') as hash, a.detail, r.document from app.audit_chain c
       join app.audit_log a on a.id = c.audit_id join app.program_results r on r.program_id = a.object_id
       where a.action = 'challenge.complete' and a.object_id = $1`,
      [challenge.id],
    );
    const [{ document, ...link }] = rows as [{ document: string }];
    expect(link).toEqual({
      ...statement.audit,
      detail: { attempt: last.attempt, result_sha256: last.result_sha256 },
    });
    requireResult(statement, document);
    expect(() => requireResult(statement, document.replace('150', '151'))).toThrow(/not the one/);
    expect(document).not.toContain(trader.username);
    expect(document).not.toContain(trader.id);

    const bytes = Buffer.from(text);
    const accepted = [...bytes.keys()].filter((at) => {
      const altered = Buffer.from(bytes);
      altered[at] = (bytes[at] ?? 0) ^ 1;
      try {
        readCertificate(altered.toString());
        return true;
      } catch (error) {
        if (error instanceof CertificateFault) return false;
        throw error;
      }
    });
    expect(accepted).toEqual([]);
    for (const changed of [` ${text}`, text.replace('-challenge-', '-contest-')])
      expect(() => readCertificate(changed)).toThrow(/changed outside the signed text/);

    const folder = mkdtempSync(join(tmpdir(), 'fulcrum-certificate-'));
    try {
      const file = join(folder, 'certificate.json');
      writeFileSync(file, text);
      const { status, stdout, stderr } = spawnSync(
        ...([process.execPath, [verifyCertificate, file, '--key', fingerprint]] as const),
        { encoding: 'utf8', env: childEnv },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain(
        `${trader.username} (attempt ${last.attempt}) has passed the challenge ${challenge.name}`,
      );
      expect(stdout).toMatch(/step 1 .* profit 150 USDT of 100 needed, trading days: 1/);
    } finally {
      rmSync(folder, { recursive: true });
    }
    // Staff and other traders get none.
    expect(
      (await admin.client.rpc('get_challenge_certificate', { p_challenge_id: challenge.id })).status,
    ).toBe(403);
    expect(await certificateFor(await floor.addUser('trader'), challenge)).toBeNull();
  });

  test('verdicts whose hash is another one are refused, signature or not', () => {
    const signer = createCertificateSigner(randomBytes(32).toString('base64url'));
    const challenge = { id: randomUUID(), name: 'A', begins_at: '', ends_at: '' };
    const signed = (result: Record<string, unknown>) =>
      signer.sign({
        ...{ v: 1, challenge, entrant: { number: 1, username: 'a' }, result, frozen_at: '' },
        ...{ audit: { seq: 1, hash: '' } },
        result_sha256: hashOf(formatChallengeResult({ challenge, attempt: 1, rules: {}, steps: [] })),
      });
    expect(readCertificate(signed({ rules: {}, steps: [] })).fingerprint).toBe(signer.fingerprint);
    expect(() => readCertificate(signed({ rules: {}, steps: [1] }))).toThrow(/not those that the SHA-256/);
  });

  test('two servers and a restart write one result; of a passed step that is not the last there is none', async () => {
    const challenge = await save([step({ targetPct: 2 })]);
    const more = await save([step({ targetPct: 2 }), step()]);
    const owner = new pg.Client({ connectionString: floor.databaseUrl });
    await owner.connect();
    await owner.query(`create function app.refuse_result() returns trigger language plpgsql as $$
      begin raise exception 'the disk is gone'; end $$`);
    await owner.query(`create trigger refuse_result before insert on app.program_results
      for each row execute function app.refuse_result()`);
    const { trader } = await pass(challenge);
    const other = await pass(more);
    expect((await attemptsOf(trader, challenge))[0]).toMatchObject({ state: 'passed', result_sha256: null });
    await floor.restart();
    await owner.query('drop trigger refuse_result on app.program_results');
    await owner.query('drop function app.refuse_result()');
    await owner.end();
    const second = createSecondPrograms(floor);
    await second.start();
    await completed(trader, challenge);
    await second.stop();
    const complete = (await floor.audit(trader.id)).filter(({ action }) => action === 'challenge.complete');
    expect(complete).toHaveLength(1);
    expect((await attemptsOf(other.trader, more))[0]).toMatchObject({
      state: 'running',
      result_sha256: null,
    });
  });

  test('attempts that cannot be completed keep no other one waiting, and are logged once', async () => {
    const broken = await save([step({ targetPct: 2 })]);
    const asOwner = async (text: string) => {
      const owner = new pg.Client({ connectionString: floor.databaseUrl });
      await owner.connect();
      await owner.query(text, [broken.id]);
      await owner.end();
    };
    // More than one reading has, and older than all others.
    await asOwner(`insert into app.program_verdicts
      select gen_random_uuid(), $1, n, 1, 'passed', null, to_timestamp(n), '{}', '"none"', to_timestamp(n) from generate_series(1, 101) n`);
    const whole = await save([step({ targetPct: 2 })]);
    const { trader } = await pass(whole);
    await completed(trader, whole);
    const warned: unknown[] = [];
    const log = { ...testLog, warn: (about: unknown) => warned.push(about) } as typeof testLog;
    const results = createChallengeResults({ db: floor.db, clock: floor.clock, log });
    await results.completeAll(() => true);
    expect(warned).toEqual([]);
    for (let call = 0; call < 2; call += 1) await results.completeAll(() => false);
    expect(warned).toHaveLength(101);
    await asOwner('delete from app.program_verdicts where program_id = $1');
  });
});
