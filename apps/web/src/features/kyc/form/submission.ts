/**
 * The pictures that were chosen and their way to the server. It lives beside React, so that a picture outlives a look at
 * another page; it ends with the session. Nothing is sent before the form is: then the three go side by side, and only those
 * that did not arrive are sent again by the next try. Invariants: one submission at a time; a picture that fails takes no other
 * with it; a chosen picture goes only when its person takes it away, when another takes its place or when all were submitted.
 */
import type { Database } from '@fulcrum/contract/database';
import { texts } from '@fulcrum/contract/texts';
import { type KycPicture, kycPictures, normaliseKyc } from '@fulcrum/domain';
import { create } from 'zustand';
import { log as appLog } from '../../../shared/log/log.ts';
import { onPersonGone } from '../../../shared/session/index.ts';
import { messageOf, RequestError, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import type { Sent } from './draft.ts';
import { isSamePicture, objectionTo } from './picture-check.ts';
import { pictureLabels } from './picture-labels.ts';
import { pathOf, sendPicture, UploadError } from './upload.ts';

type Row = Database['public']['Tables']['kyc_verifications']['Row'];
type Insert = Database['public']['Tables']['kyc_verifications']['Insert'];

const log = appLog.of('kyc');

export type Stage =
  | { readonly kind: 'chosen' | 'uploaded' }
  /** From 0 to 1. */
  | { readonly kind: 'uploading'; readonly share: number }
  | { readonly kind: 'failed'; readonly text: string };

export interface ChosenPicture {
  readonly file: Blob;
  /** Of the preview. */
  readonly url: string;
  readonly stage: Stage;
}
type Each<Value> = Readonly<Record<KycPicture, Value>>;

interface SubmissionState {
  /** Whose pictures they are. */
  readonly userId: string | null;
  readonly pictures: Each<ChosenPicture | null>;
  /** To what was chosen and not taken, or is missing. */
  readonly objections: Each<string | null>;
  readonly phase: 'resting' | 'uploading' | 'submitting';
  readonly failure: string | null;
}

const none = { document_front: null, document_back: null, selfie: null } as const;
const atRest: SubmissionState = {
  userId: null,
  pictures: none,
  objections: none,
  phase: 'resting',
  failure: null,
};
export const useSubmissionState = create<SubmissionState>(() => atRest);
const { getState, setState } = useSubmissionState;

let running: AbortController | null = null;

function release({ pictures }: SubmissionState): void {
  for (const picture of kycPictures) {
    const chosen = pictures[picture];
    if (chosen) URL.revokeObjectURL(chosen.url);
  }
}

/** Begins anew for `userId`; what somebody else chose is gone. */
function restart(userId: string | null): void {
  running?.abort();
  running = null;
  release(getState());
  setState({ ...atRest, userId }, true);
}

onPersonGone(() => restart(null));

export function beginFor(userId: string): void {
  if (getState().userId !== userId) restart(userId);
}

const setPicture = (picture: KycPicture, chosen: ChosenPicture | null) =>
  setState(({ pictures }) => ({ pictures: { ...pictures, [picture]: chosen } }));
export const setObjection = (picture: KycPicture, text: string | null): void =>
  setState(({ objections }) => ({ objections: { ...objections, [picture]: text } }));

/** Of several choices for one picture the last one counts, whichever is checked first. */
const choices = new Map<KycPicture, symbol>();

async function objectionAt(picture: KycPicture, file: Blob): Promise<string | null> {
  const objection = await objectionTo(file);
  if (objection !== null) return objection;
  for (const other of kycPictures) {
    const chosen = getState().pictures[other];
    if (other !== picture && chosen && (await isSamePicture(chosen.file, file))) {
      return `This is the picture you chose for ${pictureLabels[other].toLowerCase()}. Please choose another one.`;
    }
  }
  return null;
}

/** Takes a file for a picture, or says why not; one that is not taken leaves the one before in its place. */
export async function choose(picture: KycPicture, file: Blob): Promise<void> {
  const { userId, phase } = getState();
  if (phase !== 'resting') return;
  const choice = Symbol(picture);
  choices.set(picture, choice);
  const objection = await objectionAt(picture, file);
  const now = getState();
  if (choices.get(picture) !== choice || now.userId !== userId || now.phase !== 'resting') return;
  setObjection(picture, objection);
  if (objection !== null) return;
  remove(picture);
  setPicture(picture, { file, url: URL.createObjectURL(file), stage: { kind: 'chosen' } });
}

export function remove(picture: KycPicture): void {
  const { pictures, phase } = getState();
  if (phase !== 'resting') return;
  const chosen = pictures[picture];
  if (chosen) URL.revokeObjectURL(chosen.url);
  setPicture(picture, null);
  setObjection(picture, null);
}

/** Stops what is being sent; what has arrived has arrived. */
export const cancel = (): void => running?.abort();

const setStage = (picture: KycPicture, stage: Stage) => {
  const chosen = getState().pictures[picture];
  if (chosen) setPicture(picture, { ...chosen, stage });
};

interface Sender {
  readonly supabase: Supabase;
  readonly userId: string;
  readonly signal: AbortSignal;
}

/** Whether it has arrived. */
async function uploadOne(picture: KycPicture, { supabase, userId, signal }: Sender): Promise<boolean> {
  const chosen = getState().pictures[picture];
  if (!chosen) return false;
  if (chosen.stage.kind === 'uploaded') return true;
  const show = (stage: Stage) => {
    if (getState().userId === userId) setStage(picture, stage);
  };
  show({ kind: 'uploading', share: 0 });
  try {
    const onShare = (share: number) => show({ kind: 'uploading', share });
    await sendPicture({ supabase, userId, picture, file: chosen.file, signal, onShare });
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

function insertOf(userId: string, { clientId, fields }: Sent): Insert {
  const { document_type, ...rest } = normaliseKyc(fields);
  return {
    ...rest,
    user_id: userId,
    // Checked before it is sent, and by the server again.
    document_type: document_type as NonNullable<Insert['document_type']>,
    document_front_url: pathOf(userId, 'document_front'),
    document_back_url: pathOf(userId, 'document_back'),
    selfie_url: pathOf(userId, 'selfie'),
    status: 'pending',
    submitted_at: new Date().toISOString(),
    client_id: clientId,
  };
}

/** What did not count for the server has to be sent again. */
function forgetArrivals(): void {
  for (const picture of kycPictures) setStage(picture, { kind: 'chosen' });
}

export type Outcome =
  | { readonly kind: 'submitted'; readonly row: Row }
  | { readonly kind: 'cancelled' | 'not sent' }
  /** The server's standing may be another one than the page's. */
  | { readonly kind: 'refused' };

/** Uploads what has not arrived and submits; `sent` is the same for a repeat after a lost answer. */
export async function submit(supabase: Supabase, userId: string, sent: Sent): Promise<Outcome> {
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
    const insert = supabase.rest.from('kyc_verifications').insert(insertOf(userId, sent));
    const row: Row = await rowsOf(insert.select('*').single());
    if (isOurs()) restart(userId);
    return { kind: 'submitted', row };
  } catch (cause) {
    log.warn('Submitting the identity check failed', cause);
    if (isOurs()) {
      setState({ failure: messageOf(cause, texts.kycSubmitFailed) });
      if (cause instanceof RequestError && cause.message === texts.kycDocumentsMissing) forgetArrivals();
    }
    return { kind: 'refused' };
  } finally {
    if (isOurs()) {
      running = null;
      setState({ phase: 'resting' });
    }
  }
}
