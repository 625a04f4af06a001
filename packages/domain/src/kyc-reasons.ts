/**
 * Why an identity check is refused (A63): the reasons that a reviewer selects, and the texts that the user reads. A
 * revision reason can be corrected by another attempt; a rejection reason cannot. Invariant: the user sees a
 * confidential reason (fraud) only as one neutral text about the whole submission, with a code of its own. Only
 * `disclosedReasons` may leave the staff's side.
 */
import type { KycPicture } from './kyc.ts';

export interface KycReasonRule {
  readonly code: string;
  readonly kind: 'revision' | 'rejection';
  /** The documents that the reason applies to; null is the submission as a whole. */
  readonly documents: readonly (KycPicture | null)[];
  /** Whether another attempt can succeed. */
  readonly retryable: boolean;
  /** Whether the user must not learn of it. */
  readonly confidential: boolean;
  /** For reviewers. */
  readonly label: string;
  /** For the user. */
  readonly text: string;
}

/** Picked in advance for a user who is younger than `MIN_AGE`. */
export const underageReason = 'underage';

const pictures = ['document_front', 'document_back', 'selfie'] as const;
const sides = ['document_front', 'document_back'] as const;
const whole = [null] as const;

const revision = (
  code: string,
  documents: KycReasonRule['documents'],
  label: string,
  text: string,
): KycReasonRule => ({
  code,
  kind: 'revision',
  documents,
  retryable: true,
  confidential: false,
  label,
  text,
});

/** Replaces every confidential reason. */
const neutral = {
  code: 'not_verified',
  text: 'We could not verify your identity with what was submitted.',
} as const;

const confidential = (code: string, documents: KycReasonRule['documents'], label: string): KycReasonRule => ({
  code,
  kind: 'rejection',
  documents,
  retryable: false,
  confidential: true,
  label,
  text: neutral.text,
});

export const kycReasons: readonly KycReasonRule[] = [
  revision('blurry', pictures, 'Blurry', 'The picture is blurred. Please take it again and hold still.'),
  revision(
    'dark_or_glare',
    pictures,
    'Too dark, or glare',
    'Light hides parts of the picture. Please take it in even light.',
  ),
  revision(
    'cut_off',
    pictures,
    'Cut off',
    'Parts are cut off. Please show all of it, with a small margin around it.',
  ),
  revision(
    'covered',
    pictures,
    'Partly covered',
    'Part of the picture is covered. Please keep all of it visible.',
  ),
  revision(
    'too_small',
    pictures,
    'Too small to read',
    'The details are too small to read. Please go closer or use a larger picture.',
  ),
  revision(
    'copy_or_screen',
    pictures,
    'Copy, or photo of a screen',
    'Please photograph the original, not a copy or a screen.',
  ),
  revision('wrong_side', sides, 'Wrong side', 'This is the wrong side. Please photograph the requested one.'),
  revision(
    'wrong_document',
    sides,
    'Wrong kind of document',
    'This is not the kind of document that you chose.',
  ),
  revision('expired', sides, 'Expired', 'The document has expired. Please use a valid one.'),
  revision(
    'no_face',
    ['selfie'],
    'No clear face',
    'Your face cannot be seen clearly. Please look straight into the camera.',
  ),
  revision(
    'other_person',
    ['selfie'],
    'Does not show the same person',
    'The selfie and the document do not seem to show the same person.',
  ),
  revision('name_differs', whole, 'Name differs', 'The name differs from the one on the document.'),
  revision(
    'birth_date_differs',
    whole,
    'Date of birth differs',
    'The date of birth differs from the one on the document.',
  ),
  revision(
    'number_differs',
    whole,
    'Document number differs',
    'The document number differs from the one on the document.',
  ),
  revision(
    'address_incomplete',
    whole,
    'Address incomplete',
    'The address is incomplete. Please state street, city, postal code and country.',
  ),
  revision('other', [...pictures, null], 'Other', 'Please check this and submit it again.'),
  {
    code: 'not_accepted',
    kind: 'rejection',
    documents: whole,
    retryable: false,
    confidential: false,
    label: 'Country or document not accepted',
    text: 'Documents of this kind or country are not accepted.',
  },
  {
    code: underageReason,
    kind: 'rejection',
    documents: whole,
    retryable: false,
    confidential: false,
    label: 'Below the least age',
    text: 'You have not reached the age from which an account can be verified.',
  },
  confidential('altered', sides, 'Fake or altered'),
  confidential('stolen_identity', [...pictures, null], 'Potential identity theft'),
  confidential('second_account', whole, 'Same identity as another account'),
  confidential('watchlist', whole, 'On a watchlist'),
  confidential('suspicious', [...pictures, null], 'Suspicious'),
];

const ruleByCode: ReadonlyMap<string, KycReasonRule> = new Map(kycReasons.map((rule) => [rule.code, rule]));
export const kycReasonOf = (code: string): KycReasonRule | null => ruleByCode.get(code) ?? null;

/** What a reviewer selected. */
export interface PickedReason {
  readonly document: KycPicture | null;
  readonly code: string;
}
interface DisclosedReason extends PickedReason {
  readonly text: string;
}

/** Whether the code is known and applies to that document. */
export const isReason = ({ document, code }: PickedReason): boolean =>
  kycReasonOf(code)?.documents.includes(document) ?? false;

/**
 * What the user may read of the reasons, each once. An unknown code becomes the neutral reason; callers check
 * `isReason` first.
 */
export function disclosedReasons(picked: readonly PickedReason[]): readonly DisclosedReason[] {
  const disclosed = new Map<string, DisclosedReason>();
  for (const { document, code } of picked) {
    const rule = kycReasonOf(code);
    const reason =
      rule === null || rule.confidential
        ? { document: null, ...neutral }
        : { document, code, text: rule.text };
    disclosed.set(`${reason.document ?? ''} ${reason.code}`, reason);
  }
  return [...disclosed.values()];
}
