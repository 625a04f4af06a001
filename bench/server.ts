/**
 * The running product as its own process: the real server on a free loopback port, with traders who are signed in. Their
 * tokens are signed here rather than earned with 2 × argon2id each: signing in is not what is measured.
 */
import { randomUUID } from 'node:crypto';
import { createAccessTokens } from '../apps/server/src/features/accounts/access-tokens.ts';
import { checkInvariants } from '../apps/server/src/features/wallet/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { startServer } from '../apps/server/src/server.ts';
import { addTraders } from './traders.ts';

export interface ServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly traders: number;
}
export interface ServerReady {
  readonly kind: 'ready';
  readonly url: string;
  readonly anonKey: string;
  readonly tokens: readonly string[];
}
export interface ServerReport {
  readonly kind: 'report';
  readonly cpuS: number;
  readonly positions: number;
  readonly batches: number;
  readonly commands: number;
  readonly violations: readonly string[];
}

const send = (message: ServerReady | ServerReport) => process.send?.(message);

async function serve({ databaseUrl, dataDir, traders }: ServerJob): Promise<void> {
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DEMO: 'false',
    LOG_LEVEL: 'warn',
  });
  const server = await startServer(config);
  const userIds = await addTraders(server.db, traders);
  const signer = createAccessTokens(server.secrets.jwtSecret, systemClock);
  send({
    kind: 'ready',
    url: server.url,
    anonKey: server.secrets.anonKey,
    tokens: userIds.map(
      (userId) =>
        signer.issue({
          userId,
          sessionId: randomUUID(),
          role: 'trader',
          authTime: new Date(),
          acting: null,
        }).token,
    ),
  });

  process.on('message', async (message: 'report' | 'stop') => {
    if (message === 'stop') {
      await server.close();
      process.disconnect();
      return;
    }
    const { user, system } = process.cpuUsage();
    const { rows } = await server.db.query<{ count: string }>('select count(*) from app.positions');
    const { violations } = await checkInvariants(server.db);
    const { batches, commands } = server.trading.state();
    send({
      kind: 'report',
      cpuS: (user + system) / 1e6,
      positions: Number(rows[0]?.count),
      batches,
      commands,
      violations: violations.map(({ invariant, detail }) => `${invariant}: ${detail}`),
    });
  });
}

process.once('message', (job: ServerJob) => {
  serve(job).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
