/** An `AppError` as it travels between processes. */
import { AppError, type ErrorCode, errorStatus } from '@fulcrum/contract';

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details: string | null;
  readonly hint: string | null;
}

export const toWireError = ({ code, message, details, hint }: AppError): WireError => ({
  ...{ code, message, details, hint },
});

/** `unknownCode` stands for a code of a later release, which this one has not. */
export function fromWireError({ code, message, details, hint }: WireError, unknownCode: ErrorCode): AppError {
  return new AppError(isErrorCode(code) ? code : unknownCode, message, {
    ...(details !== null && { details }),
    ...(hint !== null && { hint }),
  });
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code);
