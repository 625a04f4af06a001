/**
 * Finds attempts of other users that share a document number or a picture with this one. Numbers are compared without
 * spaces and signs, pictures by their bytes, as uploaded and as stored.
 * Known limitation: a new photograph of the same document is not found, and neither is a cropped picture
 * (docs/kyc.md).
 */
import type { OpenedKycCase } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';

/** A reviewer cannot compare more than these. */
const duplicatesMax = 20;

export async function findDuplicates(db: Queryable, id: string): Promise<OpenedKycCase['duplicates']> {
  const { rows } = await db.query<OpenedKycCase['duplicates'][number]>(
    `with this as (select * from app.kyc_verifications where id = $1),
     pictures as (
       select p.picture, f.sha256, f.original_sha256
       from this cross join lateral (values
         ('document_front', document_front_file), ('document_back', document_back_file), ('selfie', selfie_file)
       ) as p (picture, file) join app.files f on f.id = p.file
     ),
     found as (
       select v.id, 'document_number' as same
       from this join app.kyc_verifications v
         on v.document_key = this.document_key and v.document_key <> '' and v.user_id <> this.user_id
       union
       select v.id, p.picture
       from this cross join pictures p
       join app.files f on f.id in (
         select id from app.files where original_sha256 = p.original_sha256
         union select id from app.files where sha256 = p.sha256
       )
       join app.kyc_verifications v on v.user_id = f.owner_id and v.user_id <> this.user_id
         and f.id in (v.document_front_file, v.document_back_file, v.selfie_file)
     )
     select v.id as verification_id, v.user_id, u.username, v.status, to_json(v.submitted_at) as submitted_at,
            array_agg(found.same order by found.same) as same
     from found join app.kyc_verifications v on v.id = found.id join app.users u on u.id = v.user_id
     group by v.id, u.username order by v.submitted_at desc, v.id desc limit $2`,
    [id, duplicatesMax],
    'kyc_duplicates',
  );
  return rows;
}
