/**
 * Records views of files in the audit log. Invariant: the row exists before the link or the bytes are sent, so every
 * view is recorded where the bucket names an action. The subject is the file's owner, the actor is the viewer.
 *
 * The creation of a link and each use of it have rows of their own.
 */
import { bucketByName } from '@fulcrum/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import type { FileView } from './files.ts';

/** The `beforeView` of files. */
export const createViewAudit =
  (db: Queryable, clock: Clock) =>
  async ({ viewerId, file, how }: FileView): Promise<void> => {
    const action = bucketByName.get(file.bucket)?.viewAction;
    if (action === undefined) throw new Error(`bucket ${file.bucket} is not declared`);
    if (action === null) return;
    await recordAuditEntry(db, {
      at: new Date(clock.now()),
      actorId: viewerId,
      subjectId: file.ownerId,
      action,
      objectId: file.id,
      detail: { path: file.path, version_id: file.id, version: file.version, how },
    });
  };
