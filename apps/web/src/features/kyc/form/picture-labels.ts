import type { KycPicture } from '@fulcrum/domain';

export const pictureLabels = {
  document_front: 'Document front',
  document_back: 'Document back',
  selfie: 'Selfie',
} as const satisfies Record<KycPicture, string>;

export const pictureHints = {
  document_front: 'The side with the photo, all four corners in view.',
  document_back: 'The other side; of a passport, the page before the photo.',
  selfie: 'The face, straight into the camera.',
} as const satisfies Record<KycPicture, string>;
