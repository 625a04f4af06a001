/**
 * Verifies the hash chain over the audit log, from the first link to the last. Invariants: this process computes the
 * hashes, not a function of the checked database; one snapshot is read, so concurrent writes are neither missed nor
 * reported as faults; nothing is written.
 *
 * Known limitation: the owner of the database can write a whole new chain. It lacks the links of the old one, so comparing
 * with a head stored elsewhere detects it.
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
  /** Describes the first fault; null for a valid chain. */
  readonly fault: string | null;
}

const genesisHash = createHash('sha256').update('fulcrum').digest('hex');
const pageLinks = 5_000;

/** What a link is taken over besides the one before: the same as `app.audit_link` of migration 0015. */
const linkedColumnsSql = `jsonb_build_array(
  a.id, (extract(epoch from a.at) * 1000000)::bigint, a.actor_id, a.on_behalf_of, a.subject_id, a.action, a.object_id,
  a.reason, a.request_id, a.detail)::text`;

interface Link {
  readonly seq: string;
  readonly audit_id: string;
  readonly hash: string;
  /** Null when the link's row is missing. */
  readonly payload: string | null;
}

const hashLink = (previous: string, row: string): string =>
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
  expectedHead: ChainHead | null = null,
): Promise<ChainVerdict> {
  await session.query('begin isolation level repeatable read read only');
  try {
    await session.query('set local statement_timeout = 0');
    const head = await readHead(session);
    const { links, fault } = await verifyLinks(session, head);
    return { links, head, fault: fault ?? (await findHeadFault(session, expectedHead)) };
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

async function verifyLinks(session: Queryable, head: ChainHead): Promise<Omit<ChainVerdict, 'head'>> {
  let [seq, hash] = [0, genesisHash];
  for (;;) {
    const { rows } = await session.query<Link>(
      `select c.seq, c.audit_id, encode(c.hash, 'hex') as hash,
              case when a.id is not null then ${linkedColumnsSql} end as payload
       from app.audit_chain c left join app.audit_log a on a.id = c.audit_id
       where c.seq > $1 order by c.seq limit ${pageLinks}`,
      [seq],
    );
    for (const link of rows) {
      const fault = findLinkFault(link, { seq, hash });
      if (fault !== null) return { links: seq, fault };
      seq += 1;
      hash = link.hash;
    }
    if (rows.length < pageLinks) break;
  }
  if (head.seq !== seq || head.hash !== hash) {
    return { links: seq, fault: `the chain ends at link ${seq}, but the head is ${head.seq}:${head.hash}` };
  }
  const { rows } = await session.query<{ id: string }>(
    `select a.id from app.audit_log a
     where not exists (select from app.audit_chain c where c.audit_id = a.id) order by a.id limit 1`,
  );
  const [unlinked] = rows;
  return { links: seq, fault: unlinked ? `row ${unlinked.id} was put in: no link leads to it` : null };
}

function findLinkFault({ seq, audit_id, hash, payload }: Link, before: ChainHead): string | null {
  const expected = before.seq + 1;
  if (Number(seq) !== expected) return `link ${expected} is missing`;
  if (payload === null) return `link ${seq}: row ${audit_id} was taken out`;
  if (hashLink(before.hash, payload) === hash) return null;
  return `link ${seq}: row ${audit_id} is not what it was, or not in its place`;
}

async function findHeadFault(session: Queryable, expectedHead: ChainHead | null): Promise<string | null> {
  if (expectedHead === null) return null;
  if (expectedHead.seq === 0)
    return expectedHead.hash === genesisHash ? null : 'the noted head is not the start of a chain';
  const { rows } = await session.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from app.audit_chain where seq = $1`,
    [expectedHead.seq],
  );
  const [link] = rows;
  if (!link) return `the noted head ${expectedHead.seq} is not in the chain: it is shorter`;
  if (link.hash === expectedHead.hash) return null;
  return `the noted head is not in the chain: link ${expectedHead.seq} differs, so the chain was rewritten`;
}
