/** Details and pictures of an identity check, sent together (KYC-06 to KYC-16). */
import { type KycFields, kycPictures } from '@fulcrum/domain';
import Images from 'lucide-react/icons/images';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useId, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { Button, FormError, showToast } from '../../../shared/ui/index.ts';
import { Details } from './Details.tsx';
import { PicturePicker } from './PicturePicker.tsx';
import { createSampleFields, createSamplePicture, createSampleSerial } from './sample-pictures.ts';
import { cancelSubmission, choosePicture } from './submission.ts';
import { toUtcDay, type useVerificationForm } from './useVerificationForm.ts';

interface SimulationNoteProps {
  /** Fills the fields that are still blank. */
  readonly onFill: (fields: KycFields) => void;
}

function SimulationNote({ onFill }: SimulationNoteProps) {
  const [drawing, setDrawing] = useState(false);
  const useSamples = async () => {
    setDrawing(true);
    const serial = createSampleSerial();
    onFill(createSampleFields(serial));
    try {
      for (const picture of kycPictures)
        await choosePicture(picture, await createSamplePicture(picture, serial));
    } catch (cause) {
      log.warn('The sample images could not be drawn', cause);
      showToast('error', 'The sample images could not be drawn in this browser.');
    } finally {
      setDrawing(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-warn/40 bg-warn-weak px-4 py-3">
      <TriangleAlert size={20} aria-hidden="true" className="shrink-0 text-warn" />
      <div className="min-w-0 grow basis-60">
        <p className="text-14 font-semibold">Simulation: do not upload real documents</p>
        <p className="text-13 text-text-2">Use the sample images: drawings of a card of no country.</p>
      </div>
      <Button onClick={useSamples} pending={drawing} className="max-md:w-full">
        <Images size={16} aria-hidden="true" />
        Use sample images
      </Button>
    </div>
  );
}

const heading = 'text-14 font-semibold';
const sendLabels = {
  resting: 'Submit for verification',
  uploading: 'Uploading…',
  submitting: 'Submitting…',
} as const;

export function VerificationForm({ form }: { readonly form: ReturnType<typeof useVerificationForm> }) {
  const id = useId();
  const { phase, pictures, failure, picturesMissing } = form;
  const isIdle = phase === 'resting';
  const arrived = kycPictures.filter((picture) => pictures[picture]?.stage.kind === 'uploaded').length;
  const progress =
    phase === 'uploading'
      ? `${arrived} of ${kycPictures.length} pictures uploaded`
      : phase === 'submitting'
        ? 'Submitting your verification'
        : '';
  return (
    <form aria-label="Verification" noValidate onSubmit={form.onSubmit} className="flex flex-col gap-6">
      <SimulationNote onFill={form.fillBlank} />
      <fieldset disabled={!isIdle} aria-labelledby={`${id}-details`} className="flex flex-col gap-4">
        <div className="-my-1 flex min-h-6 items-center justify-between gap-3 max-md:min-h-11">
          <h3 id={`${id}-details`} className={heading}>
            1. Your details
          </h3>
          {form.isRestored && isIdle ? (
            <span className="flex items-center gap-2 text-12 text-text-3">
              Draft restored
              <button
                type="button"
                onClick={form.discard}
                className="h-6 rounded-control px-1 font-medium text-text-2 underline hover:text-text max-md:h-11"
              >
                Discard
              </button>
            </span>
          ) : null}
        </div>
        <Details
          fields={form.fields}
          errorOf={form.errorOf}
          onType={form.type}
          today={toUtcDay(Date.now())}
        />
      </fieldset>
      <section aria-labelledby={`${id}-pictures`} className="flex flex-col gap-3">
        <div>
          <h3 id={`${id}-pictures`} className={heading}>
            2. Three pictures
          </h3>
          <p className="mt-0.5 text-12 text-text-3">
            JPEG, PNG or WebP of at most 10 MB each. They are sent when you submit. A reload of the page
            removes them, but keeps your details.
          </p>
        </div>
        <div className="grid gap-3 md:grid-cols-3">
          {kycPictures.map((picture) => (
            <PicturePicker key={picture} picture={picture} />
          ))}
        </div>
        <FormError>{picturesMissing}</FormError>
      </section>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3 max-md:[&>button]:grow">
          <Button type="submit" tone="primary" pending={!isIdle}>
            {isIdle && failure !== null ? 'Try again' : sendLabels[phase]}
          </Button>
          {phase === 'uploading' ? <Button onClick={cancelSubmission}>Cancel</Button> : null}
        </div>
        <p role="status" className="figures text-12 text-text-2 empty:hidden">
          {progress}
        </p>
        <FormError>{failure}</FormError>
      </div>
    </form>
  );
}
