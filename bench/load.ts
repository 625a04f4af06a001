/**
 * The load generator as its own process, so that its cost is seen and not hidden in the server's. Plain sockets with one
 * request under way each; the body of an answer is not parsed. Loopback only. Closed loop: the next order goes out after
 * the last answer. Open loop (`perSecond`): orders go out on a clock, and the latency counts from the planned time.
 */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoadJob {
  readonly url: string;
  readonly anonKey: string;
  readonly tokens: readonly string[];
  readonly connections: number;
  readonly warmUpS: number;
  readonly seconds: number;
  /** Orders per second over all connections; null is as fast as answers come. */
  readonly perSecond: number | null;
}
export interface LoadReport {
  readonly latenciesMs: readonly number[];
  /** Answers of the whole run, warm-up included, by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The first answer that was not 200. */
  readonly firstFailure: string | null;
  readonly cpuS: number;
}

/** One keep-alive connection that can ask one thing at a time. */
class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: string) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    const fail = (error: Error) => this.#waiting?.reject(error);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed the connection')));
  }

  static async open(host: string, port: number): Promise<Connection> {
    const socket = connect({ host, port });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new Connection(socket);
  }

  /** Resolves with the whole answer. */
  ask(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const text = this.#received.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /content-length: (\d+)/i.exec(text.slice(0, head));
    if (!length) {
      this.#waiting?.reject(new Error('an answer without a length'));
      return;
    }
    if (this.#received.length < head + 4 + Number(length[1])) return;
    this.#received = Buffer.alloc(0);
    this.#waiting?.resolve(text);
  }
}

async function run(job: LoadJob): Promise<LoadReport> {
  const { hostname, port, host } = new URL(job.url);
  if (hostname !== '127.0.0.1') throw new Error('the load generator talks to this machine only');
  const heads = job.tokens.map(
    (token) =>
      `POST /rest/v1/rpc/open_position HTTP/1.1\r\nhost: ${host}\r\napikey: ${job.anonKey}\r\n` +
      `authorization: Bearer ${token}\r\ncontent-type: application/json\r\nprefer: return=representation\r\n`,
  );
  const requestOf = (turn: number): string => {
    const body = `{"p_symbol":"BTCUSDT","p_side":"BUY","p_entry_price":null,"p_size":0.001,"p_leverage":10,"p_client_id":"${randomUUID()}"}`;
    return `${heads[turn % heads.length]}content-length: ${body.length}\r\n\r\n${body}`;
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
      for (let turn = i; ; turn += job.connections) {
        const planned = job.perSecond === null ? performance.now() : start + (turn / job.perSecond) * 1000;
        if (planned >= end) break;
        if (planned > performance.now()) await sleep(planned - performance.now());
        const answer = await connection.ask(requestOf(turn));
        const answered = performance.now();
        const status = answer.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status !== '200') firstFailure ??= answer;
        else if (answered >= measureFrom && answered < end) latenciesMs.push(answered - planned);
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of connections) connection.close();
  return { latenciesMs, statuses, firstFailure, cpuS: (user + system) / 1e6 };
}

process.once('message', (job: LoadJob) => {
  run(job).then(
    (report) => process.send?.(report, undefined, undefined, () => process.disconnect()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
