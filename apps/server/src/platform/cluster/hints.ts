/**
 * Events of the bus between processes. What this process publishes and `eventReach` gives to the cluster goes out over the link; what
 * arrives is delivered to this process's subscribers and not sent on. Invariant: an event is a hint. It may be lost, so who needs what
 * it says reads PostgreSQL as well; rows of one user arrive in the order in which their process published them.
 *
 * A process subscribes to the rows of the users whom a channel or stream here needs, and to all rows while staff here follow everybody.
 */
import { type Events, eventReach, type RowChange, tables } from '@fulcrum/contract';
import { z } from 'zod';
import type { EventRelay, ProcessBus } from '../bus/index.ts';
import type { Log } from '../log/index.ts';
import type { ClusterLink } from './link.ts';

type NoticeTopic = {
  [Topic in keyof Events]: (typeof eventReach)[Topic] extends 'tell' ? Topic : never;
}[keyof Events];

/** What arrives is checked leniently: a process of the next release may say more. */
const noticePayloads: { readonly [Topic in NoticeTopic]: z.ZodType<Events[Topic]> } = {
  'role.changed': z.object({ userId: z.string() }),
  'traders.changed': z.object({ managerIds: z.array(z.string()) }),
  'session.revoked': z.object({ sessionId: z.string(), userId: z.string() }),
  'impersonation.ended': z.object({ impersonationId: z.string(), sessionId: z.string() }),
  'account.archived': z.object({ accountId: z.string() }),
  'api_key.ended': z.object({ keyId: z.string() }),
  'accounts.written': z.object({ accountIds: z.array(z.string()) }),
  'link.restored': z.object({}),
};

const tableNames: ReadonlySet<string> = new Set(tables.map(({ name }) => name));
/** Columns are not looked at: there are many rows, and their sender is signed. */
const row = z.custom<RowChange['record']>((value) => typeof value === 'object');
const changes = z.object({
  changes: z.array(
    z.object({
      table: z.string(),
      type: z.enum(['INSERT', 'UPDATE', 'DELETE']),
      userId: z.string().nullable(),
      isOfOtherAccount: z.boolean().optional(),
      record: row,
      oldRecord: row,
      committedAt: z.string(),
    }),
  ),
});
const isKnown = (change: { readonly table: string }): change is RowChange => tableNames.has(change.table);

interface HintDependencies {
  readonly bus: ProcessBus;
  readonly link: Pick<ClusterLink, 'publish' | 'subscribe' | 'onConnection'>;
  /** Slot of an account. */
  readonly slotOf: (accountId: string) => number;
  readonly log: Log;
}

/** Connects the bus with those of the other processes; the returned function ends it. */
export function connectBus({ bus, link, slotOf, log }: HintDependencies): () => void {
  const relay: EventRelay = (topic, payload) => {
    if (eventReach[topic] === 'tell') link.publish(`tell.${topic}`, payload);
    else publishRows((payload as Events['account.changed']).changes);
  };

  /** One message for each user, and for each table of rows without one, in the order of their first rows. */
  function publishRows(all: readonly RowChange[]): void {
    const bySubject = Map.groupBy(all, ({ userId, table }) =>
      userId === null ? `rows.${table}` : `acct.${slotOf(userId)}.${userId}`,
    );
    for (const [subject, of] of bySubject) link.publish(subject, { changes: of });
  }

  function receiveNotices<Topic extends NoticeTopic>(topic: Topic): () => void {
    return link.subscribe(`tell.${topic}`, (payload) => {
      const read = noticePayloads[topic].safeParse(payload);
      if (read.success) bus.deliver(topic, read.data);
      else log.warn({ topic }, 'an event of another process cannot be read');
    });
  }

  const receiveRows = (payload: unknown, subject: string): void => {
    const read = changes.safeParse(payload);
    if (!read.success) {
      log.warn({ subject }, 'rows of another process cannot be read');
      return;
    }
    const known = read.data.changes.filter(isKnown);
    if (known.length > 0) bus.deliver('account.changed', { changes: known });
  };

  const owners = new Map<string | null, () => void>();
  function followOwner(ownerId: string | null, isNeeded: boolean): void {
    owners.get(ownerId)?.();
    owners.delete(ownerId);
    if (isNeeded)
      owners.set(ownerId, link.subscribe(`acct.${ownerId === null ? '>' : `*.${ownerId}`}`, receiveRows));
  }
  const endOwners = (): void => {
    for (const ownerId of owners.keys()) followOwner(ownerId, false);
  };

  const ends = [
    bus.relayTo(relay),
    link.onConnection((isConnected) => isConnected && bus.publish('link.restored', {})),
    ...(Object.keys(noticePayloads) as NoticeTopic[]).map((topic) => receiveNotices(topic)),
    endOwners,
    bus.onNeededRows(followOwner),
    link.subscribe('rows.>', receiveRows),
  ];
  return () => {
    for (const end of ends) end();
  };
}
