/**
 * API keys of a trading account (A119). A key works for one account, in `/fapi` and as `Authorization: Bearer
 * <api_key>.<secret>` at `/rest/v1`. The secret leaves the server once, in the answer to its creation.
 */
import { accountKinds, apiKeyAddressesMax, apiKeyNameMax } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';
import { apiKeyScopes } from '../roles.ts';
import { reason, storableText } from './arguments.ts';
import { command, query } from './procedure.ts';

const dateTime = z.iso.datetime({ offset: true });

const apiKeyRow = z.object({
  id,
  name: z.string(),
  account_id: id,
  account_name: z.string(),
  account_kind: z.enum(accountKinds),
  /** The first characters of the key, which tell it from others. */
  key_start: z.string(),
  /** `read`, or `read` and `trade`. */
  scopes: z.array(z.enum(apiKeyScopes)),
  /** Addresses and networks that it works from; none is everywhere. */
  addresses: z.array(z.string()),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  /** To the minute; null: never used. */
  last_used_at: z.string().nullable(),
  last_used_address: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
export type ApiKeyRow = z.infer<typeof apiKeyRow>;

/** Makes a key for one of the caller's own accounts. Its name differs from those of the account's other live keys. */
export const createApiKey = command('create_api_key', {
  roles: ['trader'],
  args: z.strictObject({
    /** Longer names are refused by the domain, with the text that states the bound. */
    p_name: storableText(2 * apiKeyNameMax),
    /** `trade` includes `read`. */
    p_scopes: z.array(z.enum(apiKeyScopes)).min(1).max(apiKeyScopes.length),
    p_account_id: id,
    /** IPv4 and IPv6 addresses, and networks such as `192.0.2.0/24`; none is everywhere. */
    p_addresses: z.array(z.string().max(64)).max(apiKeyAddressesMax).nullish(),
    p_expires_at: dateTime.nullish(),
  }),
  /** The only answer with `api_key` and `secret`: no other one has them. */
  result: apiKeyRow.extend({ api_key: z.string(), secret: z.string() }),
});

/** The keys of a user, live ones first; the caller's own, or for staff those of a trader they may manage. */
export const listApiKeys = query('list_api_keys', {
  roles: ['trader', 'manager', 'admin'],
  args: z.strictObject({ p_user_id: id.nullish() }),
  result: z.array(apiKeyRow),
});

/** Ends a key at once and everywhere; staff state a reason. A repeat answers with the ended key. */
export const revokeApiKey = command('revoke_api_key', {
  roles: ['trader', 'manager', 'admin'],
  args: z.strictObject({ p_key_id: id, p_reason: reason }),
  result: apiKeyRow,
});
