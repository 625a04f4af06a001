/** Users' files in the contract's buckets. */
export { FileError, type FileRefusal } from './errors.ts';
export { createFiles, type Download, type Files, type FileView } from './files.ts';
export { linkTo } from './links.ts';
export { type ListEntry, sortColumns } from './listing.ts';
export { createViewAudit } from './views.ts';
