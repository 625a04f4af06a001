export { useRepeatableClientId } from './useRepeatableClientId.ts';
export { failedWith, useRequest } from './useRequest.ts';
export { focusField, type SubmissionError, useSubmission } from './useSubmission.ts';
