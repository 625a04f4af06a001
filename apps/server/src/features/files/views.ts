/**
 * Who looked at which file, in the audit log. Invariant: the row is there before the link or the bytes are, so nothing is
 * seen that is not on record; the subject is the file's owner, the actor who sees it.
 *
 * Nothing is left out: a link that was made and each time that it was followed are rows of their own.
 */
import { bucketByName } from '@fulcrum/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAct } from '../accounts/index.ts';
import type { FileView } from './files.ts';

/** `beforeView` of files. */
export const recordViews =
  (db: Queryable, clock: Clock) =>
  async ({ viewerId, file, how }: FileView): Promise<void> => {
    const action = bucketByName.get(file.bucket)?.viewAction;
    if (action === undefined) throw new Error(`bucket ${file.bucket} is not declared`);
    await recordAct(db, {
      at: new Date(clock.now()),
      actorId: viewerId,
      subjectId: file.ownerId,
      action,
      objectId: file.id,
      detail: { path: file.path, version_id: file.id, version: file.version, how },
    });
  };
