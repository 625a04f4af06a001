/**
 * The load generator as its own process, so that its cost is seen and not hidden in the server's. Plain sockets with one
 * request under way each; the body of an answer is not parsed. Loopback only. Closed loop: the next order goes out after
 * the last answer. Open loop (`perSecond`): orders go out on a clock, and the latency counts from the planned time.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { answerJob } from './job.ts';
import { cpuReport } from './process-cost.ts';

export interface LoadJob {
  readonly url: string;
  readonly anonKey: string;
  readonly tokens: readonly string[];
  readonly connections: number;
  readonly warmUpS: number;
  readonly seconds: number;
  /** Requests per second over all connections; null is as fast as answers come. */
  readonly perSecond: number | null;
  /** Null: one order per request by `open_position`. Else so many MARKET orders by one `insert orders`. */
  readonly rowsPerInsert: number | null;
  /** One key of each trader: orders go to `/fapi`, signed. */
  readonly apiKeys?: readonly ApiKey[] | undefined;
}
export interface ApiKey {
  readonly apiKey: string;
  readonly secret: string;
}
export interface LoadReport {
  readonly latenciesMs: readonly number[];
  /** Answers of the whole run, warm-up included, by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The first answer that was neither 200 nor 201. */
  readonly firstFailure: string | null;
  readonly cpuS: number;
}

const openBody = (): string =>
  `{"p_symbol":"BTCUSDT","p_side":"BUY","p_entry_price":null,"p_size":0.001,"p_leverage":10,"p_client_id":"${randomUUID()}"}`;

function insertBody(rows: number): string {
  const row = () =>
    `{"symbol":"BTCUSDT","type":"MARKET","side":"BUY","size":0.001,"leverage":10,"client_id":"${randomUUID()}"}`;
  return `[${Array.from({ length: rows }, row).join(',')}]`;
}

/** As unmodified clients send it. */
function signedRequest(host: string, { apiKey, secret }: ApiKey): string {
  const params =
    'symbol=BTCUSDT&side=BUY&type=MARKET&quantity=0.001&newOrderRespType=RESULT' +
    `&newClientOrderId=${randomUUID()}&recvWindow=10000&timestamp=${Date.now()}`;
  const body = `${params}&signature=${createHmac('sha256', secret).update(params).digest('hex')}`;
  return (
    `POST /fapi/v1/order HTTP/1.1\r\nhost: ${host}\r\nx-mbx-apikey: ${apiKey}\r\n` +
    `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

async function run(job: LoadJob): Promise<LoadReport> {
  const { hostname, port, host } = new URL(job.url);
  if (hostname !== '127.0.0.1') throw new Error('the load generator talks to this machine only');
  const { rowsPerInsert } = job;
  const path = rowsPerInsert === null ? '/rest/v1/rpc/open_position' : '/rest/v1/orders?select=*';
  const heads = job.tokens.map(
    (token) =>
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\napikey: ${job.anonKey}\r\n` +
      `authorization: Bearer ${token}\r\ncontent-type: application/json\r\nprefer: return=representation\r\n`,
  );
  const requestOf = (index: number): string => {
    const key = job.apiKeys?.[index % job.apiKeys.length];
    if (key) return signedRequest(host, key);
    const body = rowsPerInsert === null ? openBody() : insertBody(rowsPerInsert);
    return `${heads[index % heads.length]}content-length: ${body.length}\r\n\r\n${body}`;
  };

  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => Connection.open(hostname, Number(port))),
  );
  const latenciesMs: number[] = [];
  const statuses: Record<string, number> = {};
  let firstFailure: string | null = null;
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const measureFrom = start + job.warmUpS * 1000;
  const end = measureFrom + job.seconds * 1000;

  await Promise.all(
    connections.map(async (connection, i) => {
      for (let index = i; ; index += job.connections) {
        const planned = job.perSecond === null ? performance.now() : start + (index / job.perSecond) * 1000;
        if (planned >= end) break;
        if (planned > performance.now()) await sleep(planned - performance.now());
        const answer = await connection.ask(requestOf(index));
        const answered = performance.now();
        const status = answer.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status !== '200' && status !== '201') firstFailure ??= answer;
        else if (answered >= measureFrom && answered < end) latenciesMs.push(answered - planned);
      }
    }),
  );
  const { cpuS } = cpuReport(cpuBefore);
  for (const connection of connections) connection.close();
  return { latenciesMs, statuses, firstFailure, cpuS };
}

answerJob(run);
