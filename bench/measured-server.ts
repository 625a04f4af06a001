/**
 * The real server in a process of a measurement. Only the limits per address differ from production, because all clients of a
 * measurement share one address. Tokens are signed here rather than earned with 2 × argon2id each: sign-in is not measured.
 */
import { randomUUID } from 'node:crypto';
import { createAccessTokens } from '../apps/server/src/features/identity/access-tokens.ts';
import { checkInvariants } from '../apps/server/src/features/wallet/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { type Overrides, type RunningServer, startServer } from '../apps/server/src/server.ts';
import type { Endpoint } from './endpoint.ts';

interface Location {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** `settings` beside the port, the location, no demo and warnings only. */
export const startMeasured = (
  { databaseUrl, dataDir }: Location,
  settings: Readonly<Record<string, string>> = {},
  overrides?: Overrides,
): Promise<RunningServer> =>
  startServer(
    loadConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DEMO: 'false',
      LOG_LEVEL: 'warn',
      ...settings,
    }),
    overrides,
  );

/** The limits for so many sockets of one address. */
export const limitsOf = (sockets: number): Pick<Overrides, 'realtimeLimits'> => ({
  realtimeLimits: { socketsPerAddress: sockets + 1, attempts: { burst: 4 * sockets, perSecond: 100 } },
});

export const endpointOf = ({ url, secrets }: RunningServer): Endpoint => ({ url, anonKey: secrets.anonKey });

/** The invariants of the ledger that do not hold. */
export async function violationsOf({ db }: RunningServer): Promise<string[]> {
  const { violations } = await checkInvariants(db);
  return violations.map(({ invariant, detail }) => `${invariant}: ${detail}`);
}

/** Signs access tokens of users. */
export function createTokens({ secrets }: RunningServer) {
  const signer = createAccessTokens(secrets.jwtSecret, systemClock);
  return (userId: string, role: 'trader' | 'manager' | 'support' | 'admin' = 'trader', accountId = userId) =>
    signer.issue({
      userId,
      accountId,
      sessionId: randomUUID(),
      role,
      authTime: new Date(),
      impersonation: null,
    }).token;
}
