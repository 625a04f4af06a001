/**
 * Pictures in messages: links for who may read the conversation. Invariant: a trader gets pictures of their own conversations
 * alone; a message that is none of theirs, or has no picture, is left out.
 */
import { type ArgsOf, chatAttachments, type ResultOf, type SignedIn } from '@fulcrum/contract';
import { refuseWhileImpersonating } from '../identity/index.ts';
import type { SupportDependencies } from './dependencies.ts';

type Result = ResultOf<'get_chat_pictures'>;

export const createPictures =
  ({ db, files }: Pick<SupportDependencies, 'db' | 'files'>) =>
  async (caller: SignedIn, { p_session_id, p_message_ids }: ArgsOf<'get_chat_pictures'>): Promise<Result> => {
    refuseWhileImpersonating(caller);
    const { rows } = await db.query<{ message_id: string; version_id: string; path: string }>(
      `select m.id as message_id, f.id as version_id, f.path
       from app.chat_messages m join app.files f on f.id = m.attachment_id
       where m.session_id = $1 and m.id = any($2::uuid[]) and ($3::uuid is null or m.user_id = $3)
       order by m.seq`,
      [p_session_id, p_message_ids, caller.role === 'trader' ? caller.userId : null],
      'chat_pictures',
    );
    const pictures: Result['pictures'] = [];
    for (const { message_id, version_id, path } of rows) {
      const address = { bucket: chatAttachments.name, path, versionId: version_id };
      const { file, url } = await files.signAdmitted(caller, address);
      pictures.push({ message_id, url, content_type: file.contentType });
    }
    return { pictures };
  };
