/**
 * `npm run bench -- liquidations`: one tick crosses 10,000 open positions of 1,000 traders in the running server. Measured are
 * the time until all are committed and until the last trader's own socket has the announcement, beside an interactive
 * transaction for each on the same rows of the same durable PostgreSQL. Afterwards every wallet must equal this bench's own
 * calculation, and every invariant must hold. Bounded: about a minute, 1,000 sockets, loopback only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDecimal } from '@fulcrum/domain';
import type { AllReceived, ListenJob } from './account-listeners.ts';
import { ask, messageOf, stop } from './children.ts';
import { measureClosingPeer } from './closing-peer.ts';
import { type Cluster, withClient, withCluster } from './cluster.ts';
import { Connection } from './connection.ts';
import { joinOf, type ServerReady, socketUrlOf } from './endpoint.ts';
import { best, heading, machine, type Run, row, verdict } from './figures.ts';
import type { Crossed, LiquidationCommand, LiquidationServerJob } from './liquidation-server.ts';
import { addOpenPositions, lastPosition, positionsPerTrader, symbol } from './open-positions.ts';
import { withProcesses } from './rig.ts';

const traders = 1_000;
const positions = traders * positionsPerTrader;
const rounds = 3;
const peerConcurrencies = [1, 8, 16];
/** Of the peer, whose rate does not depend on their number. */
const sample = 1_000;
const aimRatio = 5;
const openAtOnce = 32;
/** Time for the joins to be answered and the first pass over the ledger to end. */
const settleMs = 2_000;

const closings = [{ event: 'UPDATE', schema: 'public', table: 'positions' }];

type Balances = ReadonlyMap<string, bigint>;

/** @throws Error for the first wallet that is not what the bench worked out. */
async function verifyWallets(databaseUrl: string, balances: Balances): Promise<void> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ user_id: string; available: string; locked: string }>(
      'select user_id, available_balance as available, margin + order_margin as locked from app.wallets',
    ),
  );
  if (rows.length !== balances.size) throw new Error(`${rows.length} wallets of ${balances.size}`);
  for (const { user_id: userId, available, locked } of rows) {
    const expected = balances.get(userId);
    if (parseDecimal(available) === expected && Number(locked) === 0) continue;
    throw new Error(`wallet of ${userId}: ${available} and ${locked} locked, not ${expected} in 1e-8`);
  }
}

/** Each trader opens one more, so that the server holds the accounts as it does those of active traders. */
async function openLastPositions({ url, anonKey, tokens }: ServerReady): Promise<void> {
  const { host, hostname, port } = new URL(url);
  const { side, size, leverage } = lastPosition;
  const body = JSON.stringify({ p_symbol: symbol, p_side: side, p_size: size, p_leverage: leverage });
  const left = [...tokens];
  const opened = Array.from({ length: openAtOnce }, async () => {
    const connection = await Connection.open(hostname, Number(port));
    for (let token = left.pop(); token !== undefined; token = left.pop()) {
      const answer = await connection.ask(
        `POST /rest/v1/rpc/open_position HTTP/1.1\r\nhost: ${host}\r\napikey: ${anonKey}\r\nauthorization: Bearer ${token}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      if (answer.slice(9, 12) !== '200') throw new Error(`a position was not opened:\n${answer}`);
    }
    connection.close();
  });
  await Promise.all(opened);
}

interface Crossing {
  readonly committedMs: number;
  readonly announcedMs: number;
}

/** One tick in the running product, on a copy of the database. */
function crossOnce(databaseUrl: string, balances: Balances): Promise<Crossing> {
  return withProcesses(async ({ dataDir, begin }) => {
    const [server, listeners] = [begin('./liquidation-server.ts'), begin('./account-listeners.ts')];
    const userIds = [...balances.keys()];
    const ready = await ask<ServerReady>(server, {
      databaseUrl,
      dataDir,
      userIds,
    } satisfies LiquidationServerJob);
    const greetings = userIds.map((userId, i) => joinOf(`user:${userId}`, ready.tokens[i] ?? '', closings));
    await ask(listeners, { url: socketUrlOf(ready), greetings, due: positions } satisfies ListenJob);
    await openLastPositions(ready);
    await sleep(settleMs);

    const [crossed, { at, received: receivedAt }] = await Promise.all([
      messageOf<Crossed>(server),
      messageOf<AllReceived>(listeners),
      server.send('cross' satisfies LiquidationCommand),
    ]);
    if (receivedAt.some((count) => count !== positionsPerTrader))
      throw new Error('a trader received another number of announcements');
    const committedMs = crossed.committedAt - crossed.at;
    const announcedMs = at - crossed.at;
    console.log(
      `${crossed.armed} armed, ${crossed.crossings} crossed: committed after ${committedMs} ms, the last trader notified after ${announcedMs} ms; server ${((crossed.cpuS * 1000) / committedMs).toFixed(2)} cores`,
    );
    const violations = await ask<readonly string[]>(server, 'check' satisfies LiquidationCommand);
    if (violations.length > 0) throw new Error(`the ledger afterwards: ${violations.join('; ')}`);
    await verifyWallets(databaseUrl, balances);
    await stop(server);
    return { committedMs, announcedMs };
  });
}

async function measurePeers(cluster: Cluster): Promise<Run> {
  console.log(heading('positions'));
  const runs: Run[] = [];
  for (const concurrency of peerConcurrencies) {
    const name = `peer_${concurrency}`;
    const databaseUrl = await cluster.createDatabase(name, 'waiting');
    const run = await measureClosingPeer(databaseUrl, { sample, concurrency });
    await cluster.dropDatabase(name);
    console.log(row(run));
    runs.push(run);
  }
  return best(runs);
}

export async function benchLiquidations(): Promise<void> {
  await withCluster(async (cluster) => {
    console.log(`${machine}, PostgreSQL ${cluster.version}, synchronous_commit=on`);
    const waitingUrl = await cluster.createDatabase('waiting');
    const balances = await withClient(waitingUrl, async (client) => {
      const expected = await addOpenPositions(client, traders);
      await client.query('update app.checkpoints set executions_since = now()');
      await client.query('vacuum analyze');
      return expected;
    });
    console.log(`${positions} open positions of ${traders} traders\n`);
    const peer = await measurePeers(cluster);
    console.log('');
    const crossings: Crossing[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const name = `crossed_${round}`;
      crossings.push(await crossOnce(await cluster.createDatabase(name, 'waiting'), balances));
      await cluster.dropDatabase(name);
    }
    const announcedMs = Math.min(...crossings.map((crossing) => crossing.announcedMs));
    const perSecond = positions / (announcedMs / 1000);
    const ratio = perSecond / peer.perSecond;
    console.log(
      `\nbest round: ${perSecond.toFixed(0)} positions/s until all are announced, ${ratio.toFixed(2)} x ${peer.name} at its best (${peer.perSecond.toFixed(0)}/s)`,
    );
    console.log('every invariant holds, and every wallet is what the bench works out by itself');
    console.log(`aim: at least ${aimRatio} x ${peer.name}: ${verdict(ratio >= aimRatio)}`);
  });
}
