/**
 * The running product as its own process: the real server on a free loopback port, with signed-in traders.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecretBox, newApiKey, newSecret } from '../apps/server/src/features/api-keys/credentials.ts';
import { post, type ServerReady } from './endpoint.ts';
import { onCommands, onJob } from './job.ts';
import type { ApiKey } from './load.ts';
import { createTokens, endpointOf, startMeasured, violationsOf } from './measured-server.ts';
import { cpuReport } from './process-cost.ts';
import { tradersOf } from './traders.ts';

export interface ServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** How many there are to be, unless the database has some. */
  readonly traders: number;
  /** `ENGINE_LANES`; 1 by default. */
  readonly lanes?: number;
  /** Settings of a member of a cluster. */
  readonly member?: Readonly<Record<string, string>>;
  /** Each trader trades in another account than their main one, which has net positions. */
  readonly isNet?: boolean;
  /** Each trader has an API key of that account. */
  readonly hasApiKeys?: boolean;
}
export interface ProductReady extends ServerReady {
  readonly kind: 'ready';
  readonly apiKeys?: readonly ApiKey[] | undefined;
}
/** Since the start, all of them. */
export interface ServerCost {
  readonly kind: 'cost';
  readonly cpuS: number;
  readonly batches: number;
  readonly commands: number;
}
export interface ServerCheck {
  readonly kind: 'check';
  /** Fills, and rejected orders, since the start. A former checkout counts positions, of which each fill of a main account opens one. */
  readonly positions: number;
  readonly rejected: number;
  readonly ledgerRows: number;
  readonly violations: readonly string[];
}
export type ServerCommand = 'cost' | 'check' | 'stop';

const firstPassWithinMs = 300_000;

async function serve({
  traders,
  lanes = 1,
  member,
  isNet = false,
  hasApiKeys = false,
  ...location
}: ServerJob): Promise<void> {
  const server = await startMeasured(location, { ENGINE_LANES: String(lanes), ...member });
  const userIds = await tradersOf(server.db, traders);
  const count = async (rows: string): Promise<number> => {
    const result = await server.db.query<{ count: string }>(`select count(*) from ${rows}`);
    return Number(result.rows[0]?.count);
  };
  const before = await count('app.executions');
  // The full pass over the ledger at the start reads everything, and is no part of what is measured.
  const deadline = performance.now() + firstPassWithinMs;
  while (!member && server.trading.invariants().fullCheckedAt === null) {
    if (performance.now() > deadline) throw new Error('the first pass over the ledger does not end');
    await sleep(100);
  }
  const tokenOf = createTokens(server);
  const endpoint = endpointOf(server);
  const openNet = async (userId: string): Promise<string> => {
    const terms = { p_name: 'Net', p_start_balance: '10000000', p_rules: 'perpetual', p_fill_profile: 'pro' };
    const path = '/rest/v1/rpc/create_account';
    return (await post<{ readonly id: string }>(endpoint, path, tokenOf(userId), terms)).id;
  };
  /** Past the server, as the tokens: making a key needs a session that lives. */
  const box = createSecretBox(server.secrets.apiKeysKey);
  const makeKey = async (accountId: string): Promise<ApiKey> => {
    const [id, apiKey, secret] = [randomUUID(), newApiKey(), newSecret()];
    await server.db.query(
      `insert into app.api_keys (id, account_id, name, api_key, secret, scopes, addresses, created_at)
       values ($1, $2, 'Bench', $3, $4, '{read,trade}', '{}', now())`,
      [id, accountId, apiKey, box.seal(id, secret)],
    );
    return { apiKey, secret };
  };
  const tokens: string[] = [];
  const apiKeys: ApiKey[] = [];
  for (const userId of userIds) {
    const accountId = isNet ? await openNet(userId) : userId;
    tokens.push(tokenOf(userId, 'trader', accountId));
    if (hasApiKeys) apiKeys.push(await makeKey(accountId));
  }
  process.send?.({
    kind: 'ready',
    ...endpoint,
    tokens,
    ...(hasApiKeys && { apiKeys }),
  } satisfies ProductReady);

  onCommands<ServerCommand>({
    cost: () => {
      const { batches, commands } = server.trading.state();
      return { kind: 'cost', ...cpuReport(), batches, commands } satisfies ServerCost;
    },
    check: async () =>
      ({
        kind: 'check',
        positions: (await count('app.executions')) - before,
        rejected: await count(`app.orders where status = 'REJECTED'`),
        ledgerRows: await count('app.ledger_entries'),
        violations: await violationsOf(server),
      }) satisfies ServerCheck,
    stop: () => server.close(),
  });
}

onJob(serve);
