/** Pictures that users send: checked before the upload, uploaded with progress, read behind signed links. */
export { fetchPicture } from './fetch-picture.ts';
export { checkPicture, isSamePicture } from './picture-check.ts';
export { sendPicture, UploadError } from './upload.ts';
