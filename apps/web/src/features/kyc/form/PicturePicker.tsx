/** One of the three pictures: choose, drop or photograph it, see it, change or remove it, and follow its upload. */
import type { KycPicture } from '@fulcrum/domain';
import Camera from 'lucide-react/icons/camera';
import CircleCheck from 'lucide-react/icons/circle-check';
import IdCard from 'lucide-react/icons/id-card';
import ImagePlus from 'lucide-react/icons/image-plus';
import ScanFace from 'lucide-react/icons/scan-face';
import Trash from 'lucide-react/icons/trash';
import { type ChangeEvent, type DragEvent, useId, useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { formatFigure } from '../../../shared/numbers/format.ts';
import { Button, IconButton } from '../../../shared/ui/index.ts';
import { pictureHints, pictureLabels } from './picture-labels.ts';
import {
  type ChosenPicture,
  choosePicture,
  removePicture,
  type Stage,
  useSubmissionState,
} from './submission.ts';

const accepted = 'image/jpeg,image/png,image/webp';
const placeholders = { document_front: IdCard, document_back: IdCard, selfie: ScanFace } as const;
const cameras = { document_front: 'environment', document_back: 'environment', selfie: 'user' } as const;

const take = (picture: KycPicture, file: Blob | undefined) => {
  if (!file) return;
  choosePicture(picture, file).catch((cause: unknown) =>
    log.error('Checking a chosen picture failed', cause),
  );
};

const sizeOf = (bytes: number): string =>
  bytes < 100_000
    ? `${formatFigure(Math.max(1, bytes / 1_000), 0)} kB`
    : `${formatFigure(bytes / 1_000_000, 1)} MB`;

function StageLine({ label, bytes, stage }: { label: string; bytes: number; stage: Stage }) {
  if (stage.kind === 'uploading') {
    const percent = Math.round(stage.progress * 100);
    return (
      <div className="flex flex-col gap-1">
        <progress
          aria-label={`Upload of ${label.toLowerCase()}`}
          max={100}
          value={percent}
          className="h-1 w-full overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
        <span className="figures text-12 text-text-2">{`Uploading, ${percent} %`}</span>
      </div>
    );
  }
  if (stage.kind === 'uploaded') {
    return (
      <span className="flex items-center gap-1.5 text-12 text-up">
        <CircleCheck size={14} aria-hidden="true" />
        Uploaded
      </span>
    );
  }
  return <span className="figures text-12 text-text-3">{sizeOf(bytes)}</span>;
}

function Preview({ picture, chosen }: { picture: KycPicture; chosen: ChosenPicture | null }) {
  const Placeholder = placeholders[picture];
  return (
    <div className="relative grid aspect-[8/5] place-items-center overflow-hidden rounded-control bg-inset max-md:w-28 max-md:shrink-0 max-md:self-start">
      {chosen === null ? (
        <Placeholder size={32} strokeWidth={1.25} aria-hidden="true" className="text-text-3" />
      ) : (
        <img
          src={chosen.url}
          alt={`${pictureLabels[picture]}, as chosen`}
          className="absolute inset-0 size-full object-contain"
        />
      )}
    </div>
  );
}

export function PicturePicker({ picture }: { readonly picture: KycPicture }) {
  const id = useId();
  const chosen = useSubmissionState(({ pictures }) => pictures[picture]);
  const objection = useSubmissionState(({ objections }) => objections[picture]);
  const isIdle = useSubmissionState(({ phase }) => phase === 'resting');
  const [isOver, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const label = pictureLabels[picture];
  const error = objection ?? (chosen?.stage.kind === 'failed' ? chosen.stage.text : null);

  const onFile = (event: ChangeEvent<HTMLInputElement>) => {
    const { files } = event.target;
    take(picture, files?.[0]);
    // Clears the input, so that choosing the same file again fires an event.
    event.target.value = '';
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(picture, event.dataTransfer.files[0]);
  };
  const onRemove = () => {
    removePicture(picture);
    chooser.current?.focus();
  };
  const described = [`${id}-hint`, error !== null && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset
      aria-labelledby={`${id}-label`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={`flex min-w-0 gap-3 rounded-control border p-3 md:flex-col ${
        isOver
          ? 'border-accent bg-accent-weak'
          : error === null
            ? 'border-line-strong border-dashed'
            : 'border-down'
      }`}
    >
      <Preview picture={picture} chosen={chosen} />
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <p id={`${id}-label`} className="text-13 font-medium">
          {label}
        </p>
        <p id={`${id}-hint`} className="text-12 text-text-3">
          {pictureHints[picture]}
        </p>
        {chosen === null ? null : <StageLine label={label} bytes={chosen.file.size} stage={chosen.stage} />}
        {error === null ? null : (
          <p id={`${id}-error`} role="alert" className="text-12 text-down">
            {error}
          </p>
        )}
        <div className="mt-auto flex flex-wrap items-center gap-2 pt-1">
          <input ref={file} type="file" accept={accepted} onChange={onFile} hidden aria-label={label} />
          <input
            ref={camera}
            type="file"
            accept={accepted}
            capture={cameras[picture]}
            onChange={onFile}
            hidden
            aria-label={`${label}, by camera`}
          />
          <Button
            ref={chooser}
            name={picture}
            muted={!isIdle}
            aria-describedby={described}
            onClick={() => file.current?.click()}
          >
            <ImagePlus size={16} aria-hidden="true" />
            {chosen === null ? 'Choose' : 'Replace'}
            <span className="sr-only"> {label.toLowerCase()}</span>
          </Button>
          {/* For phones and tablets, which have a camera. */}
          <span className="hidden max-md:contents pointer-coarse:contents">
            <Button muted={!isIdle} onClick={() => camera.current?.click()}>
              <Camera size={16} aria-hidden="true" />
              {chosen === null ? 'Photo' : 'Retake'}
              <span className="sr-only"> of {label.toLowerCase()}</span>
            </Button>
          </span>
          {chosen === null || !isIdle ? null : (
            <IconButton label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
              <Trash size={16} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      </div>
    </fieldset>
  );
}
