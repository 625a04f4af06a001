/** An attempt at the identity check as the form sends it, through the API. */
import sharp from 'sharp';
import type { ApiUser } from '../harness/api-user.ts';
import { expect } from '../harness/fulcrum.ts';

/** A small picture that no other one is. */
function picture(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 150, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#fff', noise } })
    .jpeg()
    .toBuffer();
}

/** Uploads three new pictures and submits them with a document of that number; `over` is what was filled in otherwise. */
export async function submitAttempt(
  user: ApiUser,
  number: string,
  over: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [name, width, height] of [
    ['document_front', 480, 300],
    ['document_back', 480, 300],
    ['selfie', 300, 420],
  ] as const) {
    const path = `kyc-documents/${user.id}/${name}.jpg`;
    await user.upload(path, await picture(width, height), 'image/jpeg');
  }
  const { status, body } = await user.ask('kyc_verifications', {
    user_id: user.id,
    first_name: 'Amelia',
    last_name: 'Stone',
    date_of_birth: '1991-04-17',
    country: 'Portugal',
    address: 'Rua das Flores 128',
    city: 'Porto',
    postal_code: '4050-262',
    document_type: 'id_card',
    document_number: number,
    document_front_url: `${user.id}/document_front.jpg`,
    document_back_url: `${user.id}/document_back.jpg`,
    selfie_url: `${user.id}/selfie.jpg`,
    status: 'pending',
    submitted_at: new Date().toISOString(),
    ...over,
  });
  expect(status, JSON.stringify(body)).toBe(201);
}
