/** Answers to visitors' messages. */
import { contactStatuses } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';
import { clientId } from './arguments.ts';
import { command } from './procedure.ts';

/**
 * Sends the answer by mail where this server sends mail, and moves the message along the stated transitions to
 * `replied`.
 * @throws `changed_meanwhile` when another change came first
 */
export const replyContactForm = command('reply_contact_form', {
  roles: ['admin'],
  args: z.strictObject({
    p_id: id,
    p_message: z.string().min(1).max(5000),
    /** The version that the caller saw. */
    p_version: z.number().int(),
    p_client_id: clientId,
  }),
  result: z.object({ id, status: z.enum(contactStatuses), version: z.number().int() }),
});
