/** Traders with documents to review, and the review itself, with the official client. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import type { TestUser, UserServer } from '../identity/user-server.ts';

export const documents = ['document_front', 'document_back', 'selfie'] as const;
/** With the types of the database. */
export const of = ({ client }: TestUser) => client as SupabaseClient<Database>;

/** A picture that no other one is. */
export async function picture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: 64, height: 40, channels: 3, background: '#fff', noise } })
    .png()
    .toBuffer();
}

export async function upload(trader: TestUser, pictures: readonly Buffer[]): Promise<void> {
  for (const [index, bytes] of pictures.entries()) {
    const path = `${trader.id}/${documents[index]}.jpg`;
    const body = new Blob([new Uint8Array(bytes)], { type: 'image/png' });
    const { error } = await trader.client.storage.from('kyc-documents').upload(path, body, { upsert: true });
    if (error) throw error;
  }
}

/** As the form sends them. */
export const fields = {
  first_name: 'Amelia',
  last_name: 'Stone',
  date_of_birth: '1991-04-17',
  country: 'Portugal',
  address: 'Rua das Flores 128',
  city: 'Porto',
  postal_code: '4050-262',
  document_type: 'id_card',
} as const;

export async function submit(
  server: UserServer,
  trader: TestUser,
  number: string,
  pictures?: readonly Buffer[],
): Promise<string> {
  // Each is newer than the one before.
  server.clock.advance(1000);
  await upload(trader, pictures ?? [await picture(), await picture(), await picture()]);
  const { data } = await of(trader)
    .from('kyc_verifications')
    .insert({
      user_id: trader.id,
      ...fields,
      document_number: number,
      document_front_url: `${trader.id}/document_front.jpg`,
      document_back_url: `${trader.id}/document_back.jpg`,
      selfie_url: `${trader.id}/selfie.jpg`,
      status: 'pending',
      submitted_at: new Date().toISOString(),
    })
    .select('id')
    .single()
    .throwOnError();
  return data.id;
}

export const number = () => randomUUID().slice(0, 12);
/** A trader whose documents wait for a review. */
export async function pending(server: UserServer): Promise<{ trader: TestUser; id: string }> {
  const trader = await server.addUser('trader');
  return { trader, id: await submit(server, trader, number()) };
}

/** Approves the first version by default. */
export const review = (
  by: TestUser,
  id: string,
  more: Partial<Database['public']['Functions']['review_kyc']['Args']> = {},
) => of(by).rpc('review_kyc', { p_id: id, p_decision: 'approved', p_version: 1, ...more });
export const blurry = {
  document: 'document_back',
  code: 'blurry',
  text: 'Please take the back again.',
} as const;
export const rejected = { p_decision: 'rejected' as const, p_reasons: [blurry] };
