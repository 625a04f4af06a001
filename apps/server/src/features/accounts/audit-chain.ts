/**
 * Proves the chain over the audit log: every link recomputed from the first to the last. Invariants: the hashes are made here
 * and not by a function of the database that is being judged; one snapshot is looked at, so what goes on meanwhile is neither
 * missed nor mistaken for a fault; nothing is written.
 *
 * Known limitation: who owns the database can write a whole new chain. It does not contain the links of the old one, so a
 * head that was noted elsewhere tells.
 */
import { createHash } from 'node:crypto';
import type { Queryable } from '../../platform/database/index.ts';

/** A link by its place, as it is printed and noted: `12:9f86d0…`. */
export interface ChainHead {
  readonly seq: number;
  /** Hexadecimal SHA-256. */
  readonly hash: string;
}

export interface ChainVerdict {
  /** Links whose hash was recomputed. */
  readonly links: number;
  /** The last link of the chain as it is stored. */
  readonly head: ChainHead;
  /** The first thing that is wrong, in words; null for a whole chain. */
  readonly fault: string | null;
}

const start = createHash('sha256').update('fulcrum').digest('hex');
const pageLinks = 5_000;

/** What a link is taken over besides the one before: the same as `app.audit_link` of migration 0015. */
const said = `jsonb_build_array(
  a.id, (extract(epoch from a.at) * 1000000)::bigint, a.actor_id, a.on_behalf_of, a.subject_id, a.action, a.object_id,
  a.reason, a.request_id, a.detail)::text`;

interface Link {
  readonly seq: string;
  readonly audit_id: string;
  readonly hash: string;
  /** Null when the row that it stands for is gone. */
  readonly said: string | null;
}

const linkOver = (previous: string, row: string): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(row, 'utf8').digest('hex');

/** Null for what is no such notation. */
export function parseHead(text: string): ChainHead | null {
  const found = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim());
  const [, seq, hash] = found ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash: hash.toLowerCase() };
}

/** `session` is one connection that is in no transaction; `noted` is a head that has to be in the chain. */
export async function verifyAuditChain(
  session: Queryable,
  noted: ChainHead | null = null,
): Promise<ChainVerdict> {
  await session.query('begin isolation level repeatable read read only');
  try {
    await session.query('set local statement_timeout = 0');
    const head = await readHead(session);
    const { links, fault } = await walk(session, head);
    return { links, head, fault: fault ?? (await missing(session, noted)) };
  } finally {
    await session.query('rollback');
  }
}

async function readHead(session: Queryable): Promise<ChainHead> {
  const { rows } = await session.query<{ seq: string; hash: string }>(
    `select seq, encode(hash, 'hex') as hash from app.audit_head`,
  );
  const [head] = rows;
  return head ? { seq: Number(head.seq), hash: head.hash } : { seq: 0, hash: '' };
}

async function walk(session: Queryable, head: ChainHead): Promise<Omit<ChainVerdict, 'head'>> {
  let [seq, hash] = [0, start];
  for (;;) {
    const { rows } = await session.query<Link>(
      `select c.seq, c.audit_id, encode(c.hash, 'hex') as hash,
              case when a.id is not null then ${said} end as said
       from app.audit_chain c left join app.audit_log a on a.id = c.audit_id
       where c.seq > $1 order by c.seq limit ${pageLinks}`,
      [seq],
    );
    for (const link of rows) {
      const fault = faultOf(link, { seq, hash });
      if (fault !== null) return { links: seq, fault };
      seq += 1;
      hash = link.hash;
    }
    if (rows.length < pageLinks) break;
  }
  if (head.seq !== seq || head.hash !== hash) {
    return { links: seq, fault: `the chain ends at link ${seq}, but the head says ${head.seq}:${head.hash}` };
  }
  const { rows } = await session.query<{ id: string }>(
    `select a.id from app.audit_log a
     where not exists (select from app.audit_chain c where c.audit_id = a.id) order by a.id limit 1`,
  );
  const [unlinked] = rows;
  return { links: seq, fault: unlinked ? `row ${unlinked.id} was put in: no link leads to it` : null };
}

function faultOf({ seq, audit_id, hash, said }: Link, before: ChainHead): string | null {
  const expected = before.seq + 1;
  if (Number(seq) !== expected) return `link ${expected} is missing`;
  if (said === null) return `link ${seq}: row ${audit_id} was taken out`;
  if (linkOver(before.hash, said) === hash) return null;
  return `link ${seq}: row ${audit_id} is not what it was, or not in its place`;
}

async function missing(session: Queryable, noted: ChainHead | null): Promise<string | null> {
  if (noted === null) return null;
  if (noted.seq === 0) return noted.hash === start ? null : 'the noted head is not the start of a chain';
  const { rows } = await session.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from app.audit_chain where seq = $1`,
    [noted.seq],
  );
  const [link] = rows;
  if (!link) return `the noted head ${noted.seq} is not in the chain: it is shorter`;
  if (link.hash === noted.hash) return null;
  return `the noted head is not in the chain: link ${noted.seq} is another one, so the chain was written anew`;
}
