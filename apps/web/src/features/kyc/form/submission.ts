/**
 * The chosen pictures and their upload. The state is outside React, so a picture survives navigation within the app;
 * it ends with the session. Nothing is sent before the form is submitted. Then the three upload in parallel, and a
 * retry sends only those that did not arrive.
 *
 * Invariants: one submission at a time. A failed picture affects no other one. A chosen picture is removed only when
 * the user removes or replaces it, or after all were submitted.
 */
import type { Database } from '@fulcrum/contract/database';
import { texts } from '@fulcrum/contract/texts';
import { type KycPicture, kycPictures, normaliseKyc } from '@fulcrum/domain';
import { create } from 'zustand';
import { log as appLog } from '../../../shared/log/log.ts';
import { checkPicture, isSamePicture, sendPicture, UploadError } from '../../../shared/pictures/index.ts';
import { onUserGone } from '../../../shared/session/index.ts';
import { getErrorMessage, RequestError, type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import type { SendAttempt } from './draft.ts';
import { pictureLabels } from './picture-labels.ts';

type Row = Database['public']['Tables']['kyc_verifications']['Row'];
type Insert = Database['public']['Tables']['kyc_verifications']['Insert'];

const log = appLog.of('kyc');
const bucket = 'kyc-documents';
const getPicturePath = (userId: string, picture: KycPicture): string => `${userId}/${picture}.jpg`;

export type Stage =
  | { readonly kind: 'chosen' | 'uploaded' }
  /** From 0 to 1. */
  | { readonly kind: 'uploading'; readonly progress: number }
  | { readonly kind: 'failed'; readonly text: string };

export interface ChosenPicture {
  readonly file: Blob;
  /** The URL of the preview. */
  readonly url: string;
  readonly stage: Stage;
}
type Each<Value> = Readonly<Record<KycPicture, Value>>;

interface SubmissionState {
  /** The owner of the pictures. */
  readonly userId: string | null;
  readonly pictures: Each<ChosenPicture | null>;
  /** Why a chosen picture was not accepted, or that it is missing. */
  readonly objections: Each<string | null>;
  readonly phase: 'resting' | 'uploading' | 'submitting';
  readonly failure: string | null;
}

const none = { document_front: null, document_back: null, selfie: null } as const;
const idleState: SubmissionState = {
  userId: null,
  pictures: none,
  objections: none,
  phase: 'resting',
  failure: null,
};
export const useSubmissionState = create<SubmissionState>(() => idleState);
const { getState, setState } = useSubmissionState;

let running: AbortController | null = null;

function release({ pictures }: SubmissionState): void {
  for (const picture of kycPictures) {
    const chosen = pictures[picture];
    if (chosen) URL.revokeObjectURL(chosen.url);
  }
}

/** Resets the state for `userId`; another user's pictures are dropped. */
function restart(userId: string | null): void {
  running?.abort();
  running = null;
  release(getState());
  setState({ ...idleState, userId }, true);
}

onUserGone(() => restart(null));

export function startFor(userId: string): void {
  if (getState().userId !== userId) restart(userId);
}

const setPicture = (picture: KycPicture, chosen: ChosenPicture | null) =>
  setState(({ pictures }) => ({ pictures: { ...pictures, [picture]: chosen } }));
export const setObjection = (picture: KycPicture, text: string | null): void =>
  setState(({ objections }) => ({ objections: { ...objections, [picture]: text } }));

/** Of several choices for one picture the last one counts, whichever check ends first. */
const choices = new Map<KycPicture, symbol>();

async function findObjection(picture: KycPicture, file: Blob): Promise<string | null> {
  const objection = await checkPicture(file);
  if (objection !== null) return objection;
  for (const other of kycPictures) {
    const chosen = getState().pictures[other];
    if (other !== picture && chosen && (await isSamePicture(chosen.file, file))) {
      return `This is the picture you chose for ${pictureLabels[other].toLowerCase()}. Please choose another one.`;
    }
  }
  return null;
}

/** Accepts a file for a picture, or shows why not; a refused file leaves the previous one in place. */
export async function choosePicture(picture: KycPicture, file: Blob): Promise<void> {
  const { userId, phase } = getState();
  if (phase !== 'resting') return;
  const choice = Symbol(picture);
  choices.set(picture, choice);
  const objection = await findObjection(picture, file);
  const now = getState();
  if (choices.get(picture) !== choice || now.userId !== userId || now.phase !== 'resting') return;
  setObjection(picture, objection);
  if (objection !== null) return;
  removePicture(picture);
  setPicture(picture, { file, url: URL.createObjectURL(file), stage: { kind: 'chosen' } });
}

export function removePicture(picture: KycPicture): void {
  const { pictures, phase } = getState();
  if (phase !== 'resting') return;
  const chosen = pictures[picture];
  if (chosen) URL.revokeObjectURL(chosen.url);
  setPicture(picture, null);
  setObjection(picture, null);
}

/** Stops the uploads in flight; finished ones stay. */
export const cancelSubmission = (): void => running?.abort();

const setStage = (picture: KycPicture, stage: Stage) => {
  const chosen = getState().pictures[picture];
  if (chosen) setPicture(picture, { ...chosen, stage });
};

interface Sender {
  readonly supabase: Supabase;
  readonly userId: string;
  readonly signal: AbortSignal;
}

/** Resolves with whether it has arrived. */
async function uploadOne(picture: KycPicture, { supabase, userId, signal }: Sender): Promise<boolean> {
  const chosen = getState().pictures[picture];
  if (!chosen) return false;
  if (chosen.stage.kind === 'uploaded') return true;
  const show = (stage: Stage) => {
    if (getState().userId === userId) setStage(picture, stage);
  };
  show({ kind: 'uploading', progress: 0 });
  try {
    const onProgress = (progress: number) => show({ kind: 'uploading', progress });
    const path = getPicturePath(userId, picture);
    await sendPicture({ supabase, bucket, path, file: chosen.file, signal, onProgress });
    show({ kind: 'uploaded' });
    return true;
  } catch (cause) {
    if (signal.aborted) {
      show({ kind: 'chosen' });
      return false;
    }
    log.warn(`Uploading ${picture} failed`, cause);
    const text = cause instanceof UploadError ? cause.message : 'The upload failed. Please try again.';
    show({ kind: 'failed', text });
    return false;
  }
}

function toInsertRow(userId: string, { clientId, fields }: SendAttempt): Insert {
  const { document_type, ...rest } = normaliseKyc(fields);
  return {
    ...rest,
    user_id: userId,
    // Checked before it is sent, and again by the server.
    document_type: document_type as NonNullable<Insert['document_type']>,
    document_front_url: getPicturePath(userId, 'document_front'),
    document_back_url: getPicturePath(userId, 'document_back'),
    selfie_url: getPicturePath(userId, 'selfie'),
    status: 'pending',
    submitted_at: new Date().toISOString(),
    client_id: clientId,
  };
}

/** Uploads that the server did not accept must be sent again. */
function resetUploadedStages(): void {
  for (const picture of kycPictures) setStage(picture, { kind: 'chosen' });
}

export type SubmissionOutcome =
  | { readonly kind: 'submitted'; readonly row: Row }
  | { readonly kind: 'cancelled' | 'not sent' }
  /** The server's status may differ from the page's. */
  | { readonly kind: 'refused' };

/** Uploads the missing pictures and submits; `sent` is the same for a repeat after a lost answer. */
export async function submitVerification(
  supabase: Supabase,
  userId: string,
  sent: SendAttempt,
): Promise<SubmissionOutcome> {
  if (getState().phase !== 'resting') return { kind: 'not sent' };
  const controller = new AbortController();
  running = controller;
  const { signal } = controller;
  setState({ phase: 'uploading', failure: null });
  const isOurs = () => getState().userId === userId && running === controller;
  try {
    const sender = { supabase, userId, signal };
    const arrived = await Promise.all(kycPictures.map((picture) => uploadOne(picture, sender)));
    if (signal.aborted) return { kind: 'cancelled' };
    if (!arrived.every(Boolean)) {
      setState({ failure: texts.kycSubmitFailed });
      return { kind: 'not sent' };
    }
    setState({ phase: 'submitting' });
    const insert = supabase.rest.from('kyc_verifications').insert(toInsertRow(userId, sent));
    const row: Row = await unwrap(insert.select('*').single());
    if (isOurs()) restart(userId);
    return { kind: 'submitted', row };
  } catch (cause) {
    log.warn('Submitting the identity check failed', cause);
    if (isOurs()) {
      setState({ failure: getErrorMessage(cause, texts.kycSubmitFailed) });
      if (cause instanceof RequestError && cause.message === texts.kycDocumentsMissing) resetUploadedStages();
    }
    return { kind: 'refused' };
  } finally {
    if (isOurs()) {
      running = null;
      setState({ phase: 'resting' });
    }
  }
}
