/** Users' files in the contract's buckets. */
export { FileError, type FileRefusal } from './errors.ts';
export {
  createFiles,
  type Download,
  type FileAddress,
  type Files,
  type FilesDependencies,
  type FileView,
  type SignedVersion,
  type UploadRequest,
} from './files.ts';
export { linkTo } from './links.ts';
export { type ListEntry, type ListRequest, sortColumns } from './listing.ts';
export { createViewAudit } from './views.ts';
