/** Shared dependencies of this feature, a stored message, and the change event of a message. */
import type { RowChange } from '@fulcrum/contract';
import type { ContactStatus } from '@fulcrum/domain';
import { readWireRows, toRowChange } from '../../platform/changes/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import type { MailSender } from '../../platform/mail/queue.ts';
import type { Services } from '../../platform/services.ts';

export interface ContactDependencies extends Pick<Services, 'db' | 'clock' | 'bus' | 'log'> {
  readonly config: Pick<Config, 'smtp' | 'limits'>;
  readonly mails: Pick<MailSender, 'wake'>;
}

export interface StoredMessage {
  readonly id: string;
  readonly email: string;
  readonly status: ContactStatus;
  readonly version: number;
  readonly replied_by: string | null;
  readonly reply_client_id: string | null;
}

/** The messages with these ids, held until the transaction ends; in the order of their ids, so that two never wait for each other. */
export async function lockMessages(tx: Queryable, ids: readonly string[]): Promise<StoredMessage[]> {
  const { rows } = await tx.query<StoredMessage>(
    `select id, email, status, version, replied_by, reply_client_id from app.contact_forms
     where id = any($1) order by id for update`,
    [ids],
    'lock_contact_forms',
  );
  return rows;
}

/** What was written, as it is announced, and in its wire form for the answer. */
interface WrittenMessages {
  readonly rows: Awaited<ReturnType<typeof readWireRows>>;
  readonly changes: readonly RowChange[];
}

/** To be read in the transaction of the write. */
export async function readWritten(
  type: 'INSERT' | 'UPDATE',
  tx: Queryable,
  ids: readonly string[],
  at: Date,
): Promise<WrittenMessages> {
  const rows = await readWireRows(tx, 'contact_forms', ids);
  const committedAt = at.toISOString();
  return {
    rows,
    changes: rows.map((row) => toRowChange({ table: 'contact_forms', type, committedAt }, row)),
  };
}
