/**
 * The peer of `chat.ts`: a chat without guarantees. One insert into a table without a lock, a number or a policy; then the
 * same row to the other side's sockets, without a token, an update of the session or a check of access. Same PostgreSQL, same
 * durability, same number of sockets.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { WebSocketServer } from 'ws';
import { onJob } from './job.ts';

export interface ChatPeerJob {
  readonly databaseUrl: string;
}
export interface ChatPeerReady {
  readonly port: number;
}

const connections = 8;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

interface Posted {
  readonly session_id: string;
  readonly content: string;
  readonly client_id: string;
  readonly role: string;
}
interface Line {
  send(text: string): void;
}

async function serve({ databaseUrl }: ChatPeerJob): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  await pool.query(
    `create table messages (id uuid primary key default gen_random_uuid(), session_id uuid not null, sender_role text not null,
       content text not null, client_id text, created_at timestamptz not null default now())`,
  );
  const agents = new Set<Line>();
  const traders = new Map<string, Line>();
  const server = createServer(async (request, response) => {
    const { session_id, content, client_id, role } = JSON.parse(await bodyOf(request)) as Posted;
    const { rows } = await pool.query({
      name: 'insert',
      text: `insert into messages (session_id, sender_role, content, client_id) values ($1, $2, $3, $4)
             returning to_json(messages) as row`,
      values: [session_id, role, content, client_id],
    });
    const row = JSON.stringify(rows[0].row);
    response.writeHead(201, { 'content-type': 'application/json' }).end(row);
    const frame = `["1",null,"chat","postgres_changes",{"table":"chat_messages","type":"INSERT","record":${row}}]`;
    for (const agent of agents) agent.send(frame);
    traders.get(session_id)?.send(frame);
  });
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
    socket.once('message', (greeting) => {
      const session = String(greeting);
      if (session === 'agent') agents.add(socket);
      else traders.set(session, socket);
      socket.send('"postgres_changes"');
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port } satisfies ChatPeerReady);
  });
}

onJob(serve);
