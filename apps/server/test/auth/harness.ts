/** The auth protocol alone on a real socket and a real database, with a clock that a test moves and the official client. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import fastify from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createJoinClass } from '../../src/features/classes/index.ts';
import { createEnrolment } from '../../src/features/enrolment/index.ts';
import { createIdentity, createIdentityMails, createRecovery } from '../../src/features/identity/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock, realTimers } from '../../src/platform/clock/index.ts';
import type { SmtpServer } from '../../src/platform/config/mail.ts';
import type { LimitSetting } from '../../src/platform/limits/declarations.ts';
import { limitsWith } from '../../src/platform/limits/index.ts';
import { createMail } from '../../src/platform/mail/index.ts';
import { createMailSender } from '../../src/platform/mail/queue.ts';
import { createAdmission } from '../../src/protocols/admission.ts';
import { registerAuth } from '../../src/protocols/auth/index.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';

export const password = 'correct-horse';

const secrets = {
  jwtSecret: randomBytes(64).toString('base64url'),
  anonKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
  instanceId: randomUUID(),
};

export type AuthServer = Awaited<ReturnType<typeof startAuthServer>>;

/** `database` of another server makes this one its next start: same data, same secrets, nothing in memory. */
export async function startAuthServer(
  options: {
    database?: TestDatabase;
    clock?: ReturnType<typeof createManualClock>;
    publicUrl?: string;
    trustProxy?: boolean;
    signupBalance?: bigint;
    demo?: boolean;
    smtp?: SmtpServer;
    limits?: Partial<Record<LimitSetting, number>>;
  } = {},
) {
  const db = options.database ?? (await createTestDatabase());
  const clock = options.clock ?? createManualClock(Date.now());
  const bus = createBus(testLog);
  const limits = limitsWith(options.limits ?? {});
  const accounts = createIdentity({
    db,
    clock,
    timers: realTimers(clock),
    bus,
    secrets,
    config: { demo: options.demo ?? false, limits },
    log: testLog,
  });
  await accounts.start();
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-auth-'));
  const publicUrl = options.publicUrl ?? 'http://127.0.0.1:3000';
  const mailFrom = { name: 'Fulcrum', address: 'no-reply@fulcrum.example.test' };
  const { writers, prune } = createIdentityMails({ db, publicUrl: () => publicUrl, clock });
  const mails = createMailSender({
    db,
    mail: createMail({ config: { smtp: options.smtp ?? null, mailFrom, dataDir }, log: testLog, clock }),
    writers: { ...writers, contact_reply: async () => null, class_message: async () => null },
    prune,
    clock,
    log: testLog,
  });
  const recovery = createRecovery({ db, identity: accounts, mails, limits, clock });
  const app = fastify({ trustProxy: options.trustProxy ?? false });
  const enrolment = createEnrolment({
    ...{ db, clock, bus, log: testLog },
    config: {
      registration: 'open',
      registrationDomains: [],
      signupBalance: options.signupBalance ?? 0n,
    },
    joinClass: createJoinClass({ tradingFeeRate: 0n }),
    publicUrl: () => publicUrl,
    wakeMails: mails.wake,
  });
  await registerAuth(app, {
    identity: accounts,
    enrolment,
    recovery,
    secrets,
    config: { publicUrl },
    admission: createAdmission(limits),
    log: testLog,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const client = (headers: Record<string, string> = {}): SupabaseClient =>
    createClient(url, secrets.anonKey, {
      global: { headers },
      auth: {
        autoRefreshToken: false,
        persistSession: false,
        detectSessionInUrl: false,
        storageKey: randomUUID(),
      },
    });
  return {
    url,
    db,
    clock,
    bus,
    accounts,
    mails,
    /** Where the mails are without `smtp`. */
    outbox: join(dataDir, 'outbox'),
    secrets,
    client,
    /** A request as a program makes it that is not the official client. */
    call: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(`${url}/auth/v1${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    /** Registers through the official client, which is signed in afterwards. */
    async register(name = `person-${randomUUID().slice(0, 12)}`) {
      const made = client();
      const email = `${name}@example.test`;
      const { data, error } = await made.auth.signUp({
        email,
        password,
        options: { data: { username: name, phone_number: '+12025550101' } },
      });
      if (error) throw error;
      return { client: made, email, username: name, userId: data.user!.id, session: data.session! };
    },
    async stop() {
      await app.close();
      await mails.stop();
      await accounts.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    async close() {
      await this.stop();
      await db.close();
    },
  };
}

/** Makes a person with a role that nobody can register with. */
export async function makeStaff(server: AuthServer, role: 'admin' | 'manager' | 'support') {
  const username = `${role}-${randomUUID().slice(0, 12)}`;
  const email = `${username}@example.test`;
  const user = await server.accounts.createUser(server.db, {
    email,
    username,
    password,
    role,
    initialBalance: null,
  });
  return { ...user, email };
}

export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });

/** Of the file that calls `shareAuthServer`, for all of its tests. */
export let server: AuthServer;

export function shareAuthServer(...options: Parameters<typeof startAuthServer>): void {
  beforeAll(async () => {
    server = await startAuthServer(...options);
  });
  afterAll(() => server.close());
}
